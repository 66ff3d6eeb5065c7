//! One conversation with a server: what it can do, then questions and answers.
//!
//! The old and the new versions of the protocol, and the two transports, meet
//! here; above, a remote is something that lists references and sends packs.

use tokio::sync::mpsc::Sender;

use crate::error::{Error, Phase, Result};
use crate::id::ObjectId;
use crate::protocol::advertisement::{self, Advertisement};
use crate::protocol::answer::{self, Form, Part};
use crate::protocol::command::{self, Fetch};
use crate::protocol::pktline::Packet;
use crate::protocol::{Malformed, Service};
use crate::reference::Refs;
use crate::transport::{Deadline, Packets, http, ssh};

/// A conversation of which the first words have been read.
pub(crate) struct Session {
    pub(crate) transport: Transport,
    pub(crate) advertisement: Advertisement,
    pub(crate) deadline: Deadline,
}

/// How questions get to the server.
pub(crate) enum Transport {
    /// One request each.
    Http(http::Connection),
    /// A channel, on which the answer follows the first words.
    Ssh(ssh::Conversation, Packets),
}

/// Reads the first words of a server.
pub(crate) async fn advertisement(
    service: Service,
    packets: &mut Packets,
    deadline: &Deadline,
) -> Result<Advertisement> {
    let mut parser = advertisement::Parser::of(service);
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

/// The answer to a question.
struct Answer {
    packets: Packets,
    deadline: Deadline,
    /// Over SSH, the conversation lasts as long as the answer.
    _conversation: Option<ssh::Conversation>,
}

impl Answer {
    async fn next(&mut self, phase: Phase) -> Result<Packet> {
        self.packets.next(&self.deadline, phase).await
    }

    fn malformed(&self, error: Malformed) -> Error {
        self.deadline.malformed(error)
    }
}

impl Session {
    /// Asks the one question of this conversation.
    async fn ask(self, command: Vec<u8>) -> Result<Answer> {
        let two = matches!(self.advertisement, Advertisement::Two(_));
        let deadline = self.deadline;
        let (packets, conversation) = match self.transport {
            Transport::Http(connection) => {
                let service = Service::UploadPack;
                let answer = connection.ask(service, command, two, &deadline);
                (answer.await?, None)
            }
            Transport::Ssh(conversation, packets) => {
                conversation.ask(command, &deadline).await?;
                (packets, Some(conversation))
            }
        };
        Ok(Answer {
            packets,
            deadline,
            _conversation: conversation,
        })
    }

    /// Lists the references that begin with one of the prefixes.
    pub(crate) async fn ls_refs(self, prefixes: &[String]) -> Result<Refs> {
        let wanted = |name: &str| {
            prefixes.is_empty()
                || prefixes
                    .iter()
                    .any(|prefix| name.starts_with(prefix.as_str()))
        };
        match &self.advertisement {
            Advertisement::One { refs, .. } => Ok(Refs(
                refs.0
                    .iter()
                    .filter(|one| wanted(&one.name))
                    .cloned()
                    .collect(),
            )),
            Advertisement::Two(capabilities) if !capabilities.has("ls-refs") => Err(self
                .deadline
                .malformed(Malformed::Missing("the command 'ls-refs'"))),
            Advertisement::Two(capabilities) => {
                let mut command = Vec::new();
                command::ls_refs(prefixes, capabilities, &mut command);
                let mut answer = self.ask(command).await?;
                let mut refs = Refs::default();
                loop {
                    let packet = answer.next(Phase::ListReferences).await?;
                    let packet = packet.reported().map_err(|error| answer.malformed(error))?;
                    let listed = match packet.text() {
                        Some(text) => advertisement::listed_ref(text),
                        None if packet == Packet::Flush => return Ok(refs),
                        None => Err(packet.unexpected("among the references")),
                    };
                    let listed = listed.map_err(|error| answer.malformed(error))?;
                    // The prefixes are a hint that a server may ignore.
                    if let Some(reference) = listed.filter(|one| wanted(&one.name)) {
                        advertisement::keep(&mut refs, reference)
                            .map_err(|e| answer.malformed(e))?;
                    }
                }
            }
        }
    }

    /// Is `commit` in the history of `tip`? The server walks, and sends nothing of
    /// it. Like its own negotiation, it trusts dates: it stops at commits older
    /// than the one looked for.
    pub(crate) async fn knows_ancestor(self, tip: ObjectId, commit: ObjectId) -> Result<bool> {
        let mut question = Vec::new();
        let form = match &self.advertisement {
            Advertisement::Two(capabilities) => {
                command::is_ancestor_two(tip, commit, capabilities, &mut question);
                Form::Two
            }
            Advertisement::One { capabilities, .. } => {
                command::is_ancestor_one(tip, commit, capabilities, &mut question)
                    .map_err(|error| self.deadline.malformed(error))?;
                Form::Acknowledgments
            }
        };
        let mut answer = self.ask(question).await?;
        let mut parser = answer::Parser::new(form);
        loop {
            let packet = answer.next(Phase::Negotiate).await?;
            match parser
                .feed(packet)
                .map_err(|error| answer.malformed(error))?
            {
                // A pack may follow, which nobody reads: dropping the answer ends it.
                Part::Ready => return Ok(true),
                Part::End | Part::Pack(_) => return Ok(false),
                _ => {}
            }
        }
    }

    /// Asks for a pack.
    pub(crate) async fn fetch(self, request: &Fetch) -> Result<Incoming> {
        let mut command = Vec::new();
        let form = match &self.advertisement {
            Advertisement::Two(capabilities) => {
                command::fetch_two(request, capabilities, &mut command).map(|()| Form::Two)
            }
            Advertisement::One { capabilities, .. } => {
                let shallow = command::answers_shallow(request, capabilities);
                command::fetch_one(request, capabilities, &mut command)
                    .map(|()| Form::One { shallow })
            }
        };
        let form = form.map_err(|error| self.deadline.malformed(error))?;
        Ok(Incoming {
            answer: self.ask(command).await?,
            parser: answer::Parser::new(form),
            received: 0,
        })
    }
}

/// A pack on its way here.
pub(crate) struct Incoming {
    answer: Answer,
    parser: answer::Parser,
    received: u64,
}

impl Incoming {
    /// The next part that somebody acts on; `None` once the answer is complete.
    pub(crate) async fn next(&mut self) -> Result<Option<Part>> {
        loop {
            let phase = if self.received == 0 {
                Phase::Negotiate
            } else {
                Phase::Download(self.received)
            };
            let packet = self.answer.next(phase).await?;
            match self
                .parser
                .feed(packet)
                .map_err(|error| self.answer.malformed(error))?
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

    /// Hands bytes on, within the time that the operation has.
    pub(crate) async fn pass<T>(&mut self, to: &Sender<T>, piece: T) -> Result<bool> {
        let phase = Phase::Download(self.received);
        let sent = self.answer.deadline.run(phase, to.send(piece)).await?;
        Ok(sent.is_ok())
    }

    pub(crate) const fn received(&self) -> u64 {
        self.received
    }

    pub(crate) const fn deadline(&self) -> &Deadline {
        &self.answer.deadline
    }
}
