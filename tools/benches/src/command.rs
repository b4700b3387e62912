//! The command line.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::agents::AGENTS;
use crate::contender;
use crate::measure::Plan;
use crate::record::Part;

/// The parsed command line.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) action: Action,
    pub(crate) plan: Plan,
    /// The servers to measure. All if it is absent.
    pub(crate) only: Option<Vec<String>>,
    /// Build this workspace without optimisations.
    pub(crate) dev: bool,
    /// The folder of the records, instead of the default.
    pub(crate) results: Option<PathBuf>,
    /// The folder of the page, instead of the default.
    pub(crate) docs: Option<PathBuf>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Measure these parts, then write the page.
    Run(Vec<Part>),
    /// Write the page from the stored records.
    Report,
}

pub(crate) const USAGE: &str = "\
usage: benches run [PART..] [--quick | --smoke] [--rounds N] [--only NAME,..] [--dev] [--results DIR] [--docs DIR]
       benches report [--results DIR] [--docs DIR]

parts: calls, starts, memory, tools, in-flight, http, clients, agents, turns, sessions, mounts, history, instructions, builds,
       contents; all of them unless some are named
names: floor, floor-batch, ours, ours-new, rmcp-pipes, rmcp, tower-mcp, tower-mcp-validate, rust-mcp-sdk, turbomcp, mcp-attr,
       typescript-sdk, typescript-server, python-mcp, fastmcp; typescript-client is only a client,
       typescript-agent and python-agent are programs with an agent";

impl Command {
    /// # Errors
    /// If an argument is invalid. See [`USAGE`].
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Command> {
        let (mut words, mut rounds) = (Vec::new(), None);
        let (mut plan, mut only, mut results, mut docs) = (Plan::full(), None, None, None);
        let mut dev = false;
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--quick" => plan = Plan::quick(),
                "--smoke" => plan = Plan::smoke(),
                "--dev" => dev = true,
                "--rounds" => rounds = Some(value()?.parse().context("--rounds needs a number")?),
                "--only" => only = Some(names(&value()?)?),
                "--results" => results = Some(value()?.into()),
                "--docs" => docs = Some(value()?.into()),
                flag if flag.starts_with('-') => bail!("unknown option {flag}"),
                _ => words.push(argument),
            }
        }
        plan.rounds = rounds.unwrap_or(plan.rounds);
        Ok(Command { action: action(&words)?, plan, only, dev, results, docs })
    }
}

fn action(words: &[String]) -> Result<Action> {
    let (action, parts) = words.split_first().context("no command")?;
    let parse = |name: &String| Part::parse(name).with_context(|| format!("unknown part {name}"));
    let parts: Vec<Part> = parts.iter().map(parse).collect::<Result<_>>()?;
    match (action.as_str(), parts.is_empty()) {
        ("run", true) => Ok(Action::Run(Part::ALL.into())),
        ("run", false) => Ok(Action::Run(parts)),
        ("report", true) => Ok(Action::Report),
        (other, _) => bail!("unknown command {other}"),
    }
}

fn names(list: &str) -> Result<Vec<String>> {
    let known = |name: &str| {
        name == contender::NODE_CLIENT
            || AGENTS.iter().any(|(key, _)| *key == name)
            || contender::ALL.iter().any(|(key, _)| *key == name)
    };
    list.split(',').map(|name| if known(name) { Ok(name.to_owned()) } else { bail!("unknown server {name}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Command> {
        Command::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn parts_and_servers_are_named_and_flags_come_anywhere() {
        let command = parse("run --only floor,ours memory --rounds 3 calls --quick").unwrap();
        assert_eq!(command.action, Action::Run(vec![Part::Memory, Part::Calls]));
        assert_eq!(command.only.unwrap(), ["floor", "ours"]);
        assert_eq!(command.plan.rounds, 3);
        assert_eq!(parse("run").unwrap().action, Action::Run(Part::ALL.into()));
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for line in ["", "walk", "run everything", "guard", "run --only flor", "run --fast", "run --rounds x", "run --only"]
        {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn the_usage_names_every_part_and_every_server() {
        for part in Part::ALL {
            assert!(USAGE.contains(part.name()), "{}", part.name());
        }
        for (key, _) in contender::ALL {
            assert!(USAGE.contains(key), "{key}");
        }
    }
}
