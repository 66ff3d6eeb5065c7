//! Parses responses to requests for packs.

use bytes::Bytes;

use super::ProtocolError;
use super::pktline::Packet;
use crate::error::printable;
use crate::id::ObjectId;

/// Maximum bytes of progress and negotiation messages. This stops a server with endless messages
/// before the timeout.
const MAX_PROGRESS_BYTES: usize = 16 << 20;
/// Maximum number of shallow boundaries.
const MAX_SHALLOW: usize = 1_000_000;

/// The form of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Version 2: named sections.
    V2,
    /// Versions 0 and 1.
    V0 {
        /// Whether it starts with a list of shallow boundaries.
        shallow: bool,
    },
    /// Versions 0 and 1 without a request for a pack. The response ends with `NAK`.
    Acknowledgments,
}

/// A part of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The commit becomes a shallow boundary.
    Shallow(ObjectId),
    /// The commit is not a shallow boundary anymore.
    Unshallow(ObjectId),
    /// All wants are reachable from the haves.
    Ready,
    /// Data of the pack.
    Pack(Bytes),
    /// A part without information.
    Nothing,
    /// The response is complete.
    End,
}

/// Parses a response packet by packet.
#[derive(Debug)]
pub struct Parser {
    state: State,
    form: Form,
    progress_bytes: usize,
    listed: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Version 2, before the name of a section.
    Section,
    Acknowledgments,
    ShallowInfo,
    /// Versions 0 and 1, before the first `ACK` or `NAK`.
    Acknowledged,
    Pack,
    Done,
}

impl Parser {
    /// Creates a parser for a response of a form.
    pub const fn new(form: Form) -> Self {
        Self {
            state: match form {
                Form::V2 => State::Section,
                Form::V0 { shallow: true } => State::ShallowInfo,
                Form::V0 { shallow: false } | Form::Acknowledgments => State::Acknowledged,
            },
            form,
            progress_bytes: 0,
            listed: 0,
        }
    }

    /// Adds a packet.
    pub fn feed(&mut self, packet: Packet) -> Result<Part, ProtocolError> {
        match self.state {
            State::Section => self.section(packet),
            State::Acknowledgments => self.acknowledgment(packet),
            State::ShallowInfo => self.shallow(packet),
            State::Acknowledged => self.acknowledged(packet),
            State::Pack => self.pack(packet),
            State::Done => Err(packet.unexpected("after the end of the answer")),
        }
    }

    fn section(&mut self, packet: Packet) -> Result<Part, ProtocolError> {
        let packet = packet.check_error()?;
        self.state = match packet.text() {
            Some(b"acknowledgments") => State::Acknowledgments,
            Some(b"shallow-info") => State::ShallowInfo,
            Some(b"packfile") => State::Pack,
            // A response may end after the acknowledgments.
            None if packet == Packet::Flush => {
                self.state = State::Done;
                return Ok(Part::End);
            }
            _ => return Err(packet.unexpected("instead of a section of the answer")),
        };
        Ok(Part::Nothing)
    }

    fn acknowledgment(&mut self, packet: Packet) -> Result<Part, ProtocolError> {
        let packet = packet.check_error()?;
        self.count_progress(&packet)?;
        match packet.text() {
            Some(b"ready") => Ok(Part::Ready),
            Some(text) if text == b"NAK" || text.starts_with(b"ACK ") => Ok(Part::Nothing),
            None if packet == Packet::Delimiter => {
                self.state = State::Section;
                Ok(Part::Nothing)
            }
            None if packet == Packet::Flush => {
                self.state = State::Done;
                Ok(Part::End)
            }
            _ => Err(packet.unexpected("among the acknowledgments")),
        }
    }

