//! Credential plugins of a kubeconfig (`users[].user.exec`): a program that prints a credential.
//!
//! `kube` would run the program three times per connection, and it may ask for a password or a
//! fingerprint. Here it runs once, and again when its credential has expired or was rejected. A
//! printed certificate is used for the lifetime of the client.
//!
//! The standard output of a plugin is a secret and is never shown. Its standard error is shown,
//! shortened.

use std::io::IsTerminal as _;
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use jiff::Timestamp;
use kube::config::{AuthInfo, ExecConfig, ExecInteractiveMode};
use serde::Deserialize;
use serde_json::json;
use sluice_system::{Clock as _, SystemClock};
use tokio::sync::Mutex;

/// Maximum length of the standard error in messages.
const MAX_STDERR_CHARS: usize = 512;

/// Why a credential plugin failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("the user's exec section names no command")]
    NoCommand,
    #[error("the credential plugin {command:?} needs a terminal (interactiveMode: Always)")]
    NoTerminal { command: String },
    #[error("start the credential plugin {command:?}: {reason}{hint}")]
    Start {
        command: String,
        reason: String,
        /// The install hint of the kubeconfig.
        hint: String,
    },
    #[error("the credential plugin failed ({status}){stderr_message}")]
    Failed {
        status: String,
        stderr_message: String,
    },
    #[error("the credential plugin printed something other than an ExecCredential")]
    Answer,
    #[error(
        "the credential plugin printed a credential of {found:?} where {wanted:?} was asked for"
    )]
    Version { found: String, wanted: String },
    #[error("the credential plugin printed neither a token nor a certificate with its key")]
    Empty,
    #[error("the credential plugin printed a token that no header can carry")]
    Token,
    #[error("the credential plugin was interrupted")]
    Interrupted,
}

/// A credential plugin and its last credential.
pub(crate) struct Plugin {
    exec: ExecConfig,
    cached: Mutex<CachedHeader>,
}

/// The `Authorization` header of a credential.
struct CachedHeader {
    authorization: Option<HeaderValue>,
    /// The number of the credential.
    number: u64,
    expires: Option<Timestamp>,
    is_rejected: bool,
}

impl CachedHeader {
    fn is_usable(&self) -> bool {
        // A certificate has no header, and a new one would not be used.
        self.authorization.is_none()
            || !self.is_rejected && self.expires.is_none_or(|end| SystemClock.now() < end)
    }
}

impl Plugin {
    /// Takes the plugin out of the credentials of a user and runs it. A printed certificate
    /// replaces it.
    pub(crate) fn take(user: &mut AuthInfo) -> Result<Option<Self>, Failure> {
        let is_known = user.username.is_some() && user.password.is_some()
            || user.token.is_some()
            || user.token_file.is_some();
        if is_known {
            return Ok(None);
        }
        let Some(exec) = user.exec.take() else {
            return Ok(None);
        };
        let credential = run(&exec)?;
        if let Some((certificate, key)) = credential.certificate {
            user.client_certificate = None;
            user.client_key = None;
            user.client_certificate_data = Some(STANDARD.encode(certificate));
            user.client_key_data = Some(STANDARD.encode(key).into());
        }
        Ok(Some(Self {
            exec,
            cached: Mutex::new(credential.cached),
        }))
    }

    /// The `Authorization` header for the next request, if the plugin prints tokens. A retry passes
    /// the number of its rejected credential: a later credential is tried before the plugin runs
    /// again.
    pub(crate) async fn authorization(
        &self,
        rejected: Option<u64>,
    ) -> Result<Option<Authorization>, Failure> {
        let mut cached = self.cached.lock().await;
        let is_later = rejected.is_some_and(|rejected| cached.number > rejected);
        if !is_later && !cached.is_usable() {
            let exec = self.exec.clone();
            let credential = tokio::task::spawn_blocking(move || run(&exec))
                .await
                .map_err(|_| Failure::Interrupted)??;
            let number = cached.number + 1;
            *cached = credential.cached;
            cached.number = number;
        }
        let number = cached.number;
        let value = cached.authorization.clone();
        Ok(value.map(|value| Authorization { value, number }))
    }

    /// Records that the server rejected this credential; the next request runs the plugin again.
    pub(crate) async fn reject(&self, number: u64) {
        let mut cached = self.cached.lock().await;
        // The rejection of an old token must not discard a newer one.
        if cached.number == number {
            cached.is_rejected = true;
        }
    }
}

