//! Common parts of the HTTP(S) and SSH transports.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures::{Stream, StreamExt as _};
use tokio::time::Instant;

use crate::error::{Error, Phase, Result};
use crate::protocol::ProtocolError;
use crate::protocol::pktline::{Decoder, Packet};

pub(crate) mod http;
pub(crate) mod ssh;

/// Received data in chunks.
pub(crate) type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, StreamError>> + Send>>;

/// Why a stream ended.
#[derive(Debug)]
pub(crate) enum StreamError {
    /// The connection failed.
    Connection(String),
    /// The server reported an error.
    Remote(Error),
}

/// The deadline of an operation.
#[derive(Debug, Clone)]
pub(crate) struct Deadline {
    /// The name of the remote for messages.
    pub(crate) remote: String,
    at: Instant,
    limit: Duration,
}

impl Deadline {
    pub(crate) fn new(remote: String, limit: Duration) -> Self {
        Self {
            remote,
            at: Instant::now() + limit,
            limit,
        }
    }

    /// Runs a step until the deadline of the operation.
    pub(crate) async fn run<F: Future>(&self, phase: Phase, step: F) -> Result<F::Output> {
        tokio::time::timeout_at(self.at, step)
            .await
            .map_err(|_| self.timeout(phase))
    }

    pub(crate) fn timeout(&self, phase: Phase) -> Error {
        Error::Timeout {
            remote: self.remote.clone(),
            phase,
            limit: self.limit,
        }
    }

    pub(crate) fn network(&self, phase: Phase, reason: impl Into<String>) -> Error {
        Error::Network {
            remote: self.remote.clone(),
            phase,
            reason: reason.into(),
        }
    }

    pub(crate) fn protocol(&self, reason: impl Into<String>) -> Error {
        Error::Protocol {
            remote: self.remote.clone(),
            reason: reason.into(),
        }
    }

    pub(crate) fn malformed(&self, error: ProtocolError) -> Error {
        match error {
            ProtocolError::Reported(message) => classify_message(&self.remote, message),
            other => self.protocol(other.to_string()),
        }
    }
}

/// Classifies an error message of a server. The protocol has no error codes, so it matches messages
/// of git, GitHub, GitLab, Gitea, Bitbucket and Azure.
pub(crate) fn classify_message(remote: &str, message: String) -> Error {
    let lower = message.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let remote = remote.to_owned();
    if says(&[
        "access denied",
        "permission denied",
        "not authorized",
        "authentication failed",
    ]) {
        Error::Authentication {
            remote,
            reason: message,
        }
    } else if says(&[
        "repository not found",
        "does not appear to be a git repository",
        "could not be found",
        "does not exist",
        "not a git repository",
    ]) {
        Error::RepositoryNotFound {
            remote,
            detail: Some(message),
        }
    } else {
        Error::Remote { remote, message }
    }
}

/// A stream of packets.
pub(crate) struct PacketStream {
    source: ByteStream,
    decoder: Decoder,
}

impl PacketStream {
    pub(crate) fn new(source: ByteStream) -> Self {
        Self {
            source,
            decoder: Decoder::default(),
        }
    }

    /// Returns the next packet. The end of the connection is an error.
    pub(crate) async fn next(&mut self, deadline: &Deadline, phase: Phase) -> Result<Packet> {
        loop {
            let packet = self.decoder.next_packet();
            if let Some(packet) = packet.map_err(|error| deadline.malformed(error))? {
                return Ok(packet);
            }
            match deadline.run(phase, self.source.next()).await? {
                Some(Ok(bytes)) => self.decoder.push(&bytes),
                Some(Err(StreamError::Connection(reason))) => {
                    return Err(deadline.network(phase, reason));
                }
                Some(Err(StreamError::Remote(error))) => return Err(error),
                None if self.decoder.is_empty() => {
                    return Err(
                        deadline.malformed(ProtocolError::Truncated("before the answer's end"))
                    );
                }
                None => {
                    return Err(
                        deadline.malformed(ProtocolError::Truncated("in the middle of a packet"))
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn messages_of_known_servers_are_classified() {
        let cases = [
            ("Repository not found.", ErrorKind::NotFound),
            (
                "The project you were looking for could not be found or you don't have permission to view it.",
                ErrorKind::NotFound,
            ),
            (
                "fatal: '/x' does not appear to be a git repository",
                ErrorKind::NotFound,
            ),
            ("Permission denied to deploy key", ErrorKind::Authentication),
            ("upload-pack: not our ref 00", ErrorKind::Protocol),
        ];
        for (message, kind) in cases {
            assert_eq!(
                classify_message("r", message.to_owned()).kind(),
                kind,
                "{message}"
            );
        }
    }

    #[tokio::test]
    async fn silent_server_hits_deadline() {
        let deadline = Deadline::new("https://example.com/r".to_owned(), Duration::from_millis(5));
        let mut packets = PacketStream::new(Box::pin(futures::stream::pending()));
        let error = packets
            .next(&deadline, Phase::ListReferences)
            .await
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "list the references of https://example.com/r: not done within 0.005s"
        );
    }
}
