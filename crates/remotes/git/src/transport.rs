//! Bytes to and from a server, over HTTP(S) or SSH: what the two have in common.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures::{Stream, StreamExt as _};
use tokio::time::Instant;

use crate::error::{Error, Phase, Result};
use crate::protocol::Malformed;
use crate::protocol::pktline::{Decoder, Packet};

pub(crate) mod http;
pub(crate) mod ssh;

/// What arrives, in the pieces in which it arrives.
pub(crate) type Source = Pin<Box<dyn Stream<Item = Result<Bytes, Broken>> + Send>>;

/// Why no more bytes arrive.
#[derive(Debug)]
pub(crate) enum Broken {
    /// The connection failed, in the words of the network.
    Connection(String),
    /// The other side ended it, and said why.
    Refused(Error),
}

/// The end of the time that one operation may take.
#[derive(Debug, Clone)]
pub(crate) struct Deadline {
    /// The remote, as messages name it.
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

    /// Runs a step, and gives up when the time of the whole operation is over.
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

    pub(crate) fn malformed(&self, error: Malformed) -> Error {
        match error {
            Malformed::Reported(message) => reported(&self.remote, message),
            other => self.protocol(other.to_string()),
        }
    }
}

/// Classifies what a server says in words. There is no code to go by: these are
/// the phrases of git, GitHub, GitLab, Gitea, Bitbucket and Azure.
pub(crate) fn reported(remote: &str, message: String) -> Error {
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

/// Packets as they arrive.
pub(crate) struct Packets {
    source: Source,
    decoder: Decoder,
}

impl Packets {
    pub(crate) fn new(source: Source) -> Self {
        Self {
            source,
            decoder: Decoder::default(),
        }
    }

    /// The next packet; the end of the connection is an error.
    pub(crate) async fn next(&mut self, deadline: &Deadline, phase: Phase) -> Result<Packet> {
        loop {
            let packet = self.decoder.next_packet();
            if let Some(packet) = packet.map_err(|error| deadline.malformed(error))? {
                return Ok(packet);
            }
            match deadline.run(phase, self.source.next()).await? {
                Some(Ok(bytes)) => self.decoder.push(&bytes),
                Some(Err(Broken::Connection(reason))) => {
                    return Err(deadline.network(phase, reason));
                }
                Some(Err(Broken::Refused(error))) => return Err(error),
                None if self.decoder.is_empty() => {
                    return Err(deadline.malformed(Malformed::Truncated("before the answer's end")));
                }
                None => {
                    return Err(
                        deadline.malformed(Malformed::Truncated("in the middle of a packet"))
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
    fn the_words_of_known_servers_are_classified() {
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
            assert_eq!(reported("r", message.to_owned()).kind(), kind, "{message}");
        }
    }

    #[tokio::test]
    async fn a_server_that_says_nothing_is_left_when_the_time_is_over() {
        let deadline = Deadline::new("https://example.com/r".to_owned(), Duration::from_millis(5));
        let mut packets = Packets::new(Box::pin(futures::stream::pending()));
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
