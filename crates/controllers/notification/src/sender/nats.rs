//! Publishes one message to a NATS server.
//!
//! The protocol is text. The server sends `INFO`, and the client sends `CONNECT`, `PUB` and `PING`.
//! The server's `PONG` confirms the message. TLS starts after `INFO`, if the server or the address
//! asks for it. Parity: `nats.go`, without websockets.

mod key;
mod server;

use std::fmt::Write as _;

use serde_json::{Value, json};
use sluice_dial::{Tls, TlsError, start_tls};
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use tokio::net::TcpStream;

use self::key::UserKey;
use self::server::{Login, Server, servers};
use super::{SendError, TRANSIENT, permanent};
use crate::request::{NatsCredentials, NatsMessage};

/// Maximum line length of a server.
const MAX_LINE_BYTES: u64 = 64 * 1024;

/// A plain or encrypted connection.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// A connection to a server, before `CONNECT`.
struct Connection {
    stream: BufReader<Box<dyn Stream>>,
    info: Value,
    is_secure: bool,
}

/// Publishes a message and waits for the server's confirmation.
pub(super) async fn publish(message: &NatsMessage, tls: &Tls) -> Result<(), SendError> {
    let mut last = permanent("the NATS address names no server");
    for server in servers(&message.server)? {
        match connect(&server, tls).await {
            Ok(connection) => return send(connection, &server, message).await,
            // The next server may be up.
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Connects to a server, and encrypts the connection if one side asks for it.
async fn connect(server: &Server, tls: &Tls) -> Result<Connection, SendError> {
    let stream = TcpStream::connect((server.host.as_str(), server.port)).await;
    let mut stream = BufReader::new(stream.map_err(|error| broken(&error))?);
    let greeting = read_line(&mut stream).await?;
    let info: Value = greeting
        .strip_prefix("INFO ")
        .and_then(|info| serde_json::from_str(info).ok())
        .ok_or_else(|| permanent("the server is not a NATS server"))?;
    let is_required = info["tls_required"] == true;
    if server.is_secure && !is_required && info["tls_available"] != true {
        return Err(permanent("nats: secure connection not available"));
    }
    let is_secure = server.is_secure || is_required;
    let plain = stream.into_inner();
    let stream: Box<dyn Stream> = if is_secure {
        let secure = start_tls(tls, &server.host, plain).await;
        Box::new(secure.map_err(|error| match error {
            TlsError::Settings(_) => permanent(error.to_string()),
            TlsError::Handshake { .. } => SendError {
                message: error.to_string(),
                failure: TRANSIENT,
            },
        })?)
    } else {
        Box::new(plain)
    };
    Ok(Connection {
        stream: BufReader::new(stream),
        info,
        is_secure,
    })
}

/// Sends the message on a connection.
async fn send(
    connection: Connection,
    server: &Server,
    message: &NatsMessage,
) -> Result<(), SendError> {
    let options = options(&connection, server, message)?;
    let mut stream = connection.stream;
    let mut commands = format!("CONNECT {options}\r\n");
    write!(
        commands,
        "PUB {} {}\r\n",
        message.subject,
        message.body.len()
    )
    .map_err(|_| permanent("the message is too large"))?;
    let mut bytes = commands.into_bytes();
    bytes.extend_from_slice(&message.body);
    bytes.extend_from_slice(b"\r\nPING\r\n");
    let written = async {
        stream.write_all(&bytes).await?;
        stream.flush().await
    };
    written.await.map_err(|error| broken(&error))?;
    loop {
        let line = read_line(&mut stream).await?;
        match line.split(' ').next() {
            Some("PONG") => return Ok(()),
            Some("-ERR") => {
                let reason = line.trim_start_matches("-ERR").trim().trim_matches('\'');
                return Err(permanent(format!(
                    "nats: {}",
                    sluice_dial::printable(reason)
                )));
            }
            Some("PING") => {
                let written = async {
                    stream.write_all(b"PONG\r\n").await?;
                    stream.flush().await
                };
                written.await.map_err(|error| broken(&error))?;
            }
            _ => {}
        }
    }
}

async fn read_line<S: AsyncRead + Unpin>(stream: &mut BufReader<S>) -> Result<String, SendError> {
    let mut line = Vec::new();
    let mut limited = stream.take(MAX_LINE_BYTES);
    match limited.read_until(b'\n', &mut line).await {
        Ok(_) if line.ends_with(b"\n") => Ok(String::from_utf8_lossy(&line).trim().to_owned()),
        Ok(_) => Err(SendError {
            message: "the NATS server closed the connection".to_owned(),
            failure: TRANSIENT,
        }),
        Err(error) => Err(broken(&error)),
    }
}

/// Returns the options of `CONNECT`.
fn options(
    connection: &Connection,
    server: &Server,
    message: &NatsMessage,
) -> Result<Value, SendError> {
    let nonce = connection.info["nonce"].as_str().unwrap_or_default();
    // The server may not know the headers of messages.
    let has_headers = connection.info["headers"] == true;
    let mut options = json!({
        "verbose": false, "pedantic": false, "tls_required": connection.is_secure,
        "name": message.connection, "lang": "rust", "version": env!("CARGO_PKG_VERSION"),
        "protocol": 1, "echo": true, "headers": has_headers, "no_responders": has_headers,
    });
    match &server.login {
        Some(Login::Token(token)) => options["auth_token"] = token.expose().as_str().into(),
        Some(Login::Basic(basic)) => set_basic(&mut options, basic),
        None => {}
    }
    match &message.credentials {
        NatsCredentials::Basic(basic) if server.login.is_none() => set_basic(&mut options, basic),
        NatsCredentials::Seed(seed) if server.login.is_none() => {
            let key = UserKey::parse(seed.expose())?;
            options["nkey"] = key.public.as_str().into();
            options["sig"] = key.sign(nonce).into();
        }
        NatsCredentials::Anonymous | NatsCredentials::Basic(_) | NatsCredentials::Seed(_) => {}
        NatsCredentials::File(file) => {
            let text = String::from_utf8_lossy(file.expose());
            let section = |name: &str| {
                let lines = text
                    .lines()
                    .skip_while(|line| !(line.starts_with("-----BEGIN") && line.contains(name)));
                let line = lines.skip(1).map(str::trim).find(|line| !line.is_empty());
                line.ok_or_else(|| permanent(format!("the key 'creds' lacks the {name}")))
            };
            let key = UserKey::parse(section("NKEY SEED")?.as_bytes())?;
            options["jwt"] = section("USER JWT")?.into();
            options["sig"] = key.sign(nonce).into();
        }
    }
    Ok(options)
}

fn set_basic(options: &mut Value, basic: &sluice_dial::Basic) {
    options["user"] = basic.username.as_str().into();
    options["pass"] = basic.password.expose().as_str().into();
}

fn broken(error: &std::io::Error) -> SendError {
    SendError {
        message: format!("failed to talk to the NATS server: {error}"),
        failure: TRANSIENT,
    }
}

#[cfg(test)]
mod tests;
