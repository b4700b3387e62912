//! Measures programs with an agent: this project beside the official SDKs, with a CLI that measures them and with the real CLI.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::contender::OURS;
use crate::folders::{Folders, finish};
use crate::measure::{AgentPlan, Plan, rotated};
use crate::metric::Metric;
use crate::peers;
use crate::progress::say;
use crate::record::Record;

pub(crate) const TYPESCRIPT: &str = "typescript-agent";
pub(crate) const PYTHON: &str = "python-agent";

/// All programs in the order of the table, with their titles.
pub(crate) const AGENTS: [(&str, &str); 3] =
    [(OURS, "this project"), (TYPESCRIPT, "TypeScript SDK 0.3.327"), (PYTHON, "Python SDK 0.2.184")];

/// Marks the records with the real CLI. The records with the measuring CLI have the number of sessions.
pub(crate) const REAL: u64 = 0;

/// A program that is measured.
struct Host {
    key: &'static str,
    command: Vec<OsString>,
}

/// Measures the programs with these names, or all. A program that cannot be installed is left out with a message.
pub(crate) fn agents(folders: &Folders, plan: &Plan, only: Option<&[String]>) -> Result<Vec<Record>> {
    let built = folders.build()?;
    let hosts = installed(folders, only)?;
    let offline = Offline::start(&built);
    if let Err(error) = &offline {
        say(format_args!("LEFT OUT: agents with the real CLI: {error:#}"));
    }
    let mut records = Vec::new();
    for round in 0..plan.agents.rounds {
        say(format_args!("agents: round {} of {}", round + 1, plan.agents.rounds));
        for place in rotated(hosts.len(), round) {
            let host = &hosts[place];
            let mut keep = |at: u64, measured| records.push(record(host, round, at, measured));
            keep(1, measured(host, Load { numbers: plan.agents.one, sessions: 1, turns: 1 }, &built));
            keep(plan.agents.sessions, many(host, &plan.agents, &built));
            if let Ok(offline) = &offline {
                keep(REAL, offline.measure(host));
            }
        }
    }
    Ok(records)
}

/// Measures sessions with more and more turns.
pub(crate) fn turns(folders: &Folders, plan: &Plan, only: Option<&[String]>) -> Result<Vec<Record>> {
    let built = folders.build()?;
    let hosts = installed(folders, only)?;
    let mut records = Vec::new();
    for round in 0..plan.agents.rounds {
        say(format_args!("turns: round {} of {}", round + 1, plan.agents.rounds));
        for place in rotated(hosts.len(), round) {
            let host = &hosts[place];
            // Without turns: what the start of the program and of the session takes.
            let start = measured(host, Load { numbers: [0; 6], sessions: 1, turns: 1 }, &built)?;
            for &turns in &plan.agents.turns {
                let measured = measured(host, Load { numbers: plan.agents.turn, sessions: 1, turns }, &built);
                let measured = measured.map(|metrics| {
                    let cpu = (metrics[&Metric::AgentCpu] - start[&Metric::AgentCpu]).max(0.0) / turns as f64;
                    BTreeMap::from([(Metric::TurnCpu, cpu), (Metric::AgentPeak, metrics[&Metric::AgentPeak])])
                });
                records.push(record(host, round, turns, measured));
            }
        }
    }
    Ok(records)
}

fn record(host: &Host, round: usize, at: u64, measured: Result<BTreeMap<Metric, f64>>) -> Record {
    let mut record = Record { server: host.key.to_owned(), round, at, ..Record::default() };
    match measured {
        Ok(metrics) => record.metrics = metrics,
        Err(error) => record.error = Some(format!("{error:#}")),
    }
    record
}

/// Measures many sessions at once, and what each costs beyond one session that does the same.
fn many(host: &Host, plan: &AgentPlan, built: &Path) -> Result<BTreeMap<Metric, f64>> {
    let load = |sessions| Load { numbers: plan.many, sessions, turns: 1 };
    let one = measured(host, load(1), built)?;
    let mut many = measured(host, load(plan.sessions), built)?;
    let further = (many[&Metric::AgentPeak] - one[&Metric::AgentPeak]) / (plan.sessions - 1) as f64;
    many.insert(Metric::AgentFurther, further);
    Ok(many)
}

fn installed(folders: &Folders, only: Option<&[String]>) -> Result<Vec<Host>> {
    let built = folders.build()?;
    let mut found = Vec::new();
    for (key, title) in AGENTS {
        if only.is_some_and(|only| !only.iter().any(|name| name == key)) {
            continue;
        }
        let command =
            if key == OURS { Ok(vec![built.join("examples/agent_host").into()]) } else { peers::agent(folders, key) };
        match command {
            Ok(command) => found.push(Host { key, command }),
            Err(error) => say(format_args!("LEFT OUT: {title}: {error:#}")),
        }
    }
    Ok(found)
}

/// What a program prints about itself.
#[derive(Deserialize)]
struct Costs {
    cpu_us: f64,
    peak_kib: f64,
    events: f64,
    events_s: f64,
    took_us: f64,
}

/// What a program does in a measurement.
#[derive(Clone, Copy)]
struct Load {
    /// What the CLI sends in each turn: see `src/bin/measuring_cli.rs`.
    numbers: [usize; 6],
    sessions: u64,
    /// The turns of each session.
    turns: u64,
}

