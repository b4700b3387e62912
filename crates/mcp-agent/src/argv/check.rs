//! Checks values that become part of a list, a rule or a name.
//!
//! Some of these values come from the users of a program, or from a repository. One that contains the punctuation of lists
//! and rules could become another rule, such as one that allows every command.

use std::collections::BTreeSet;

use crate::options::{Options, OptionsError, Origin, Skills, ToolsOffered};

type Check = fn(&str) -> Option<&'static str>;

/// Checks all options whose values become part of a list, a rule or a name.
pub(super) fn all(options: &Options) -> Result<(), OptionsError> {
    let tools = &options.tools;
    each("allow_tools", &tools.allowed, rule)?;
    each("disallow_tools", &tools.disallowed, rule)?;
    if let ToolsOffered::Only(names) = &tools.offered {
        each("only_tools", names, tool)?;
    }
    if let Some(Skills::Only(names)) = &tools.skills {
        each("skills", names, skill)?;
    }
    each("alias_tool", tools.aliases.iter().flat_map(|(name, other)| [name, other]), tool)?;
    each("permission_prompt_tool", &options.permissions.prompt_tool, tool)?;
    each("betas", &options.model.betas, word)?;
    each("agent", &options.subagents.main, skill)?;
    for (name, agent) in &options.subagents.defined {
        each("define_agent", [name], skill)?;
        each("define_agent", agent.tools.iter().chain(&agent.disallowed_tools).flatten(), rule)?;
        each("define_agent", agent.skills.iter().flatten(), skill)?;
    }
    let sources = options.settings.sources.iter().flatten().map(|source| source.as_str());
    each("setting_sources", sources, word)?;
    conversation(options)?;
    each("extra_arg", options.environment.extra_args.iter().map(|(name, _)| name.trim_start_matches('-')), argument)?;
    let names = options.environment.variables.iter().map(|(name, _)| name.to_string_lossy());
    each("env", names, variable)
}

/// Checks the names of all MCP servers: external and mounted ones.
pub(crate) fn servers<'a>(
    external: impl Iterator<Item = &'a str>,
    mounted: impl Iterator<Item = &'a str>,
) -> Result<(), OptionsError> {
    let mut names = BTreeSet::new();
    for (option, name) in mounted.map(|name| ("mount", name)).chain(external.map(|name| ("mcp_server", name))) {
        each(option, [name], server)?;
        if !names.insert(in_tool_names(name)) {
            return Err(invalid(option, name, "another server has the same name in the names of its tools"));
        }
    }
    Ok(())
}

fn conversation(options: &Options) -> Result<(), OptionsError> {
    let conversation = &options.conversation;
    if conversation.forget && conversation.store.store.is_some() {
        // The CLI sends the lines that it has written to disk.
        return Err(OptionsError::Conflict { one: "session_store", other: "persist_session(false)" });
    }
    if let Origin::Session(id) = &conversation.origin {
        each("resume", [id], id_of_session)?;
    }
    each("resume_at", &conversation.resume_at, id_of_session)?;
    each("resume_drops_turn", &conversation.resume_drops_turn, id_of_session)?;
    if let (Some(turn), None) = (&conversation.resume_drops_turn, &conversation.resume_at) {
        return Err(invalid("resume_drops_turn", turn, "set resume_at too"));
    }
    each("session_id", &conversation.id, id_of_session)
}

fn each<S: AsRef<str>>(option: &'static str, values: impl IntoIterator<Item = S>, check: Check) -> Result<(), OptionsError> {
    for value in values {
        if let Some(reason) = check(value.as_ref()) {
            return Err(invalid(option, value.as_ref(), reason));
        }
    }
    Ok(())
}

fn invalid(option: &'static str, value: &str, reason: &'static str) -> OptionsError {
    OptionsError::InvalidValue { option, value: value.to_owned(), reason }
}

fn consists_of(text: &str, punctuation: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || punctuation.contains(c))
}

/// Checks a rule. It is the name of a tool, or a name with a pattern in parentheses. The CLI ends the pattern at the first closing
/// parenthesis; what follows would be another rule.
fn rule(rule: &str) -> Option<&'static str> {
    let (name, pattern) = match rule.split_once('(') {
        Some((name, rest)) => (name, rest.strip_suffix(')')),
        None => (rule, Some("")),
    };
    let is_one_rule = pattern.is_some_and(|pattern| !pattern.contains(|c: char| c == ')' || c.is_control()));
    (!consists_of(name, "-_.:/@*") || !is_one_rule)
        .then_some("a rule is the name of a tool, or a name and a pattern without `)` in parentheses")
}

fn tool(name: &str) -> Option<&'static str> {
    (!consists_of(name, "-_.:/@")).then_some("the name of a tool has letters, digits and - _ . : / @ only")
}

fn skill(name: &str) -> Option<&'static str> {
    (!consists_of(name, "-_.:/@")).then_some("the name of a skill or an agent has letters, digits and - _ . : / @ only")
}

fn word(word: &str) -> Option<&'static str> {
    (!consists_of(word, "-_.")).then_some("use only letters, digits, `-`, `_` and `.`")
}

/// Checks the id of a session. The CLI also accepts other values to resume from, such as a path.
fn id_of_session(id: &str) -> Option<&'static str> {
    (!consists_of(id, "-_")).then_some("the id of a session or message has letters, digits, - and _ only")
}

fn argument(name: &str) -> Option<&'static str> {
    (!consists_of(name, "-")).then_some("the name of an argument has letters, digits and - only")
}

fn variable(name: &str) -> Option<&'static str> {
    (name.is_empty() || name.contains(['=', '\0'])).then_some("the name of a variable is not empty and has no `=`")
}

/// Checks the name of a server. The name of a tool is `mcp__server__tool`. A server whose name contains `__` could pass its tools off as those of
/// another server.
fn server(name: &str) -> Option<&'static str> {
    let name_in_tools = in_tool_names(name);
    let is_ambiguous = name_in_tools.contains("__") || name_in_tools.starts_with('_') || name_in_tools.ends_with('_');
    (!consists_of(name, "-_.:/@ ") || is_ambiguous)
        .then_some("the name of a server has letters and digits, and between them single - _ . : / @ or spaces")
}

/// The name of a server as it is part of the names of its tools.
fn in_tool_names(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}