/// The `Authorization` header of a request.
pub(crate) struct Authorization {
    pub(crate) value: HeaderValue,
    /// The number of the credential.
    pub(crate) number: u64,
}

/// One credential of a plugin.
struct Credential {
    cached: CachedHeader,
    /// The certificate's chain and its key, as PEM.
    certificate: Option<(String, String)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExecCredential {
    api_version: String,
    status: Option<Status>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    expiration_timestamp: Option<Timestamp>,
    token: Option<String>,
    client_certificate_data: Option<String>,
    client_key_data: Option<String>,
}

fn run(exec: &ExecConfig) -> Result<Credential, Failure> {
    let program = exec.command.clone().ok_or(Failure::NoCommand)?;
    let has_terminal = std::io::stdin().is_terminal();
    let is_interactive = match exec.interactive_mode {
        Some(ExecInteractiveMode::Never) => false,
        Some(ExecInteractiveMode::Always) if !has_terminal => {
            return Err(Failure::NoTerminal { command: program });
        }
        _ => has_terminal,
    };
    let output = command(exec, &program, is_interactive)
        .output()
        .map_err(|error| Failure::Start {
            reason: error.to_string(),
            hint: exec
                .install_hint
                .as_deref()
                .map(|hint| format!("; {}", hint.trim()))
                .unwrap_or_default(),
            command: program,
        })?;
    if !output.status.success() {
        return Err(Failure::Failed {
            status: output.status.to_string(),
            stderr_message: stderr_message(&output.stderr),
        });
    }
    read(exec.api_version.as_deref(), &output.stdout)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a user's kubeconfig names this program, as for kubectl"
)]
fn command(exec: &ExecConfig, program: &str, is_interactive: bool) -> Command {
    let mut command = Command::new(program);
    command.args(exec.args.iter().flatten());
    for variable in exec.env.iter().flatten() {
        if let (Some(name), Some(value)) = (variable.get("name"), variable.get("value")) {
            command.env(name, value);
        }
    }
    for name in exec.drop_env.iter().flatten() {
        command.env_remove(name);
    }
    let mut spec = json!({ "interactive": is_interactive });
    if exec.provide_cluster_info {
        spec["cluster"] = json!(exec.cluster);
    }
    let request = json!({ "apiVersion": exec.api_version, "kind": "ExecCredential", "spec": spec });
    command.env("KUBERNETES_EXEC_INFO", request.to_string());
    // The person at the terminal must see the question of the plugin.
    let (input, stderr) = if is_interactive {
        (Stdio::inherit(), Stdio::inherit())
    } else {
        (Stdio::null(), Stdio::piped())
    };
    command.stdin(input).stderr(stderr);
    command
}

fn stderr_message(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let text = text.trim();
    if text.is_empty() {
        return String::new();
    }
    let end = text.floor_char_boundary(MAX_STDERR_CHARS);
    format!(": {}", text.get(..end).unwrap_or_default())
}

/// Parses the output of a plugin: JSON, or YAML as in client-go.
fn read(wanted: Option<&str>, output: &[u8]) -> Result<Credential, Failure> {
    let value = sluice_yaml::v2::from_slice(output).map_err(|_| Failure::Answer)?;
    let answer: ExecCredential = serde_json::from_value(value).map_err(|_| Failure::Answer)?;
    if let Some(wanted) = wanted
        && answer.api_version != wanted
    {
        return Err(Failure::Version {
            found: answer.api_version,
            wanted: wanted.to_owned(),
        });
    }
    let status = answer.status.ok_or(Failure::Empty)?;
    let certificate = status.client_certificate_data.zip(status.client_key_data);
    let token = status.token.filter(|token| !token.is_empty());
    if certificate.is_none() && token.is_none() {
        return Err(Failure::Empty);
    }
    let authorization = token
        .map(|token| HeaderValue::try_from(format!("Bearer {token}")))
        .transpose()
        .map_err(|_| Failure::Token)?
        .map(|mut value| {
            value.set_sensitive(true);
            value
        });
    Ok(Credential {
        cached: CachedHeader {
            authorization,
            number: 0,
            expires: status.expiration_timestamp,
            is_rejected: false,
        },
        certificate,
    })
}
