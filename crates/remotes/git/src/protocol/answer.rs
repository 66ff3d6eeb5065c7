//! What a server replies to a request for a pack.

use bytes::Bytes;

use super::Malformed;
use super::pktline::Packet;
use crate::error::printable;
use crate::id::ObjectId;

/// Most bytes of progress and negotiation before and between parts of a pack. A
/// server that chatters without end is cut off here, before the time is over.
const MAX_CHATTER: usize = 16 << 20;
/// Most commits named as ends of history.
const MAX_SHALLOW: usize = 1_000_000;

/// The grammar of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Version 2: named sections.
    Two,
    /// Versions 0 and 1.
    One {
        /// Does it begin with a list of new ends of history?
        shallow: bool,
    },
    /// Versions 0 and 1, when no pack was asked for yet: it ends with `NAK`.
    Acknowledgments,
}

/// A part of an answer that somebody acts on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Our history ends at this commit from now on.
    Shallow(ObjectId),
    /// Our history no longer ends at this commit.
    Unshallow(ObjectId),
    /// Everything wanted is reachable from what we have.
    Ready,
    /// Bytes of the pack.
    Pack(Bytes),
    /// Nothing to act on.
    Nothing,
    /// The answer is complete.
    End,
}

/// Reads an answer packet by packet.
#[derive(Debug)]
pub struct Parser {
    state: State,
    form: Form,
    chatter: usize,
    listed: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Version 2: before the name of a section.
    Section,
    Acknowledgments,
    ShallowInfo,
    /// Versions 0 and 1: before the first `ACK` or `NAK`.
    Acknowledged,
    Pack,
    Done,
}

impl Parser {
    /// Expects an answer of that form.
    pub const fn new(form: Form) -> Self {
        Self {
            state: match form {
                Form::Two => State::Section,
                Form::One { shallow: true } => State::ShallowInfo,
                Form::One { shallow: false } | Form::Acknowledgments => State::Acknowledged,
            },
            form,
            chatter: 0,
            listed: 0,
        }
    }

    /// Takes one packet.
    pub fn feed(&mut self, packet: Packet) -> Result<Part, Malformed> {
        match self.state {
            State::Section => self.section(packet),
            State::Acknowledgments => self.acknowledgment(packet),
            State::ShallowInfo => self.shallow(packet),
            State::Acknowledged => self.acknowledged(packet),
            State::Pack => self.pack(packet),
            State::Done => Err(packet.unexpected("after the end of the answer")),
        }
    }

    fn section(&mut self, packet: Packet) -> Result<Part, Malformed> {
        let packet = packet.reported()?;
        self.state = match packet.text() {
            Some(b"acknowledgments") => State::Acknowledgments,
            Some(b"shallow-info") => State::ShallowInfo,
            Some(b"packfile") => State::Pack,
            // An answer may end after the acknowledgments.
            None if packet == Packet::Flush => {
                self.state = State::Done;
                return Ok(Part::End);
            }
            _ => return Err(packet.unexpected("instead of a section of the answer")),
        };
        Ok(Part::Nothing)
    }

