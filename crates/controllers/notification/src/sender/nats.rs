//! Publishes one message to a NATS server.
//!
//! The protocol is text. The server sends `INFO`, and the client sends `CONNECT`, `PUB` and `PING`.
//! The server's `PONG` confirms the message.

use std::fmt::Write as _;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use super::{SendError, TRANSIENT, permanent};
use crate::request::{NatsCredentials, NatsMessage};

/// Maximum line length of a server.
const MAX_LINE_BYTES: u64 = 64 * 1024;
/// Default port of an address.
const DEFAULT_PORT: u16 = 4222;
/// First byte of the public key of a user.
const USER_PREFIX: u8 = 20 << 3;
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Publishes a message and waits for the server's confirmation.
pub(super) async fn publish(message: &NatsMessage) -> Result<(), SendError> {
    let (host, port) = address(&message.server)?;
    let stream = TcpStream::connect((host.as_str(), port)).await;
    let mut stream = BufReader::new(stream.map_err(|error| broken(&error))?);
    let greeting = read_line(&mut stream).await?;
    let info: Value = greeting
        .strip_prefix("INFO ")
        .and_then(|info| serde_json::from_str(info).ok())
        .ok_or_else(|| permanent("the server is not a NATS server"))?;
    if info["tls_required"] == true {
        return Err(permanent(
            "the NATS server requires TLS, which is not supported yet",
        ));
    }
    let nonce = info["nonce"].as_str().unwrap_or_default();
    let mut commands = format!("CONNECT {}\r\n", options(message, nonce)?);
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
    let written = stream.write_all(&bytes).await;
    written.map_err(|error| broken(&error))?;
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
                let written = stream.write_all(b"PONG\r\n").await;
                written.map_err(|error| broken(&error))?;
            }
            _ => {}
        }
    }
}

async fn read_line(stream: &mut BufReader<TcpStream>) -> Result<String, SendError> {
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
fn options(message: &NatsMessage, nonce: &str) -> Result<Value, SendError> {
    let mut options = json!({
        "verbose": false, "pedantic": false, "tls_required": false, "name": message.connection,
        "lang": "rust", "version": env!("CARGO_PKG_VERSION"), "protocol": 1, "echo": true,
        "headers": true, "no_responders": true,
    });
    match &message.credentials {
        NatsCredentials::Anonymous => {}
        NatsCredentials::Basic(basic) => {
            options["user"] = basic.username.as_str().into();
            options["pass"] = basic.password.expose().as_str().into();
        }
        NatsCredentials::Seed(seed) => {
            let key = UserKey::parse(seed.expose())?;
            options["nkey"] = key.public.as_str().into();
            options["sig"] = key.sign(nonce).into();
        }
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

/// The key of a user.
struct UserKey {
    pair: Ed25519KeyPair,
    public: String,
}

impl UserKey {
    /// Parses a seed in base32: a prefix of two bytes, the key of 32 bytes, and a checksum of two.
    fn parse(seed: &[u8]) -> Result<Self, SendError> {
        let invalid = || permanent("the NATS key is not a valid seed");
        let bytes = decode(seed.trim_ascii()).ok_or_else(invalid)?;
        let (body, sum) = bytes.split_last_chunk::<2>().ok_or_else(invalid)?;
        if body.len() != 34 || checksum(body) != u16::from_le_bytes(*sum) {
            return Err(invalid());
        }
        let pair = Ed25519KeyPair::from_seed_unchecked(&body[2..]).map_err(|_| invalid())?;
        let mut public = vec![USER_PREFIX];
        public.extend_from_slice(pair.public_key().as_ref());
        public.extend_from_slice(&checksum(&public).to_le_bytes());
        Ok(Self {
            pair,
            public: encode(&public),
        })
    }

    fn sign(&self, nonce: &str) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(self.pair.sign(nonce.as_bytes()))
    }
}

/// CRC-16 with the polynomial of XMODEM.
fn checksum(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |sum, byte| {
        (0..8).fold(sum ^ (u16::from(*byte) << 8), |sum, _| {
            let is_set = sum & 0x8000 != 0;
            (sum << 1) ^ if is_set { 0x1021 } else { 0 }
        })
    })
}

/// Decodes base32 without padding.
fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let (mut bytes, mut buffer, mut bits) = (Vec::new(), 0_u32, 0);
    for character in text {
        let value = BASE32.iter().position(|known| known == character)?;
        buffer = (buffer << 5) | u32::try_from(value).ok()?;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from((buffer >> bits) & 0xff).ok()?);
        }
    }
    Some(bytes)
}

/// Encodes base32 without padding.
fn encode(bytes: &[u8]) -> String {
    let (mut text, mut buffer, mut bits) = (String::new(), 0_u32, 0);
    for byte in bytes {
        buffer = (buffer << 8) | u32::from(*byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            text.push(char::from(BASE32[((buffer >> bits) & 31) as usize]));
        }
    }
    if bits > 0 {
        text.push(char::from(BASE32[((buffer << (5 - bits)) & 31) as usize]));
    }
    text
}

