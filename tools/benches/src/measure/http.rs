//! Measures a call over HTTP with wrk.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use super::plan::Plan;
use super::rotated;
use crate::contender::{FLOOR, OURS, RMCP};
use crate::folders::{Folders, finish};
use crate::metric::Metric;
use crate::progress::say;
use crate::record::Record;

/// How many connections call at the same time.
const CONNECTIONS: usize = 32;

/// The names of the servers in `http-bench`.
const SERVERS: [(&str, &str); 3] = [(FLOOR, "floor"), (OURS, "ours"), (RMCP, "rmcp")];

/// Runs wrk against each server in turn.
pub(crate) fn http(folders: &Folders, plan: &Plan) -> Result<Vec<Record>> {
    say(format_args!("http: building"));
    let (folder, program) = (folder(folders), program(folders)?);
    let mut records = Vec::new();
    for round in 0..plan.rounds {
        say(format_args!("http: round {} of {}", round + 1, plan.rounds));
        for place in rotated(SERVERS.len(), round) {
            let (key, name) = SERVERS[place];
            let server = Listening::start(&program, name)?;
            let metrics = call(&server.url, &folder.join("call.lua"), plan.http_seconds)?;
            records.push(Record { server: key.to_owned(), round, metrics, ..Record::default() });
        }
    }
    Ok(records)
}

fn folder(folders: &Folders) -> PathBuf {
    folders.root.join("tools/benches/http")
}

/// Builds the servers.
pub(super) fn program(folders: &Folders) -> Result<PathBuf> {
    Ok(folders.build_alone(&folder(folders), "http", &[])?.join("http-bench"))
}

/// Has wrk call a server, and reads what `call.lua` prints: requests a second, the 99th percentile in µs, failures.
fn call(url: &str, script: &Path, seconds: usize) -> Result<BTreeMap<Metric, f64>> {
    let mut wrk = Command::new("wrk");
    wrk.args(["--threads", "1", "--connections", &CONNECTIONS.to_string(), "--duration", &format!("{seconds}s")]);
    wrk.arg("--script").arg(script).arg(url);
    let output = finish(wrk).context("calls over HTTP are made by wrk (Debian: apt-get install wrk)")?;
    let line = output.lines().find_map(|line| line.strip_prefix("RESULT ")).context("wrk printed no result")?;
    let figures: Vec<f64> = line.split(' ').map(str::parse).collect::<Result<_, _>>().context("wrk printed no numbers")?;
    let [rate, slow, failed] = figures[..] else { bail!("wrk printed {line}") };
    if failed > 0.0 || rate <= 0.0 {
        bail!("{url}: {failed} of the requests failed");
    }
    Ok(BTreeMap::from([(Metric::Request, 1e9 / rate), (Metric::RequestP99, slow * 1e3)]))
}

/// A server that prints its address. Dropping the value stops it.
pub(super) struct Listening {
    child: Child,
    pub(super) url: String,
}

impl Listening {
    pub(super) fn start(program: &Path, name: &str) -> Result<Listening> {
        let mut child =
            Command::new(program).arg(name).stdout(Stdio::piped()).spawn().context("http-bench does not start")?;
        let output = child.stdout.take().context("its output is piped")?;
        let mut server = Listening { child, url: String::new() };
        BufReader::new(output).read_line(&mut server.url)?;
        server.url.truncate(server.url.trim_end().len());
        Ok(server)
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // Fails if the server has already exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
