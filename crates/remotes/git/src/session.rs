//! A session with a server: advertisement, then one request.
//!
//! It hides the differences between protocol versions and between HTTP and SSH.

use tokio::sync::mpsc::Sender;

use crate::error::{Error, Phase, Result, refuses_object};
use crate::id::ObjectId;
use crate::protocol::advertisement::{self, Advertisement};
use crate::protocol::command::{self, Fetch};
use crate::protocol::pktline::Packet;
use crate::protocol::response::{self, Form, Part};
use crate::protocol::{ProtocolError, Service};
use crate::reference::Refs;
use crate::transport::{Deadline, PacketStream, http, ssh};

/// The place of the number of objects at the begin of a pack.
const PACK_OBJECTS: std::ops::Range<usize> = 8..12;

/// A session after the advertisement.
pub(crate) struct Session {
    pub(crate) transport: Transport,
    pub(crate) advertisement: Advertisement,
    pub(crate) deadline: Deadline,
}

/// The transport of a session.
pub(crate) enum Transport {
    /// Separate requests.
    Http(http::Connection),
    /// A channel, on which responses follow the advertisement.
    Ssh(ssh::CommandChannel, PacketStream),
}

/// Reads the advertisement of a server.
pub(crate) async fn advertisement(
    service: Service,
    packets: &mut PacketStream,
    deadline: &Deadline,
) -> Result<Advertisement> {
    let mut parser = advertisement::Parser::new(service);
    loop {
        let packet = packets.next(deadline, Phase::ListReferences).await?;
        let fed = parser
            .feed(packet)
            .map_err(|error| deadline.malformed(error))?;
        if let Some(advertisement) = fed {
            return Ok(advertisement);
        }
    }
}

/// The response to a command.
struct ResponseStream {
    packets: PacketStream,
    deadline: Deadline,
    /// Keeps the SSH channel open until the response is read.
    _channel: Option<ssh::CommandChannel>,
}

impl ResponseStream {
    async fn next(&mut self, phase: Phase) -> Result<Packet> {
        self.packets.next(&self.deadline, phase).await
    }

    fn malformed(&self, error: ProtocolError) -> Error {
        self.deadline.malformed(error)
    }
}

impl Session {
    /// Sends the command of this session.
    async fn send_command(self, command: Vec<u8>) -> Result<ResponseStream> {
        let two = matches!(self.advertisement, Advertisement::V2(_));
        let deadline = self.deadline;
        let (packets, channel) = match self.transport {
            Transport::Http(connection) => {
                let service = Service::UploadPack;
                let response = connection.send_command(service, command, two, &deadline);
                (response.await?, None)
            }
            Transport::Ssh(channel, packets) => {
                channel.send_command(command, &deadline).await?;
                (packets, Some(channel))
            }
        };
        Ok(ResponseStream {
            packets,
            deadline,
            _channel: channel,
        })
    }

    /// Lists the references with one of the prefixes.
    pub(crate) async fn ls_refs(self, prefixes: &[String]) -> Result<Refs> {
        let matches_prefix = |name: &str| {
            prefixes.is_empty()
                || prefixes
                    .iter()
                    .any(|prefix| name.starts_with(prefix.as_str()))
        };
        match &self.advertisement {
            Advertisement::V0 { refs, .. } => Ok(Refs(
                refs.0
                    .iter()
                    .filter(|one| matches_prefix(&one.name))
                    .cloned()
                    .collect(),
            )),
            Advertisement::V2(capabilities) if !capabilities.has("ls-refs") => Err(self
                .deadline
                .malformed(ProtocolError::Missing("the command 'ls-refs'"))),
            Advertisement::V2(capabilities) => {
                let mut command = Vec::new();
                command::ls_refs(prefixes, capabilities, &mut command);
                let mut response = self.send_command(command).await?;
                let mut refs = Refs::default();
                loop {
                    let packet = response.next(Phase::ListReferences).await?;
                    let packet = packet
                        .check_error()
                        .map_err(|error| response.malformed(error))?;
                    let listed = match packet.text() {
                        Some(text) => advertisement::listed_ref(text),
                        None if packet == Packet::Flush => return Ok(refs),
                        None => Err(packet.unexpected("among the references")),
                    };
                    let listed = listed.map_err(|error| response.malformed(error))?;
                    // A server may ignore the prefixes.
                    if let Some(reference) = listed.filter(|one| matches_prefix(&one.name)) {
                        advertisement::push_ref(&mut refs, reference)
                            .map_err(|e| response.malformed(e))?;
                    }
                }
            }
        }
    }