/// Returns host and port of the first server of an address.
fn address(server: &str) -> Result<(String, u16), SendError> {
    let invalid =
        || permanent("the NATS address is not usable: set spec.address to nats://HOST:PORT");
    let first = server.split(',').next().unwrap_or_default().trim();
    let rest = match first.split_once("://") {
        None => first,
        Some(("nats", rest)) => rest,
        Some(_) => {
            return Err(permanent(
                "the NATS address has a scheme other than nats, which is not supported yet",
            ));
        }
    };
    let rest = rest.trim_end_matches('/');
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().map_err(|_| invalid())?),
        None => (rest, DEFAULT_PORT),
    };
    if host.is_empty() {
        return Err(invalid());
    }
    Ok((host.trim_matches(['[', ']']).to_owned(), port))
}

fn broken(error: &std::io::Error) -> SendError {
    SendError {
        message: format!("failed to talk to the NATS server: {error}"),
        failure: TRANSIENT,
    }
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
    use tokio::net::TcpListener;

    use super::*;

    fn seed() -> String {
        let mut bytes = vec![(18 << 3) | (USER_PREFIX >> 5), (USER_PREFIX & 31) << 3];
        bytes.extend_from_slice(&[7; 32]);
        bytes.extend_from_slice(&checksum(&bytes).to_le_bytes());
        encode(&bytes)
    }

    /// Runs a server that sends `INFO`, reads until `PING` and responds.
    async fn serve(
        info: &'static str,
        answer: &'static str,
    ) -> (String, tokio::task::JoinHandle<String>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = format!("nats://{}", listener.local_addr().unwrap());
        let task = tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            let mut stream = BufReader::new(stream);
            stream
                .write_all(format!("INFO {info}\r\n").as_bytes())
                .await
                .unwrap();
            let mut all = String::new();
            loop {
                let before = all.len();
                if stream.read_line(&mut all).await.unwrap() == 0 || all[before..] == *"PING\r\n" {
                    break;
                }
            }
            stream.write_all(answer.as_bytes()).await.unwrap();
            all
        });
        (address, task)
    }

    fn message(server: String, credentials: NatsCredentials) -> NatsMessage {
        NatsMessage {
            server,
            subject: "flux.events".into(),
            credentials,
            connection: "NATS Provider Publisher",
            body: b"{}".to_vec(),
        }
    }

    #[tokio::test]
    async fn message_is_published_with_a_signature() {
        let (server, task) = serve(r#"{"nonce":"abc"}"#, "PONG\r\n").await;
        let credentials = NatsCredentials::Seed(seed().into_bytes().into());
        publish(&message(server, credentials)).await.unwrap();
        let all = task.await.unwrap();
        let (connect, rest) = all.split_once("\r\n").unwrap();
        assert_eq!(rest, "PUB flux.events 2\r\n{}\r\nPING\r\n");
        let options: Value = serde_json::from_str(&connect["CONNECT ".len()..]).unwrap();
        assert_eq!(options["name"], "NATS Provider Publisher");
        let public = decode(options["nkey"].as_str().unwrap().as_bytes()).unwrap();
        let signature = options["sig"].as_str().unwrap();
        let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).unwrap();
        let key = UnparsedPublicKey::new(&ED25519, &public[1..33]);
        key.verify(b"abc", &signature).unwrap();
        assert!(options["nkey"].as_str().unwrap().starts_with('U'));
        assert!(seed().starts_with("SU"));
    }

    #[tokio::test]
    async fn refusal_of_the_server_is_permanent() {
        let (server, _) = serve("{}", "-ERR 'Authorization Violation'\r\n").await;
        let failed = publish(&message(server, NatsCredentials::Anonymous)).await;
        assert_eq!(
            failed.unwrap_err(),
            permanent("nats: Authorization Violation")
        );
    }

    #[test]
    fn invalid_seeds_are_refused() {
        let damaged = seed().replace('S', "T");
        for seed in ["", "SU", "not base32!", damaged.as_str()] {
            assert!(UserKey::parse(seed.as_bytes()).is_err(), "{seed}");
        }
    }

    #[test]
    fn addresses_have_a_default_port() {
        let parsed = |text: &str| address(text).ok();
        assert_eq!(parsed("nats://a"), Some(("a".into(), 4222)));
        assert_eq!(parsed("u:p@a:1,b:2"), Some(("a".into(), 1)));
        assert_eq!(parsed("nats://[::1]:4222"), Some(("::1".into(), 4222)));
        assert_eq!(parsed("tls://a"), None);
        assert_eq!(parsed("nats://"), None);
    }
}
