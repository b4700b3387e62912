//! Parses and applies a filter such as `warn,my_server=debug`.

use tracing::Level;
use tracing::level_filters::LevelFilter;

/// A default level, and levels for some modules.
#[derive(Debug)]
pub(super) struct Filter {
    general: LevelFilter,
    /// Sorted by length, longest first: the first match is the most specific one.
    modules: Vec<(String, LevelFilter)>,
}

impl Filter {
    /// Parses a filter. Returns the invalid parts too.
    pub(super) fn parse(text: &str) -> (Filter, Vec<String>) {
        let (mut general, mut modules, mut invalid) = (None, Vec::new(), Vec::new());
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            match (word.split_once('='), word.parse()) {
                (Some((module, level)), _) => match level.trim().parse() {
                    Ok(level) => modules.push((module.trim().to_owned(), level)),
                    Err(_) => invalid.push(word.to_owned()),
                },
                (None, Ok(level)) => general = Some(level),
                (None, Err(_)) if is_module(word) => modules.push((word.to_owned(), LevelFilter::TRACE)),
                (None, Err(_)) => invalid.push(word.to_owned()),
            }
        }
        modules.sort_by_key(|(module, _)| std::cmp::Reverse(module.len()));
        // As in `env_logger`: with levels for some modules only, the others show errors.
        (Filter { general: general.unwrap_or(LevelFilter::ERROR), modules }, invalid)
    }

    pub(super) fn shows(&self, target: &str, level: &Level) -> bool {
        let fits = |module: &str| target.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
        let most = self.modules.iter().find(|(module, _)| fits(module)).map_or(self.general, |(_, most)| *most);
        *level <= most
    }

    /// The most verbose level of the filter.
    pub(super) fn most(&self) -> LevelFilter {
        self.modules.iter().map(|(_, level)| *level).chain([self.general]).max().unwrap_or(self.general)
    }
}

fn is_module(word: &str) -> bool {
    word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_specific_module_decides() {
        let (filter, invalid) = Filter::parse("warn, calc=debug,calc::noisy=off,calc=oops, a-b");
        assert_eq!(invalid, ["calc=oops", "a-b"]);
        for (target, level, shown) in [
            ("other", Level::WARN, true),
            ("other", Level::INFO, false),
            ("calc", Level::DEBUG, true),
            ("calc::inner", Level::DEBUG, true),
            ("calc::noisy", Level::ERROR, false),
            ("calculator", Level::INFO, false),
        ] {
            assert_eq!(filter.shows(target, &level), shown, "{target} {level}");
        }
        assert_eq!(filter.most(), LevelFilter::DEBUG);
        assert_eq!(Filter::parse("calc").0.most(), LevelFilter::TRACE);
        assert_eq!(Filter::parse("").0.most(), LevelFilter::ERROR);
    }
}
