//! Credential plugins of a kubeconfig (`users[].user.exec`): a program that prints who we are.
//!
//! The library behind us would run the program three times for one connection, and people are
//! asked for a password or a finger by it. Here it is run once, and again when what it said
//! has expired or was refused. A certificate that it prints is used for the life of the client.
//!
//! What a plugin prints on its standard output is a secret and appears nowhere; its complaints
//! on standard error do, shortened.

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

/// Longest part of what a credential plugin complains of.
const COMPLAINT: usize = 512;

/// What became of a credential plugin.
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
        /// How to install it, if the kubeconfig says.
        hint: String,
    },
    #[error("the credential plugin failed ({status}){complaint}")]
    Failed { status: String, complaint: String },
    #[error("the credential plugin printed something that is no ExecCredential")]
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

/// A program to ask, and what it said last.
pub(crate) struct Plugin {
    exec: ExecConfig,
    held: Mutex<Held>,
}

/// What is sent with each request, until when.
struct Held {
    authorization: Option<HeaderValue>,
    /// Which answer of the plugin this is: two may say the same.
    number: u64,
    expires: Option<Timestamp>,
    is_refused: bool,
}

impl Held {
    fn is_usable(&self) -> bool {
        // A certificate is not sent with a request: no new one would be used either.
        self.authorization.is_none()
            || !self.is_refused && self.expires.is_none_or(|end| SystemClock.now() < end)
    }
}

impl Plugin {
    /// Takes the plugin out of a user's credentials, if they come from one, and runs it. A
    /// certificate that it prints is put in its place.
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
            held: Mutex::new(credential.held),
        }))
    }

    /// The value of `Authorization` for the next request, if the plugin gives tokens. A request
    /// that is repeated says which answer was refused to it: a later one is tried, whatever became
    /// of that elsewhere, before the plugin is asked once more.
    pub(crate) async fn authorization(
        &self,
        refused: Option<u64>,
    ) -> Result<Option<Authorization>, Failure> {
        let mut held = self.held.lock().await;
        let is_later = refused.is_some_and(|refused| held.number > refused);
        if !is_later && !held.is_usable() {
            let exec = self.exec.clone();
            let credential = tokio::task::spawn_blocking(move || run(&exec))
                .await
                .map_err(|_| Failure::Interrupted)??;
            let number = held.number + 1;
            *held = credential.held;
            held.number = number;
        }
        let number = held.number;
        let value = held.authorization.clone();
        Ok(value.map(|value| Authorization { value, number }))
    }

    /// The server did not accept this answer: the next request asks the plugin again.
    pub(crate) async fn refuse(&self, number: u64) {
        let mut held = self.held.lock().await;
        // Of requests sent side by side, what is said to the old token must not discard the new.
        if held.number == number {
            held.is_refused = true;
        }
    }
}

/// What a request says of who sends it.
pub(crate) struct Authorization {
    pub(crate) value: HeaderValue,
    /// Which answer of the plugin that is.
    pub(crate) number: u64,
}

/// One answer of a plugin.
struct Credential {
    held: Held,
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
            complaint: complaint(&output.stderr),
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
    // A question that a person can answer has to be seen by them.
    let (input, complaints) = if is_interactive {
        (Stdio::inherit(), Stdio::inherit())
    } else {
        (Stdio::null(), Stdio::piped())
    };
    command.stdin(input).stderr(complaints);
    command
}

fn complaint(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let text = text.trim();
    if text.is_empty() {
        return String::new();
    }
    let end = text.floor_char_boundary(COMPLAINT);
    format!(": {}", text.get(..end).unwrap_or_default())
}

/// Reads what a plugin printed: JSON, or YAML as client-go reads it too.
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
        held: Held {
            authorization,
            number: 0,
            expires: status.expiration_timestamp,
            is_refused: false,
        },
        certificate,
    })
}
