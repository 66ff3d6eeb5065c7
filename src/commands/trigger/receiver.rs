//! Implements `trigger receiver`: calls the webhook of a Receiver, and retries until it is
//! accepted.
//!
//! The command needs no cluster, because the webhook's path follows from the Receiver's token, name
//! and namespace. [`Call::new`] builds the request, and [`deliver`] decides on retries.
//!
//! Parity: flux2: `cmd/flux/trigger_receiver.go`; pkg: `auth/actionsoidc`.

mod identity;

use std::time::Duration;

use aws_lc_rs::hmac;
use sluice_api::notification::webhook;
use sluice_dial::{Client, Dial, HttpClients, explain};
use sluice_golang::duration::GoDuration;
use sluice_system::fs;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::output::Progress;
use crate::{CommandResult, Exit, flags};
use sluice_golang::error::chain;
use sluice_golang::non_empty;

/// Maximum bytes of a response that are printed.
const SHOWN: usize = 4096;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Name of the Receiver
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Audience of the OIDC token [default: notification-controller]
    #[arg(long, value_name = "AUDIENCE")]
    oidc_audience: Option<String>,
    /// CI provider that issues the OIDC token, for generic-oidc
    #[arg(long, value_name = "PROVIDER", value_parser = ["github", "forgejo"])]
    oidc_provider: Option<String>,
    #[arg(
        long,
        value_name = "TOKEN",
        help = "OIDC token [default: $FLUX_TRIGGER_RECEIVER_OIDC_TOKEN]"
    )]
    oidc_token: Option<String>,
    /// JSON payload, or @FILE to read it from a file
    #[arg(long, default_value = "{}", value_name = "JSON")]
    payload: String,
    /// Number of retries
    #[arg(
        long,
        default_value_t = 10,
        value_parser = flags::integer,
        value_name = "N"
    )]
    retries: i64,
    /// Interval between attempts
    #[arg(long, default_value = "10s", value_parser = flags::length_of_time, value_name = "DURATION")]
    retry_delay: Duration,
    /// Token of the Receiver, except for generic-oidc
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Type of the Receiver
    #[arg(long = "type", default_value = GENERIC, value_name = "TYPE", value_parser = [GENERIC, HMAC, OIDC])]
    kind: String,
    /// Base URL of the webhook receiver, without /hook/…
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

const GENERIC: &str = "generic";
const HMAC: &str = "generic-hmac";
const OIDC: &str = "generic-oidc";

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let [name] = args.name.as_slice() else {
        return Err(CommandError::argument_count(args.name.len()));
    };
    let url =
        non_empty(args.url.as_deref()).ok_or_else(|| CommandError::user("--url is required"))?;
    check(args)?;
    let payload = payload(&args.payload)?;
    let namespace = context.namespace();
    let limit = context.timeout();
    context.block_on(async {
        let clients = HttpClients::new(format!("flux/{}", sluice_manifests::FLUX_VERSION));
        let client = clients
            .get(&Dial::default())
            .map_err(|error| CommandError::user(chain(&error)))?;
        let work = async {
            let bearer = if args.kind == OIDC {
                Some(identity::token(args, &client).await?)
            } else {
                None
            };
            let call = Call::new(args, url, name, &namespace, payload, bearer);
            context
                .progress
                .action(format!("triggering Receiver {namespace}/{name}"));
            let send = || send(&client, &call);
            deliver(
                send,
                tokio::time::sleep,
                args.retries,
                args.retry_delay,
                context.progress,
            )
            .await
        };
        tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
            let limit = GoDuration::from_std(limit);
            Err(CommandError::cluster(format!(
                "the webhook did not take the request within {limit}"
            ))
            .hint("set a longer --timeout, or fewer --retries"))
        })
    })??;
    context
        .progress
        .success(format!("Receiver {namespace}/{name} triggered"));
    Ok(Exit::SUCCESS)
}

/// Rejects flags that contradict the Receiver's type or each other.
fn check(args: &Args) -> Result<(), CommandError> {
    let kind = &args.kind;
    let [provider, oidc_token, audience, token] = [
        &args.oidc_provider,
        &args.oidc_token,
        &args.oidc_audience,
        &args.token,
    ]
    .map(|value| non_empty(value.as_deref()).is_some());
    let refused = if kind != OIDC {
        if !token {
            Some(format!("--token is required for --type={kind}"))
        } else if provider || oidc_token || audience {
            Some(format!(
                "--oidc-provider, --oidc-token and --oidc-audience can only be set for --type={OIDC}"
            ))
        } else {
            None
        }
    } else if token {
        Some(format!(
            "--token must not be set for --type={OIDC}, the Receiver of this type has no secret"
        ))
    } else if provider && oidc_token {
        Some("--oidc-provider and --oidc-token are mutually exclusive".to_owned())
    } else if audience && !provider {
        Some("--oidc-audience can only be set together with --oidc-provider".to_owned())
    } else {
        None
    };
    refused.map_or(Ok(()), |why| Err(CommandError::user(why)))
}

