//! Packets: a length of four hexadecimal digits, then the data.

use bytes::{Buf as _, Bytes, BytesMut};

use super::ProtocolError;
use crate::error::printable;

/// Maximum bytes of a packet, including its length.
const MAX_PACKET: usize = 65520;
/// Maximum bytes of data in a packet.
pub const MAX_DATA: usize = MAX_PACKET - 4;

/// One packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Packet {
    /// Data, possibly empty.
    Data(Bytes),
    /// `0000`: the end of a message.
    Flush,
    /// `0001`: the end of a section of a message.
    Delimiter,
    /// `0002`: the end of an answer over a stateless connection.
    ResponseEnd,
}

impl Packet {
    /// The data without a trailing line break, which text packets may have.
    pub fn text(&self) -> Option<&[u8]> {
        match self {
            Self::Data(data) => Some(data.strip_suffix(b"\n").unwrap_or(data)),
            _ => None,
        }
    }

    /// Creates the error for an unexpected packet.
    pub fn unexpected(&self, place: &'static str) -> ProtocolError {
        let shown = match self {
            Self::Data(data) => printable(&data[..data.len().min(100)]),
            Self::Flush => "flush".to_owned(),
            Self::Delimiter => "delimiter".to_owned(),
            Self::ResponseEnd => "response end".to_owned(),
        };
        ProtocolError::Unexpected(shown, place)
    }

    /// Turns a packet `ERR <text>` into an error. It may replace any packet.
    pub fn check_error(self) -> Result<Self, ProtocolError> {
        match &self {
            Self::Data(data) if data.starts_with(b"ERR ") => {
                Err(ProtocolError::Reported(printable(&data[4..])))
            }
            _ => Ok(self),
        }
    }
}

/// Splits a stream of bytes into packets.
///
/// It buffers at most one packet in addition to the pushed data.
#[derive(Debug, Default)]
pub struct Decoder {
    buffer: BytesMut,
}

impl Decoder {
    /// Adds received data.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the next complete packet.
    pub fn next_packet(&mut self) -> Result<Option<Packet>, ProtocolError> {
        let Some(head) = self.buffer.first_chunk::<4>() else {
            return Ok(None);
        };
        let length = length(*head)?;
        let data = match length {
            0..=2 => 0,
            3 => return Err(ProtocolError::Length("0003".to_owned())),
            _ if length > MAX_PACKET => return Err(ProtocolError::Oversized(length)),
            _ => length - 4,
        };
        if self.buffer.len() < 4 + data {
            return Ok(None);
        }
        self.buffer.advance(4);
        Ok(Some(match length {
            0 => Packet::Flush,
            1 => Packet::Delimiter,
            2 => Packet::ResponseEnd,
            _ => Packet::Data(self.buffer.split_to(data).freeze()),
        }))
    }

    /// Whether the buffer is empty.
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// Splits complete data.
    pub fn all(bytes: &[u8]) -> Result<Vec<Packet>, ProtocolError> {
        let mut decoder = Self::default();
        decoder.push(bytes);
        let mut packets = Vec::new();
        while let Some(packet) = decoder.next_packet()? {
            packets.push(packet);
        }
        if decoder.is_empty() {
            Ok(packets)
        } else {
            Err(ProtocolError::Truncated("in the middle of a packet"))
        }
    }
}

fn length(head: [u8; 4]) -> Result<usize, ProtocolError> {
    let mut length = 0;
    for character in head {
        let digit = char::from(character)
            .to_digit(16)
            .ok_or_else(|| ProtocolError::Length(printable(&head)))?;
        length = length * 16 + digit as usize;
    }
    Ok(length)
}

/// Appends one packet. `data` must not be longer than [`MAX_DATA`].
pub fn data(out: &mut Vec<u8>, data: &[u8]) {
    assert!(
        data.len() <= MAX_DATA,
        "a packet carries at most 65516 bytes"
    );
    out.extend_from_slice(format!("{:04x}", data.len() + 4).as_bytes());
    out.extend_from_slice(data);
}

/// Appends one packet of text, with the line break that belongs to it.
pub fn line(out: &mut Vec<u8>, text: &str) {
    data(out, format!("{text}\n").as_bytes());
}

/// Appends the end of a message.
pub fn flush(out: &mut Vec<u8>) {
    out.extend_from_slice(b"0000");
}

/// Appends the end of a section.
pub fn delimiter(out: &mut Vec<u8>) {
    out.extend_from_slice(b"0001");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &'static str) -> Packet {
        Packet::Data(Bytes::from_static(text.as_bytes()))
    }

    #[test]
    fn packets_are_split_by_length() {
        let cases: [(&[u8], Vec<Packet>); 6] = [
            (b"", vec![]),
            (b"0006a\n", vec![bytes("a\n")]),
            (b"0004", vec![bytes("")]),
            (b"0005a0005b", vec![bytes("a"), bytes("b")]),
            (
                b"000000010002",
                vec![Packet::Flush, Packet::Delimiter, Packet::ResponseEnd],
            ),
            (b"000Aabcdef", vec![bytes("abcdef")]),
        ];
        for (input, expected) in cases {
            assert_eq!(Decoder::all(input), Ok(expected));
        }
    }

    #[test]
    fn broken_framing_is_an_error() {
        assert_eq!(
            Decoder::all(b"0003"),
            Err(ProtocolError::Length("0003".into()))
        );
        assert_eq!(
            Decoder::all(b"<htm"),
            Err(ProtocolError::Length("<htm".into()))
        );
        assert_eq!(
            Decoder::all(b"+001"),
            Err(ProtocolError::Length("+001".into()))
        );
        assert_eq!(Decoder::all(b"fff1"), Err(ProtocolError::Oversized(65521)));
        assert!(matches!(
            Decoder::all(b"0010abc"),
            Err(ProtocolError::Truncated(_))
        ));
        assert!(matches!(
            Decoder::all(b"00"),
            Err(ProtocolError::Truncated(_))
        ));
    }

    #[test]
    fn chunk_size_does_not_affect_packets() {
        let mut wire = Vec::new();
        line(&mut wire, "want 0123");
        flush(&mut wire);
        data(&mut wire, &vec![7; MAX_DATA]);
        delimiter(&mut wire);
        let whole = Decoder::all(&wire).unwrap();
        for size in [1, 3, 4, 5, 1000, 70_000] {
            let mut decoder = Decoder::default();
            let mut packets = Vec::new();
            for piece in wire.chunks(size) {
                decoder.push(piece);
                while let Some(packet) = decoder.next_packet().unwrap() {
                    packets.push(packet);
                }
            }
            assert_eq!(packets, whole, "pieces of {size}");
            assert!(decoder.is_empty());
        }
    }

    #[test]
    fn error_packet_becomes_error() {
        assert_eq!(
            bytes("ERR no\n such thing").check_error(),
            Err(ProtocolError::Reported("no  such thing".into()))
        );
        assert_eq!(bytes("ERRor").check_error(), Ok(bytes("ERRor")));
    }
}
