//! The code of `docs/agent-transports.md`.

use std::time::Duration;

use mcp_agent::{Agent, ShutdownTimeouts};

fn configured() -> Agent {
    Agent::new()
        .program("/opt/claude/claude")
        .cwd("/code")
        .env_clear()
        .env("HOME", "/home/agent")
        .env("PATH", "/usr/bin:/bin")
        .env("ANTHROPIC_API_KEY", std::env::var("ANTHROPIC_API_KEY").unwrap_or_default())
        .stderr(|line| eprintln!("claude: {line}"))
        .initialize_timeout(Duration::from_secs(30))
        .shutdown_timeouts(ShutdownTimeouts::new(Duration::from_secs(5), Duration::from_secs(2)))
}

fn with_low_priority() -> Agent {
    Agent::new().launch(|launch| Ok(launch.through("nice", ["-n", "10"]).into_command()))
}

use std::process::Command;

fn in_a_container() -> Agent {
    Agent::new().program("claude").cwd("/code").launch(|launch| {
        let mut docker = Command::new("docker");
        docker.args(["run", "--rm", "--interactive", "--volume=/code:/code", "--workdir=/code"]);
        // The arguments name private files, for instance with the settings.
        for file in &launch.files {
            docker.arg(format!("--volume={0}:{0}:ro", file.display()));
        }
        for (name, value) in &launch.env {
            if let Some(value) = value {
                // Without a value in the arguments: docker takes it from its own environment.
                docker.env(name, value).arg("--env").arg(name);
            }
        }
        docker.arg("my-image-with-claude").arg(&launch.program).args(&launch.args);
        Ok(docker)
    })
}

fn without_privileges() -> Agent {
    Agent::new().user("agent").env("HOME", "/home/agent").cwd("/home/agent/code")
}

use mcp_agent::{Claim, Error, PermissionMode, Session, Spare};

async fn start_early(agent: Agent) -> Result<Spare, Error> {
    agent.allow_tools(["Read"]).prewarm().await
}

async fn serve(spare: Spare, agent: Agent, folder: &str) -> Result<Session, Error> {
    let claim = Claim::new(folder).model("haiku").permission_mode(PermissionMode::Plan);
    match spare.claim(claim).await {
        Ok((session, _)) => Ok(session),
        // For instance `cwd_not_found`, or a directory whose settings must be known at the start. The spare has exited.
        Err(Error::Refused { code, .. }) => {
            eprintln!("the claim was rejected: {code:?}");
            agent.cwd(folder).model("haiku").permission_mode(PermissionMode::Plan).open().await
        }
        Err(error) => Err(error),
    }
}

use std::io;
use std::path::PathBuf;

use mcp_agent::{Connection, Ending, Input, Invocation, Output, Peer, Pending, StartError, Transport};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

#[derive(Debug)]
struct Socket(PathBuf);

impl Transport for Socket {
    fn connect(&self, _: Invocation) -> Pending<'_, Result<Connection, StartError>> {
        Box::pin(async {
            let stream = UnixStream::connect(&self.0).await.map_err(|error| StartError::Transport(error.into()))?;
            let (output, input) = stream.into_split();
            Ok(Connection {
                input: Box::new(ToCli(input)),
                output: Box::new(FromCli { lines: BufReader::new(output), line: Vec::new() }),
                peer: Box::new(Remote),
            })
        })
    }
}

struct ToCli(OwnedWriteHalf);

impl Input for ToCli {
    fn send<'a>(&'a mut self, line: &'a [u8]) -> Pending<'a, io::Result<()>> {
        Box::pin(async move {
            self.0.write_all(line).await?;
            self.0.write_all(b"\n").await
        })
    }

    fn close(&mut self) -> Pending<'_, io::Result<()>> {
        Box::pin(self.0.shutdown())
    }
}

struct FromCli {
    lines: BufReader<OwnedReadHalf>,
    // Kept here, so that a future that is dropped loses nothing.
    line: Vec<u8>,
}

impl Output for FromCli {
    fn receive(&mut self) -> Pending<'_, io::Result<Option<Vec<u8>>>> {
        Box::pin(async {
            self.lines.read_until(b'\n', &mut self.line).await?;
            let mut line = std::mem::take(&mut self.line);
            if line.is_empty() {
                return Ok(None);
            }
            if line.ends_with(b"\n") {
                line.pop();
            }
            Ok(Some(line))
        })
    }
}

struct Remote;

impl Peer for Remote {
    fn end(self: Box<Self>, _: ShutdownTimeouts) -> Pending<'static, Ending> {
        // Closing the connection has ended it already. Its exit status is not known.
        Box::pin(async { Ending::default() })
    }
}

fn over_a_socket() -> Agent {
    Agent::new().transport(Socket("/run/claude.sock".into()))
}

use mcp_agent::{Decision, Handle};

async fn take_over() -> Result<Session, Error> {
    let agent = Agent::new().transport(Socket("/run/claude.sock".into())).join();
    agent.permission(|_| async { Decision::deny("nobody is watching") }).open().await
}

async fn after_a_gap(handle: &Handle) -> Result<(), Error> {
    let welcome = handle.reinitialize().await?;
    println!("the session is {}", welcome.session_state.as_deref().unwrap_or("in an unknown state"));
    Ok(())
}