fn payload(text: &str) -> Result<Vec<u8>, CommandError> {
    match text.strip_prefix('@') {
        Some(path) => fs::read(path).map_err(|error| {
            CommandError::user(format!("unable to read --payload: {}", chain(&error)))
        }),
        None => Ok(text.as_bytes().to_vec()),
    }
}

/// The request, identical for each attempt.
#[derive(PartialEq, Eq)]
struct Call {
    url: String,
    headers: Vec<(&'static str, String)>,
    payload: Vec<u8>,
}

impl Call {
    fn new(
        args: &Args,
        url: &str,
        name: &str,
        namespace: &str,
        payload: Vec<u8>,
        bearer: Option<String>,
    ) -> Self {
        let token = args.token.as_deref().unwrap_or_default();
        let mut headers = vec![("Content-Type", "application/json".to_owned())];
        if args.kind == HMAC {
            headers.push(("X-Signature", signature(token, &payload)));
        }
        if let Some(bearer) = bearer {
            headers.push(("Authorization", format!("Bearer {bearer}")));
        }
        Self {
            url: format!(
                "{}{}",
                url.trim_end_matches('/'),
                webhook::path(token.as_bytes(), name, namespace)
            ),
            headers,
            payload,
        }
    }
}

/// Returns the payload's HMAC under the token, as a Receiver of this type checks it.
fn signature(token: &str, payload: &[u8]) -> String {
    use std::fmt::Write as _;

    let key = hmac::Key::new(hmac::HMAC_SHA256, token.as_bytes());
    let mut text = String::from("sha256=");
    for byte in hmac::sign(&key, payload).as_ref() {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Result of one attempt.
#[derive(Debug)]
enum CallResult {
    Taken,
    /// A temporary failure.
    Again(String),
    /// A permanent failure.
    Refused(String),
    /// No request can be sent to this address.
    Invalid(String),
}

async fn send(client: &Client, call: &Call) -> CallResult {
    let url = display_address(&call.url);
    let request = client.post(&call.url).body(call.payload.clone());
    let request = call.headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, value)
    });
    let mut response = match request.send().await {
        Ok(response) => response,
        Err(error) if error.is_builder() => {
            return CallResult::Invalid(format!("unable to create request: {}", explain(&error)));
        }
        Err(error) => {
            return CallResult::Again(format!("request to {url} failed: {}", explain(&error)));
        }
    };
    let status = response.status();
    if status.is_success() {
        return CallResult::Taken;
    }
    let mut body = Vec::new();
    while body.len() < SHOWN
        && let Ok(Some(chunk)) = response.chunk().await
    {
        body.extend_from_slice(&chunk);
    }
    body.truncate(SHOWN);
    let mut why = format!("request to {url} failed with status {status}");
    let said = String::from_utf8_lossy(&body);
    if !said.trim().is_empty() {
        why = format!("{why}: {}", said.trim());
    }
    // A new Receiver or a starting controller has no webhook yet and returns 404.
    match status.as_u16() {
        404 | 408 | 429 | 500 | 502 | 503 | 504 => CallResult::Again(why),
        _ => CallResult::Refused(why),
    }
}

/// Returns an address without its password.
fn display_address(address: &str) -> String {
    match url::Url::parse(address) {
        Ok(mut parsed) if parsed.password().is_some() => {
            match parsed.set_password(Some("redacted")) {
                Ok(()) => parsed.into(),
                Err(()) => parsed.path().to_owned(),
            }
        }
        _ => address.to_owned(),
    }
}

/// Sends until success, a permanent failure or the last attempt, with waits in between.
async fn deliver<F: Future<Output = CallResult>, W: Future<Output = ()>>(
    send: impl Fn() -> F,
    wait: impl Fn(Duration) -> W,
    retries: i64,
    delay: Duration,
    progress: Progress,
) -> Result<(), CommandError> {
    let mut attempt = 0;
    loop {
        let why = match send().await {
            CallResult::Taken => return Ok(()),
            CallResult::Invalid(why) => {
                return Err(CommandError::user(why).hint("set --url to https://HOST"));
            }
            CallResult::Refused(why) => return Err(CommandError::cluster(why)),
            CallResult::Again(why) if attempt >= retries => {
                return Err(CommandError::cluster(why)
                    .hint("check --url, and that notification-controller is ready"));
            }
            CallResult::Again(why) => why,
        };
        attempt += 1;
        progress.wait(format!(
            "{why}; retrying in {} ({attempt}/{retries})",
            GoDuration::from_std(delay)
        ));
        wait(delay).await;
    }
}

#[cfg(test)]
mod tests;