    fn shallow(&mut self, packet: Packet) -> Result<Part, ProtocolError> {
        let packet = packet.check_error()?;
        let after = match (self.form, &packet) {
            (Form::V2, Packet::Delimiter) => Some(State::Section),
            (Form::V0 { .. }, Packet::Flush) => Some(State::Acknowledged),
            _ => None,
        };
        if let Some(after) = after {
            self.state = after;
            return Ok(Part::Nothing);
        }
        self.listed += 1;
        if self.listed > MAX_SHALLOW {
            return Err(ProtocolError::TooMuch("1000000 ends of history"));
        }
        let text = packet.text().unwrap_or_default();
        let id = |prefix: &[u8]| {
            text.strip_prefix(prefix)
                .and_then(|id| ObjectId::parse(id).ok())
        };
        if let Some(id) = id(b"shallow ") {
            Ok(Part::Shallow(id))
        } else if let Some(id) = id(b"unshallow ") {
            Ok(Part::Unshallow(id))
        } else {
            Err(packet.unexpected("among the ends of history"))
        }
    }

    fn acknowledged(&mut self, packet: Packet) -> Result<Part, ProtocolError> {
        let packet = packet.check_error()?;
        match packet.text() {
            Some(b"NAK") if self.form == Form::Acknowledgments => {
                self.state = State::Done;
                Ok(Part::End)
            }
            Some(text) if text.starts_with(b"ACK ") && text.ends_with(b" ready") => Ok(Part::Ready),
            Some(text) if text == b"NAK" || text.starts_with(b"ACK ") => {
                self.count_progress(&packet)?;
                Ok(Part::Nothing)
            }
            Some([1..=3, ..]) => {
                self.state = State::Pack;
                self.pack(packet)
            }
            _ => Err(packet.unexpected("instead of the pack")),
        }
    }

    fn pack(&mut self, packet: Packet) -> Result<Part, ProtocolError> {
        match &packet {
            Packet::Data(data) => match data.first() {
                Some(1) => {
                    let bytes = data.slice(1..);
                    if bytes.is_empty() {
                        // A keep-alive while the server counts objects.
                        self.count_progress(&packet)?;
                        return Ok(Part::Nothing);
                    }
                    Ok(Part::Pack(bytes))
                }
                Some(2) => {
                    self.count_progress(&packet)?;
                    Ok(Part::Nothing)
                }
                Some(3) => Err(ProtocolError::Reported(printable(&data[1..]))),
                _ => Err(packet.check_error()?.unexpected("in the pack")),
            },
            Packet::Flush => {
                self.state = State::Done;
                Ok(Part::End)
            }
            _ => Err(packet.unexpected("in the pack")),
        }
    }