/// Runs a program with the CLI that measures it.
fn measured(host: &Host, Load { numbers, sessions, turns }: Load, built: &Path) -> Result<BTreeMap<Metric, f64>> {
    let folder = tempfile::tempdir()?;
    let mut command = command(host, &built.join("measuring_cli"), sessions);
    command.envs([("HOME", folder.path()), ("BENCH_RESULTS", folder.path())]);
    command.env("BENCH_PLAN", numbers.map(|number| number.to_string()).join(" ")).env("BENCH_PROMPT", "measure");
    command.env("BENCH_TURNS", turns.to_string());
    let costs: Costs = serde_json::from_str(&finish(command)?)?;
    let prompts = sessions * turns;
    let times = Times::read(folder.path(), prompts)?;
    let [calls, .., events] = numbers.map(|number| number * prompts as usize);
    anyhow::ensure!(costs.events as usize == events, "{} events instead of {events}", costs.events);
    anyhow::ensure!(times.calls.len() == calls, "{} calls instead of {calls}", times.calls.len());
    let mut metrics = BTreeMap::from([
        (Metric::AgentCpu, costs.cpu_us * 1e3),
        (Metric::AgentPeak, costs.peak_kib * 1024.0),
        (Metric::AgentTime, costs.took_us * 1e3),
    ]);
    if costs.events > 0.0 {
        metrics.insert(Metric::AgentEvent, costs.events_s * 1e9 / costs.events);
    }
    metrics.extend(
        [
            (Metric::AgentCallP50, &times.calls, 0.5),
            (Metric::AgentCallP99, &times.calls, 0.99),
            (Metric::AgentCallMax, &times.calls, 1.0),
            (Metric::AgentParallel, &times.parallel, 0.5),
            (Metric::AgentLarge, &times.large, 0.5),
            (Metric::AgentHook, &times.hooks, 0.5),
            (Metric::AgentPermission, &times.permissions, 0.5),
        ]
        .into_iter()
        .filter_map(|(metric, times, share)| Some((metric, at(times, share)?))),
    );
    Ok(metrics)
}

/// The program with its arguments, in an environment without variables of the user.
fn command(host: &Host, cli: &Path, sessions: u64) -> Command {
    let mut command = Command::new(&host.command[0]);
    command.args(&host.command[1..]).arg(cli).arg(sessions.to_string()).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("CLAUDE_CODE_STREAM_CLOSE_TIMEOUT", "600000");
    command
}

/// The times that the CLIs of all sessions have written for all prompts, in ascending order.
#[derive(Default, Deserialize)]
struct Times {
    calls: Vec<u64>,
    parallel: Vec<u64>,
    large: Vec<u64>,
    hooks: Vec<u64>,
    permissions: Vec<u64>,
}

impl Times {
    fn read(folder: &Path, prompts: u64) -> Result<Times> {
        let mut all = Times::default();
        let mut found = 0;
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let read: Times = serde_json::from_slice(&fs::read(&path)?).with_context(|| path.display().to_string())?;
            found += 1;
            for (all, read) in
                all.lists().into_iter().zip([read.calls, read.parallel, read.large, read.hooks, read.permissions])
            {
                all.extend(read);
            }
        }
        anyhow::ensure!(found == prompts, "{found} prompts have got all their answers, of {prompts}");
        for list in all.lists() {
            list.sort_unstable();
        }
        Ok(all)
    }

    fn lists(&mut self) -> [&mut Vec<u64>; 5] {
        [&mut self.calls, &mut self.parallel, &mut self.large, &mut self.hooks, &mut self.permissions]
    }
}

/// The value below which this share of the sorted times is.
fn at(times: &[u64], share: f64) -> Option<f64> {
    let place = (times.len() as f64 * share).ceil() as usize;
    times.get(place.max(1) - 1).map(|time| *time as f64)
}

/// The real CLI with a scripted model.
struct Offline {
    cli: PathBuf,
    env: BTreeMap<String, String>,
    folder: PathBuf,
    prompt: String,
    child: Child,
}

impl Offline {
    fn start(built: &Path) -> Result<Offline> {
        #[derive(Deserialize)]
        struct Printed {
            cli: PathBuf,
            env: BTreeMap<String, String>,
            folder: PathBuf,
            prompt: String,
        }
        let mut command = Command::new(built.join("examples/agent_offline"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("its output is a pipe")?).read_line(&mut line)?;
        let Printed { cli, env, folder, prompt } = serde_json::from_str(&line).context("the real CLI is not available")?;
        Ok(Offline { cli, env, folder, prompt, child })
    }

    /// Runs a session with one prompt, in which the model calls the mounted tool once.
    fn measure(&self, host: &Host) -> Result<BTreeMap<Metric, f64>> {
        let mut command = command(host, &self.cli, 1);
        command
            .envs(&self.env)
            .env("BENCH_PROMPT", &self.prompt)
            .env("ENABLE_TOOL_SEARCH", "false")
            .current_dir(&self.folder);
        let costs: Costs = serde_json::from_str(&finish(command)?)?;
        Ok(BTreeMap::from([
            (Metric::AgentCpu, costs.cpu_us * 1e3),
            (Metric::AgentPeak, costs.peak_kib * 1024.0),
            (Metric::AgentTime, costs.took_us * 1e3),
        ]))
    }
}

impl Drop for Offline {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        // The end of its input ends it.
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::at;

    #[test]
    fn a_share_of_the_times_is_the_time_at_its_place() {
        let times: Vec<u64> = (1..=100).collect();
        assert_eq!([0.5, 0.99, 1.0].map(|share| at(&times, share)), [Some(50.0), Some(99.0), Some(100.0)]);
        assert_eq!((at(&[7], 0.5), at(&[], 0.5)), (Some(7.0), None));
    }
}