    fn acknowledgment(&mut self, packet: Packet) -> Result<Part, Malformed> {
        let packet = packet.reported()?;
        self.chat(&packet)?;
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

    fn shallow(&mut self, packet: Packet) -> Result<Part, Malformed> {
        let packet = packet.reported()?;
        let after = match (self.form, &packet) {
            (Form::Two, Packet::Delimiter) => Some(State::Section),
            (Form::One { .. }, Packet::Flush) => Some(State::Acknowledged),
            _ => None,
        };
        if let Some(after) = after {
            self.state = after;
            return Ok(Part::Nothing);
        }
        self.listed += 1;
        if self.listed > MAX_SHALLOW {
            return Err(Malformed::TooMuch("1000000 ends of history"));
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

    fn acknowledged(&mut self, packet: Packet) -> Result<Part, Malformed> {
        let packet = packet.reported()?;
        match packet.text() {
            Some(b"NAK") if self.form == Form::Acknowledgments => {
                self.state = State::Done;
                Ok(Part::End)
            }
            Some(text) if text.starts_with(b"ACK ") && text.ends_with(b" ready") => Ok(Part::Ready),
            Some(text) if text == b"NAK" || text.starts_with(b"ACK ") => {
                self.chat(&packet)?;
                Ok(Part::Nothing)
            }
            Some([1..=3, ..]) => {
                self.state = State::Pack;
                self.pack(packet)
            }
            _ => Err(packet.unexpected("instead of the pack")),
        }
    }

    fn pack(&mut self, packet: Packet) -> Result<Part, Malformed> {
        match &packet {
            Packet::Data(data) => match data.first() {
                Some(1) => {
                    let bytes = data.slice(1..);
                    if bytes.is_empty() {
                        // A sign of life while the server counts.
                        self.chat(&packet)?;
                        return Ok(Part::Nothing);
                    }
                    Ok(Part::Pack(bytes))
                }
                Some(2) => {
                    self.chat(&packet)?;
                    Ok(Part::Nothing)
                }
                Some(3) => Err(Malformed::Reported(printable(&data[1..]))),
                _ => Err(packet.reported()?.unexpected("in the pack")),
            },
            Packet::Flush => {
                self.state = State::Done;
                Ok(Part::End)
            }
            _ => Err(packet.unexpected("in the pack")),
        }
    }

    fn chat(&mut self, packet: &Packet) -> Result<(), Malformed> {
        // An empty packet costs something too.
        self.chatter += packet.text().map_or(0, <[u8]>::len) + 4;
        if self.chatter > MAX_CHATTER {
            return Err(Malformed::TooMuch("16 MiB of progress messages"));
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

    fn parse(form: Form, wire: &[Wire<'_>]) -> Result<Vec<Part>, Malformed> {
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
    fn an_answer_of_version_two_has_sections() {
        let shallow = format!("shallow {}", id());
        let parts = parse(
            Form::Two,
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
        let parts = parse(Form::Two, &[Line("acknowledgments"), Line("NAK"), Flush]);
        assert_eq!(parts.unwrap(), [Part::End]);
    }

    #[test]
    fn an_answer_of_the_old_versions_begins_with_acknowledgments() {
        let unshallow = format!("unshallow {}", id());
        let ack = format!("ACK {} common", id());
        let parts = parse(
            Form::One { shallow: true },
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
    fn an_old_server_says_ready_in_an_acknowledgment() {
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
    fn a_failure_in_the_middle_of_a_pack_is_the_servers_word() {
        let parts = parse(
            Form::Two,
            &[
                Line("packfile"),
                Band(1, b"PACK"),
                Band(3, b"fatal: out of\x1b[0m memory\n"),
            ],
        );
        assert_eq!(
            parts,
            Err(Malformed::Reported(
                "fatal: out of\u{fffd}[0m memory".into()
            ))
        );
        let parts = parse(Form::Two, &[Line("ERR upload-pack: not our ref 00")]);
        assert_eq!(
            parts,
            Err(Malformed::Reported("upload-pack: not our ref 00".into()))
        );
    }

    #[test]
    fn endless_chatter_is_cut_off() {
        for chatter in [Band(2, b"still counting".as_slice()), Band(1, b"")] {
            let mut out = Vec::new();
            pktline::line(&mut out, "packfile");
            let Band(band, text) = chatter else {
                unreachable!()
            };
            pktline::data(&mut out, &[&[band], text].concat());
            let packets = Decoder::all(&out).unwrap();
            let mut parser = Parser::new(Form::Two);
            parser.feed(packets[0].clone()).unwrap();
            let error = (0..MAX_CHATTER).find_map(|_| parser.feed(packets[1].clone()).err());
            assert!(matches!(error, Some(Malformed::TooMuch(_))));
        }
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        let cases: [(Form, &[Wire<'_>]); 7] = [
            (Form::Two, &[Line("surprise")]),
            (Form::Two, &[Line("acknowledgments"), Line("MAYBE")]),
            (Form::Two, &[Line("shallow-info"), Line("shallow zz")]),
            (Form::Two, &[Line("packfile"), Band(4, b"x")]),
            (Form::Two, &[Line("packfile"), Delimiter]),
            (Form::Two, &[Line("packfile"), Flush, Flush]),
            (Form::One { shallow: false }, &[Line("PACK")]),
        ];
        for (form, wire) in cases {
            assert!(matches!(parse(form, wire), Err(Malformed::Unexpected(..))));
        }
    }
}