    fn count_progress(&mut self, packet: &Packet) -> Result<(), ProtocolError> {
        // Empty packets count, too.
        self.progress_bytes += packet.text().map_or(0, <[u8]>::len) + 4;
        if self.progress_bytes > MAX_PROGRESS_BYTES {
            return Err(ProtocolError::TooMuch("16 MiB of progress messages"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::pktline::{self, Decoder};
    use super::*;

    enum Wire<'a> {
        Line(&'a str),
        Band(u8, &'a [u8]),
        Delimiter,
        Flush,
    }
    use Wire::{Band, Delimiter, Flush, Line};

    fn parse(form: Form, wire: &[Wire<'_>]) -> Result<Vec<Part>, ProtocolError> {
        let mut out = Vec::new();
        for item in wire {
            match item {
                Line(text) => pktline::line(&mut out, text),
                Band(band, data) => {
                    pktline::data(&mut out, &[&[*band], *data].concat());
                }
                Delimiter => pktline::delimiter(&mut out),
                Flush => pktline::flush(&mut out),
            }
        }
        let mut parser = Parser::new(form);
        let mut parts = Vec::new();
        for packet in Decoder::all(&out)? {
            let part = parser.feed(packet)?;
            if part != Part::Nothing {
                parts.push(part);
            }
        }
        Ok(parts)
    }

    fn id() -> ObjectId {
        ObjectId::from_bytes([0xaa; 20])
    }

    fn pack(text: &'static str) -> Part {
        Part::Pack(Bytes::from_static(text.as_bytes()))
    }

    #[test]
    fn version_two_response_has_sections() {
        let shallow = format!("shallow {}", id());
        let parts = parse(
            Form::V2,
            &[
                Line("acknowledgments"),
                Line("NAK"),
                Line("ready"),
                Delimiter,
                Line("shallow-info"),
                Line(&shallow),
                Delimiter,
                Line("packfile"),
                Band(2, b"Counting objects"),
                Band(1, b""),
                Band(1, b"PACK"),
                Band(1, b"rest"),
                Flush,
            ],
        );
        assert_eq!(
            parts.unwrap(),
            [
                Part::Ready,
                Part::Shallow(id()),
                pack("PACK"),
                pack("rest"),
                Part::End
            ]
        );
        let parts = parse(Form::V2, &[Line("acknowledgments"), Line("NAK"), Flush]);
        assert_eq!(parts.unwrap(), [Part::End]);
    }

    #[test]
    fn old_response_starts_with_acknowledgments() {
        let unshallow = format!("unshallow {}", id());
        let ack = format!("ACK {} common", id());
        let parts = parse(
            Form::V0 { shallow: true },
            &[
                Line(&unshallow),
                Flush,
                Line(&ack),
                Line("NAK"),
                Band(1, b"PACK"),
                Flush,
            ],
        );
        assert_eq!(
            parts.unwrap(),
            [Part::Unshallow(id()), pack("PACK"), Part::End]
        );
    }

    #[test]
    fn old_server_sends_ready_as_acknowledgment() {
        let (common, ready) = (
            format!("ACK {} common", id()),
            format!("ACK {} ready", id()),
        );
        let parts = parse(
            Form::Acknowledgments,
            &[Line(&common), Line(&ready), Line("NAK")],
        );
        assert_eq!(parts.unwrap(), [Part::Ready, Part::End]);
        let parts = parse(Form::Acknowledgments, &[Line("NAK")]);
        assert_eq!(parts.unwrap(), [Part::End]);
    }

    #[test]
    fn error_within_pack_is_reported() {
        let parts = parse(
            Form::V2,
            &[
                Line("packfile"),
                Band(1, b"PACK"),
                Band(3, b"fatal: out of\x1b[0m memory\n"),
            ],
        );
        assert_eq!(
            parts,
            Err(ProtocolError::Reported(
                "fatal: out of\u{fffd}[0m memory".into()
            ))
        );
        let parts = parse(Form::V2, &[Line("ERR upload-pack: not our ref 00")]);
        assert_eq!(
            parts,
            Err(ProtocolError::Reported(
                "upload-pack: not our ref 00".into()
            ))
        );
    }

    #[test]
    fn endless_progress_is_an_error() {
        for progress_bytes in [Band(2, b"still counting".as_slice()), Band(1, b"")] {
            let mut out = Vec::new();
            pktline::line(&mut out, "packfile");
            let Band(band, text) = progress_bytes else {
                unreachable!()
            };
            pktline::data(&mut out, &[&[band], text].concat());
            let packets = Decoder::all(&out).unwrap();
            let mut parser = Parser::new(Form::V2);
            parser.feed(packets[0].clone()).unwrap();
            let error = (0..MAX_PROGRESS_BYTES).find_map(|_| parser.feed(packets[1].clone()).err());
            assert!(matches!(error, Some(ProtocolError::TooMuch(_))));
        }
    }

    #[test]
    fn invalid_response_is_rejected() {
        let cases: [(Form, &[Wire<'_>]); 7] = [
            (Form::V2, &[Line("surprise")]),
            (Form::V2, &[Line("acknowledgments"), Line("MAYBE")]),
            (Form::V2, &[Line("shallow-info"), Line("shallow zz")]),
            (Form::V2, &[Line("packfile"), Band(4, b"x")]),
            (Form::V2, &[Line("packfile"), Delimiter]),
            (Form::V2, &[Line("packfile"), Flush, Flush]),
            (Form::V0 { shallow: false }, &[Line("PACK")]),
        ];
        for (form, wire) in cases {
            assert!(matches!(
                parse(form, wire),
                Err(ProtocolError::Unexpected(..))
            ));
        }
    }
}