    /// Whether `commit` is an ancestor of `tip`. The server walks the history, and at most the
    /// begin of a pack is read.
    ///
    /// Versions 0 and 1 also answer yes for a descendant of `tip`: their negotiation only shows
    /// whether both share their history.
    pub(crate) async fn check_ancestor(self, tip: ObjectId, commit: ObjectId) -> Result<bool> {
        let mut command = Vec::new();
        let form = match &self.advertisement {
            Advertisement::V2(capabilities) => {
                command::is_ancestor_v2(tip, commit, capabilities, &mut command);
                Form::V2
            }
            Advertisement::V0 { capabilities, .. } => {
                command::is_ancestor_v0(tip, commit, capabilities, &mut command)
                    .map_err(|error| self.deadline.malformed(error))?;
                Form::Acknowledgments
            }
        };
        let is_exact = form == Form::V2;
        let mut response = self.send_command(command).await?;
        let mut parser = response::Parser::new(form);
        let mut pack = Vec::new();
        loop {
            let packet = response.next(Phase::Negotiate).await?;
            let part = match parser.feed(packet) {
                // The server has no such commit.
                Err(ProtocolError::Reported(message)) if is_exact && refuses_object(&message) => {
                    return Ok(false);
                }
                part => part.map_err(|error| response.malformed(error))?,
            };
            match part {
                Part::Ready if !is_exact => return Ok(true),
                Part::Pack(bytes) if is_exact => {
                    pack.extend_from_slice(&bytes);
                    // Dropping the response ends the pack.
                    if let Some(objects) = pack.get(PACK_OBJECTS) {
                        return Ok(objects.iter().all(|byte| *byte == 0));
                    }
                }
                Part::End | Part::Pack(_) => return Ok(false),
                _ => {}
            }
        }
    }

    /// Requests a pack.
    pub(crate) async fn fetch(self, request: &Fetch) -> Result<IncomingPack> {
        let mut command = Vec::new();
        let form = match &self.advertisement {
            Advertisement::V2(capabilities) => {
                command::fetch_v2(request, capabilities, &mut command).map(|()| Form::V2)
            }
            Advertisement::V0 { capabilities, .. } => {
                let shallow = command::answers_shallow(request, capabilities);
                command::fetch_v0(request, capabilities, &mut command)
                    .map(|()| Form::V0 { shallow })
            }
        };
        let form = form.map_err(|error| self.deadline.malformed(error))?;
        Ok(IncomingPack {
            response: self.send_command(command).await?,
            parser: response::Parser::new(form),
            received: 0,
        })
    }
}

/// A pack that is being received.
pub(crate) struct IncomingPack {
    response: ResponseStream,
    parser: response::Parser,
    received: u64,
}

impl IncomingPack {
    /// Returns the next part, or `None` once the response is complete.
    pub(crate) async fn next(&mut self) -> Result<Option<Part>> {
        loop {
            let phase = if self.received == 0 {
                Phase::Negotiate
            } else {
                Phase::Download(self.received)
            };
            let packet = self.response.next(phase).await?;
            match self
                .parser
                .feed(packet)
                .map_err(|error| self.response.malformed(error))?
            {
                Part::Nothing => {}
                Part::End => return Ok(None),
                part => {
                    if let Part::Pack(bytes) = &part {
                        self.received += bytes.len() as u64;
                    }
                    return Ok(Some(part));
                }
            }
        }
    }

    /// Sends a chunk to the indexer before the deadline. Returns whether it was accepted.
    pub(crate) async fn forward<T>(&mut self, to: &Sender<T>, chunk: T) -> Result<bool> {
        let phase = Phase::Download(self.received);
        let sent = self.response.deadline.run(phase, to.send(chunk)).await?;
        Ok(sent.is_ok())
    }

    pub(crate) const fn received(&self) -> u64 {
        self.received
    }

    pub(crate) const fn deadline(&self) -> &Deadline {
        &self.response.deadline
    }
}
