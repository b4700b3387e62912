//! Which models a list of denied models blocks.

/// Which models a list of denied models blocks: see [`match_denied_models`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct DeniedModels {
    /// For each model, in order, whether it is blocked.
    pub denied: Vec<bool>,
    /// Entries that block nothing, or less than it seems, each with the reason.
    pub warnings: Vec<String>,
}

/// Returns which models the administrator's list `deniedModels` blocks.
///
/// An entry is a family (`opus`), a major version (`claude-opus-4`), a version (`claude-opus-4-5`) or any other name, which only
/// blocks exactly this name. `true` means that the CLI rejects the model. `false` promises nothing, because the CLI also knows what
/// an alias stands for.
///
/// ```
/// # use mcp_agent::settings::match_denied_models;
/// let matched = match_denied_models(["claude-opus-4-5-20251101", "sonnet"], ["opus"]);
/// assert_eq!(matched.denied, [true, false]);
/// ```
pub fn match_denied_models<'a>(
    models: impl IntoIterator<Item = &'a str>,
    denied: impl IntoIterator<Item = &'a str>,
) -> DeniedModels {
    let mut warnings = Vec::new();
    let entries: Vec<Entry> = denied.into_iter().filter_map(|entry| Entry::read(entry, &mut warnings)).collect();
    let is_denied = |model: &str| {
        let name = without_context(model);
        let version = Version::read(&name);
        entries.iter().any(|entry| entry.blocks(&name, version.as_ref()))
    };
    DeniedModels { denied: models.into_iter().map(is_denied).collect(), warnings }
}

const FAMILIES: [&str; 4] = ["sonnet", "opus", "haiku", "fable"];

/// Names that stand for different models in different versions of the CLI.
const ALIASES: [&str; 3] = ["best", "opusplan", "default"];

/// The regions that Bedrock puts before the name of a model.
const REGIONS: [&str; 7] = ["us", "eu", "apac", "jp", "au", "us-gov", "global"];

#[derive(Debug, PartialEq)]
enum Entry {
    Family(String),
    Version(Version),
    Exact(String),
}

impl Entry {
    fn read(entry: &str, warnings: &mut Vec<String>) -> Option<Self> {
        let name = without_context(entry);
        if name.is_empty() {
            warnings.push("an empty entry is ignored".to_owned());
            return None;
        }
        if FAMILIES.contains(&name.as_str()) {
            return Some(Self::Family(name));
        }
        if ALIASES.contains(&name.as_str()) {
            warnings.push(format!("{entry:?} is ignored: it is an alias, name the model itself"));
            return None;
        }
        let version = Version::read(&name).or_else(|| Version::read(&format!("claude-{name}")));
        if version.is_none() {
            warnings.push(format!("{entry:?} only blocks the model with exactly this name"));
        }
        Some(version.map_or(Self::Exact(name), Self::Version))
    }

    fn blocks(&self, name: &str, version: Option<&Version>) -> bool {
        match self {
            Self::Exact(exact) => exact == name,
            Self::Family(family) => version.is_some_and(|version| version.family == *family) || has_word(name, family),
            Self::Version(entry) => version.is_some_and(|version| entry.includes(version)),
        }
    }
}

/// A version of a model, as part of its name.
#[derive(Debug, PartialEq)]
struct Version {
    family: String,
    major: u32,
    minor: Option<u32>,
    /// What follows the version, unless it is only a date or a revision.
    variant: Option<String>,
}

impl Version {
    /// Reads a name such as `claude-opus-4-5-20251101`, also in the spellings of providers.
    fn read(name: &str) -> Option<Self> {
        let name = name.rsplit('/').next()?;
        let name = match name.split_once("anthropic.") {
            Some(("", model)) => model,
            Some((region, model)) if REGIONS.contains(&region.strip_suffix('.')?) => model,
            Some(_) => return None,
            None => name,
        };
        let rest = name.strip_prefix("claude-")?;
        let (family, major, minor, rest) = newer(rest).or_else(|| older(rest))?;
        if !rest.is_empty() && !rest.starts_with(['-', '@']) {
            return None;
        }
        let variant = (!is_date_or_revision(rest)).then(|| rest.to_owned());
        Some(Self { family: family.to_owned(), major, minor, variant })
    }

