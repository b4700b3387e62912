//! The sandbox for commands, as the `sandbox` part of the settings.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::settings;
use crate::wire::words;

settings! {
    /// The sandbox for commands, for [`Agent::sandbox`](crate::Agent::sandbox).
    ///
    /// ```
    /// # use mcp_agent::settings::{SandboxNetwork, SandboxSettings};
    /// let network = SandboxNetwork::new().allowed_domains(["example.com".to_owned()]);
    /// SandboxSettings::new().enabled(true).network(network);
    /// ```
    pub struct SandboxSettings {
        /// Whether commands run in the sandbox.
        enabled: bool,
        /// Whether the CLI refuses to start if it cannot create a sandbox. [`Agent::sandbox`](crate::Agent::sandbox) sets it to
        /// true unless it is set.
        fail_if_unavailable: bool,
        /// Whether commands in the sandbox need no permission.
        auto_allow_bash_if_sandboxed: bool,
        /// Whether the model may ask to run a command outside of the sandbox.
        allow_unsandboxed_commands: bool,
        /// The access of commands to the network.
        network: SandboxNetwork,
        /// The access of commands to files.
        filesystem: SandboxFilesystem,
        /// The access of commands to credentials.
        credentials: SandboxCredentials,
        /// Violations that are not reported: paths by command.
        ignore_violations: BTreeMap<String, Vec<String>>,
        /// Whether a weaker sandbox is used inside of a container.
        enable_weaker_nested_sandbox: bool,
        /// Whether commands may create user namespaces.
        allow_nested_user_namespaces: bool,
        /// Whether the isolation from the network is weaker.
        enable_weaker_network_isolation: bool,
        /// Whether commands may send Apple events, which control other programs on macOS.
        allow_apple_events: bool,
        /// Commands that run outside of the sandbox.
        excluded_commands: Vec<String>,
        /// The program that searches files.
        ripgrep: SandboxRipgrep,
        /// The path of bubblewrap.
        bwrap_path: PathBuf,
        /// The path of socat.
        socat_path: PathBuf,
    }

    /// Access of commands in the sandbox to the network.
    pub struct SandboxNetwork {
        /// The allowed domains.
        allowed_domains: Vec<String>,
        /// The denied domains.
        denied_domains: Vec<String>,
        /// Whether domains that are not in `allowed_domains` are denied without asking the user.
        strict_allowlist: bool,
        /// Whether only the administrator's list of domains applies.
        allow_managed_domains_only: bool,
        /// The allowed Unix sockets.
        allow_unix_sockets: Vec<String>,
        /// Whether all Unix sockets are allowed.
        allow_all_unix_sockets: bool,
        /// Whether commands may listen on local ports.
        allow_local_binding: bool,
        /// The allowed Mach services of macOS.
        allow_mach_lookup: Vec<String>,
        /// The port of an HTTP proxy that is used in place of the CLI's own.
        http_proxy_port: u16,
        /// The port of a SOCKS proxy that is used in place of the CLI's own.
        socks_proxy_port: u16,
        /// The certificate authority that the proxy uses to decrypt the commands' TLS connections.
        tls_terminate: SandboxTls,
    }

    /// A certificate authority.
    pub struct SandboxTls {
        /// The path of the certificate.
        ca_cert_path: PathBuf,
        /// The path of the private key.
        ca_key_path: PathBuf,
    }

    /// Access of commands in the sandbox to files.
    pub struct SandboxFilesystem {
        /// Paths that may be written, besides the working directory.
        allow_write: Vec<PathBuf>,
        /// Paths that may not be written.
        deny_write: Vec<PathBuf>,
        /// Paths that may not be read.
        deny_read: Vec<PathBuf>,
        /// Paths that may be read although they are below one of `deny_read`.
        allow_read: Vec<PathBuf>,
        /// Whether only the administrator's list of readable paths applies.
        allow_managed_read_paths_only: bool,
        /// Whether the access to files is unrestricted.
        disabled: bool,
    }

    /// The program that searches files.
    pub struct SandboxRipgrep {
        /// The path or name of the program.
        command: String,
        /// The arguments of the program.
        args: Vec<String>,
    }

    /// Access of commands in the sandbox to credentials.
    pub struct SandboxCredentials {
        /// Files with credentials.
        files: Vec<SandboxCredential>,
        /// Environment variables with credentials.
        env_vars: Vec<SandboxCredential>,
        /// Whether credentials may be sent without encryption.
        allow_plaintext_inject: bool,
        /// Environment variables that together are credentials of AWS.
        aws_pairs: Vec<SandboxAwsPair>,
        /// What the proxy does with signatures of AWS.
        sigv4: SandboxSigv4,
    }

    /// A file or an environment variable with a credential.
    pub struct SandboxCredential {
        /// The path of the file.
        path: PathBuf,
        /// The name of the environment variable.
        name: String,
        /// How much of the credential commands see.
        mode: CredentialMode,
        /// A regular expression that finds the credential in the file or variable.
        extract: String,
        /// What happens if the expression finds nothing: `deny`, `error` or `warn`.
        on_extract_no_match: String,
        /// How the credential is decoded: `jwt`.
        decode: String,
        /// The claims of a decoded token that are masked.
        mask_claims: Vec<String>,
        /// Whether further occurrences in the file are masked.
        mask_duplicates: bool,
        /// The hosts to which the proxy sends the credential.
        inject_hosts: Vec<String>,
    }

    /// Variables that together are credentials of AWS.
    pub struct SandboxAwsPair {
        /// The environment variable with the id of the key.
        access_key_id_var: String,
        /// The environment variable with the key.
        secret_access_key_var: String,
        /// The environment variable with the session token.
        session_token_var: String,
    }

    /// What the proxy does with signatures of AWS: `deny` or `passthrough`.
    pub struct SandboxSigv4 {
        /// What to do with signatures of streams.
        streaming: String,
        /// What to do with signatures in URLs (presigned URLs).
        presigned: String,
        /// What to do with signatures of the type SigV4A.
        sigv4a: String,
    }
}

words! {
    /// What commands in the sandbox see of a credential.
    pub enum CredentialMode {
        /// Commands see nothing.
        Deny = "deny",
        /// Commands see a placeholder, which the proxy replaces by the credential.
        Mask = "mask",
    }
}
