//! Starts Redis, nginx and instances of the server. The processes are killed at the end of the test.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use interop::Debian;
use mcp_redis::Redis;
use tempfile::TempDir;
use test_env::needs;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};

/// Generous, because CI machines are slow under load.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(120);

/// The key with which all instances seal state.
const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// A folder for sockets and files, Redis, and other processes.
pub(crate) struct Services {
    debian: Debian,
    /// `None` while it is dead. Declared before the folder, so that the processes are killed before their files are deleted.
    redis: Option<Child>,
    children: Vec<Child>,
    folder: TempDir,
}

/// One instance of the server.
pub(crate) struct Instance {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Services {
    /// Starts Redis. If Debian's packages cannot be installed, the check is reported as skipped.
    pub(crate) async fn start() -> Option<Services> {
        let debian = tokio::task::spawn_blocking(Debian::services).await.unwrap();
        let debian = needs(debian)?;
        let folder = tempfile::Builder::new().prefix("scale-out").tempdir().unwrap();
        let mut services = Services { debian, redis: None, children: Vec::new(), folder };
        services.start_redis().await;
        Some(services)
    }

    /// Starts Redis, without any data.
    pub(crate) async fn start_redis(&mut self) {
        let mut redis = self.debian.redis_server();
        redis.args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"]).arg(self.redis_socket());
        redis.arg("--dir").arg(self.folder.path());
        self.redis = Some(spawn(redis));
        connected(&self.redis_socket()).await;
    }

    pub(crate) fn redis_address(&self) -> String {
        format!("unix://{}", self.redis_socket().display())
    }

    pub(crate) async fn redis(&self) -> Redis {
        Redis::connect(&self.redis_address()).await.unwrap()
    }

    /// Kills Redis.
    pub(crate) async fn end_redis(&mut self) {
        self.redis.take().expect("Redis runs").kill().await.unwrap();
    }

    /// Sends a signal to Redis, such as `STOP`.
    pub(crate) async fn signal_redis(&self, name: &str) {
        let id = self.redis.as_ref().and_then(Child::id).expect("Redis runs");
        let sent = Command::new("kill").args(["-s", name, &id.to_string()]).status().await.unwrap();
        assert!(sent.success());
    }

    /// Deletes everything in Redis.
    pub(crate) async fn empty_redis(&self) {
        let client = redis::Client::open(self.redis_address()).unwrap();
        let mut connection = client.get_multiplexed_async_connection().await.unwrap();
        redis::cmd("FLUSHALL").query_async::<()>(&mut connection).await.unwrap();
    }

    pub(crate) async fn instance(&self) -> Instance {
        let mut command = Command::new(env!("CARGO_BIN_EXE_instance"));
        command
            .env_clear()
            .args([&self.redis_address(), KEY])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = timeout(TIMEOUT, output.next_line()).await.unwrap().unwrap().expect("the instance prints its address");
        Instance { process, address: address.parse().unwrap() }
    }

    /// Starts nginx in front of the instances. Returns the socket to connect to.
    pub(crate) async fn nginx(&mut self, instances: &[Instance]) -> PathBuf {
        let (folder, socket) = (self.folder.path().display().to_string(), self.folder.path().join("nginx.sock"));
        let servers: Vec<String> =
            instances.iter().map(|instance| format!("server {} max_fails=0;", instance.address)).collect();
        let config = include_str!("nginx.conf").replace("FOLDER", &folder).replace("SERVERS", &servers.join(" "));
        let file = self.folder.path().join("nginx.conf");
        fs::write(&file, config).unwrap();
        let mut nginx = self.debian.nginx();
        nginx.arg("-p").arg(self.folder.path()).arg("-c").arg(file).args(["-e", "stderr"]);
        self.children.push(spawn(nginx));
        connected(&socket).await;
        socket
    }

    fn redis_socket(&self) -> PathBuf {
        self.folder.path().join("redis.sock")
    }
}

fn spawn(command: std::process::Command) -> Child {
    let mut command = Command::from(command);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit()).kill_on_drop(true);
    command.spawn().unwrap()
}

impl Instance {
    pub(crate) fn pid(&self) -> u32 {
        self.process.id().unwrap()
    }

    /// Kills the instance without a shutdown.
    pub(crate) async fn kill(&mut self) {
        self.process.kill().await.unwrap();
    }
}

/// Waits until a service listens on the socket. The services do not report that they are ready.
async fn connected(socket: &Path) {
    let deadline = Instant::now() + TIMEOUT;
    while UnixStream::connect(socket).await.is_err() {
        assert!(Instant::now() < deadline, "no service listens at {}", socket.display());
        sleep(Duration::from_millis(10)).await;
    }
}