    fn includes(&self, other: &Self) -> bool {
        let is_version = self.family == other.family
            && self.major == other.major
            && self.minor.is_none_or(|minor| other.minor.unwrap_or(0) == minor);
        let is_variant = self.variant.as_ref().is_none_or(|variant| {
            let other = other.variant.as_deref().unwrap_or_default();
            other.strip_prefix(variant.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        });
        is_version && is_variant
    }
}

/// Reads `opus-4-5` and what follows.
fn newer(name: &str) -> Option<(&str, u32, Option<u32>, &str)> {
    let (family, rest) = name.split_once('-')?;
    if family.is_empty() || !family.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    let (major, rest) = number(rest)?;
    let (minor, rest) = minor(rest);
    Some((family, major, minor, rest))
}

/// Reads `3-5-sonnet` and what follows.
fn older(name: &str) -> Option<(&str, u32, Option<u32>, &str)> {
    let (major, rest) = number(name)?;
    let (minor, rest) = minor(rest);
    let rest = rest.strip_prefix('-')?;
    let end = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
    let (family, rest) = rest.split_at(end);
    (!family.is_empty()).then_some((family, major, minor, rest))
}

fn minor(rest: &str) -> (Option<u32>, &str) {
    match rest.strip_prefix('-').and_then(number) {
        Some((minor, rest)) => (Some(minor), rest),
        None => (None, rest),
    }
}

/// Reads a number of one or two digits. A longer one is a date.
fn number(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    ((1..=2).contains(&digits)).then(|| Some((text[..digits].parse().ok()?, &text[digits..])))?
}

/// Returns whether this text after a version leaves it the same model.
fn is_date_or_revision(rest: &str) -> bool {
    let rest = rest.strip_prefix("-fast").or_else(|| rest.strip_prefix("-latest")).unwrap_or(rest);
    rest.split(['-', '@']).all(|part| {
        let revision = part.strip_prefix('v').unwrap_or(part);
        let is_digits = revision.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
        is_digits && (part.is_empty() || part.starts_with('v') || part.len() == 8)
    })
}

/// Returns the name in lower case, without the size of the context window.
fn without_context(name: &str) -> String {
    name.trim().to_lowercase().replace("[1m]", "").replace("[2m]", "").trim().to_owned()
}

/// Returns whether a name has a word that is not part of a longer one.
fn has_word(name: &str, word: &str) -> bool {
    name.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| part == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_blocks_a_family_a_version_or_one_name() {
        let rows = [
            ("opus", "claude-opus-4-5-20251101", true),
            ("opus", "us.anthropic.claude-opus-5-v1:0", true),
            ("Opus[1m]", "opus", true),
            ("opus", "claude-sonnet-5", false),
            ("sonnet", "claude-3-5-sonnet-20241022", true),
            ("claude-opus-4", "claude-opus-4-5", true),
            ("claude-opus-4", "claude-opus-5", false),
            ("opus-4-5", "anthropic.claude-opus-4-5-20251101-v1:0", true),
            ("claude-opus-4-5", "claude-opus-4-5@20251101", true),
            ("claude-opus-4-5", "claude-opus-4-6", false),
            ("claude-opus-4-0", "claude-opus-4", true),
            ("claude-opus-4-5-preview", "claude-opus-4-5", false),
            ("claude-opus-4-5-preview", "claude-opus-4-5-preview-2", true),
            ("acme", "acme", true),
            ("acme", "acme-2", false),
            ("opus", "octopus", false),
        ];
        for (entry, model, expected) in rows {
            assert_eq!(match_denied_models([model], [entry]).denied, [expected], "{entry} {model}");
        }
    }

    #[test]
    fn an_entry_that_blocks_little_or_nothing_has_a_warning() {
        let matched = match_denied_models(["claude-opus-5"], ["", "best", "acme", "claude-opus-4-5"]);
        assert_eq!((matched.denied.as_slice(), matched.warnings.len()), (&[false][..], 3));
        assert!(matched.warnings[2].contains("acme"));
    }
}
