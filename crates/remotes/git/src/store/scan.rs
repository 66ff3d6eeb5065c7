//! Checks a pack while it arrives, before libgit2 trusts its sizes.
//!
//! libgit2 allocates the claimed size of a delta, and a few bytes can claim gigabytes. Each claim
//! is therefore checked against the [`Limits`] first. Objects are inflated twice, but no server
//! controls our memory usage.

use flate2::{Decompress, FlushDecompress, Status};

use crate::limits::Limits;
use crate::packed_blob::object_head;

/// Size of the buffer for inflated data.
const SCRATCH: usize = 64 << 10;
/// Enough bytes for the two sizes of a delta.
const DELTA_HEAD: usize = 20;

/// Why a pack is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ScanError {
    /// The pack is malformed.
    Invalid(String),
    /// The pack exceeds a limit, or claims to.
    Limit { what: &'static str, limit: u64 },
}

/// Parses a pack incrementally.
pub(crate) struct PackScanner {
    limits: Limits,
    state: State,
    /// The head of the current object.
    head: Vec<u8>,
    remaining: u32,
    received: u64,
    inflate: Decompress,
    scratch: Box<[u8]>,
}

enum State {
    Header,
    /// Reads type and size.
    Object,
    /// Reads the distance to the base of an offset delta.
    Distance {
        size: u64,
    },
    /// Reads the ID of the base of a reference delta.
    Base {
        size: u64,
    },
    Data {
        size: u64,
        produced: u64,
        delta: Option<Vec<u8>>,
    },
    Trailer,
    Complete,
}

impl PackScanner {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            state: State::Header,
            head: Vec::new(),
            remaining: 0,
            received: 0,
            inflate: Decompress::new(true),
            scratch: vec![0; SCRATCH].into_boxed_slice(),
        }
    }

    /// Whether the pack is complete.
    pub(crate) const fn is_complete(&self) -> bool {
        matches!(self.state, State::Complete)
    }

    /// Adds received data.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) -> Result<(), ScanError> {
        self.received += bytes.len() as u64;
        if self.received > self.limits.pack_bytes {
            return Err(ScanError::Limit {
                what: "the pack",
                limit: self.limits.pack_bytes,
            });
        }
        while !bytes.is_empty() {
            bytes = match self.state {
                State::Data { .. } => self.data(bytes)?,
                State::Complete => return Err(invalid("data after its end")),
                _ => {
                    self.head.push(bytes[0]);
                    self.head_byte(bytes[0])?;
                    &bytes[1..]
                }
            };
        }
        Ok(())
    }

    /// Heads are short, so one byte at a time is fast enough.
    fn head_byte(&mut self, byte: u8) -> Result<(), ScanError> {
        match self.state {
            State::Header if self.head.len() == 12 => {
                if !self.head.starts_with(b"PACK\0\0\0\x02") {
                    return Err(invalid("it does not begin as a pack of version 2"));
                }
                let count: [u8; 4] = self.head[8..12].try_into().expect("four bytes");
                self.remaining = u32::from_be_bytes(count);
                if self.remaining > self.limits.objects {
                    let limit = u64::from(self.limits.objects);
                    return Err(ScanError::Limit {
                        what: "the number of objects in the pack",
                        limit,
                    });
                }
                self.next_object();
            }
            State::Object if byte & 0x80 == 0 => {
                let (kind, size) =
                    object_head(&self.head).ok_or_else(|| invalid("an object's size overflows"))?;
                self.head.clear();
                self.state = match kind {
                    1 | 2 | 4 => self.whole(
                        "a commit, tag or tree in the pack",
                        self.limits.metadata_bytes,
                        size,
                    )?,
                    3 => self.whole("a blob in the pack", self.limits.blob_bytes, size)?,
                    6 | 7 if size > self.limits.delta_bytes => {
                        return Err(ScanError::Limit {
                            what: "a delta in the pack",
                            limit: self.limits.delta_bytes,
                        });
                    }
                    6 => State::Distance { size },
                    7 => State::Base { size },
                    _ => return Err(invalid(&format!("an object of type {kind}"))),
                };
            }
            State::Object | State::Distance { .. } if self.head.len() > 10 => {
                return Err(invalid("the head of an object does not end"));
            }
            State::Distance { size } if byte & 0x80 == 0 => self.delta(size),
            State::Base { size } if self.head.len() == 20 => self.delta(size),
            // libgit2 verifies the checksum.
            State::Trailer if self.head.len() == 20 => self.state = State::Complete,
            _ => {}
        }
        Ok(())
    }

    fn whole(&mut self, what: &'static str, limit: u64, size: u64) -> Result<State, ScanError> {
        if size > limit {
            return Err(ScanError::Limit { what, limit });
        }
        self.inflate.reset(true);
        Ok(State::Data {
            size,
            produced: 0,
            delta: None,
        })
    }

    fn delta(&mut self, size: u64) {
        self.head.clear();
        self.inflate.reset(true);
        self.state = State::Data {
            size,
            produced: 0,
            delta: Some(Vec::with_capacity(DELTA_HEAD)),
        };
    }

    fn next_object(&mut self) {
        self.head.clear();
        self.state = if self.remaining == 0 {
            State::Trailer
        } else {
            State::Object
        };
        self.remaining = self.remaining.saturating_sub(1);
    }

    /// Inflates data, and returns the rest of `bytes` after the object.
    fn data<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], ScanError> {
        let State::Data {
            size,
            produced,
            delta,
        } = &mut self.state
        else {
            unreachable!("called in the middle of an object only");
        };
        let (before_in, before_out) = (self.inflate.total_in(), self.inflate.total_out());
        let status = self
            .inflate
            .decompress(bytes, &mut self.scratch, FlushDecompress::None)
            .map_err(|error| invalid(&format!("inflate an object: {error}")))?;
        let consumed =
            usize::try_from(self.inflate.total_in() - before_in).expect("at most what was given");
        let made = usize::try_from(self.inflate.total_out() - before_out)
            .expect("at most the scratch buffer");
        *produced += made as u64;
        if *produced > *size {
            return Err(invalid("an object is longer than it says"));
        }
        if let Some(head) = delta {
            let missing = DELTA_HEAD.saturating_sub(head.len()).min(made);
            head.extend_from_slice(&self.scratch[..missing]);
        }
        if status == Status::StreamEnd {
            if *produced < *size {
                return Err(invalid("an object is shorter than it says"));
            }
            if let Some(head) = delta.take() {
                let (base, result) =
                    delta_sizes(&head).ok_or_else(|| invalid("a delta without sizes"))?;
                let limit = self.limits.delta_bytes;
                if base > limit || result > limit {
                    return Err(ScanError::Limit {
                        what: "an object rebuilt from a delta in the pack",
                        limit,
                    });
                }
            }
            self.next_object();
        } else if consumed == 0 && made == 0 {
            return Err(invalid("an object's data does not end"));
        }
        Ok(&bytes[consumed..])
    }
}

fn invalid(reason: &str) -> ScanError {
    ScanError::Invalid(reason.to_owned())
}

/// Decodes the sizes of base and result at the start of a delta.
fn delta_sizes(head: &[u8]) -> Option<(u64, u64)> {
    let mut bytes = head.iter();
    let mut number = || {
        let mut value = 0_u64;
        let mut shift = 0;
        loop {
            let byte = *bytes.next()?;
            if shift > 56 {
                return None;
            }
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
    };
    Some((number()?, number()?))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn limits() -> Limits {
        Limits {
            pack_bytes: 1 << 20,
            objects: 10,
            blob_bytes: 100_000,
            delta_bytes: 1000,
            metadata_bytes: 1000,
            ..Limits::default()
        }
    }

    fn head(kind: u8, mut size: u64) -> Vec<u8> {
        let mut out = vec![kind << 4 | (size & 0x0f) as u8];
        size >>= 4;
        while size > 0 {
            *out.last_mut().unwrap() |= 0x80;
            out.push((size & 0x7f) as u8);
            size >>= 7;
        }
        out
    }

    fn zlib(data: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    fn pack(objects: &[Vec<u8>]) -> Vec<u8> {
        let mut out = b"PACK\0\0\0\x02".to_vec();
        out.extend(u32::try_from(objects.len()).unwrap().to_be_bytes());
        out.extend(objects.concat());
        out.extend([0; 20]);
        out
    }

    fn object(kind: u8, claimed: u64, data: &[u8]) -> Vec<u8> {
        [head(kind, claimed), zlib(data)].concat()
    }

    fn scan(bytes: &[u8]) -> Result<bool, ScanError> {
        let mut scanner = PackScanner::new(limits());
        scanner.push(bytes)?;
        Ok(scanner.is_complete())
    }

    #[test]
    fn chunk_size_does_not_affect_scan() {
        let blob = vec![7; 90_000];
        let offset = [head(6, 4), vec![0x05], zlib(&[4, 5, 0, 0])].concat();
        let reference = [head(7, 4), vec![9; 20], zlib(&[4, 5, 0, 0])].concat();
        let wire = pack(&[
            object(3, 90_000, &blob),
            offset,
            reference,
            object(1, 0, b""),
        ]);
        for size in [1, 7, 4096, wire.len()] {
            let mut scanner = PackScanner::new(limits());
            for piece in wire.chunks(size) {
                assert!(!scanner.is_complete());
                scanner.push(piece).unwrap();
            }
            assert!(scanner.is_complete(), "pieces of {size}");
        }
        assert_eq!(scan(&wire[..wire.len() - 1]), Ok(false));
        assert!(scan(&[&wire[..], b"x"].concat()).is_err());
        assert_eq!(scan(&pack(&[])), Ok(true));
    }

    #[test]
    fn oversized_claim_is_rejected_before_allocation() {
        let limit = |bytes: &[u8]| matches!(scan(bytes), Err(ScanError::Limit { .. }));
        let bomb = |base: u64, result: u64| {
            let number = |mut value: u64| {
                let mut out = Vec::new();
                while value > 0x7f {
                    out.push((value & 0x7f) as u8 | 0x80);
                    value >>= 7;
                }
                out.push((value & 0x7f) as u8);
                out
            };
            let data = [number(base), number(result)].concat();
            pack(&[[head(7, data.len() as u64), vec![9; 20], zlib(&data)].concat()])
        };
        assert_eq!(scan(&bomb(1000, 1000)), Ok(true));
        assert!(limit(&bomb(10, 1 << 40)));
        assert!(limit(&bomb(1 << 40, 10)));
        assert!(limit(&pack(&[head(3, 100_001)])));
        assert!(limit(&pack(&[head(2, 1001)])));
        assert!(limit(&pack(&[head(6, 1001)])));
        assert!(limit(b"PACK\0\0\0\x02\xff\xff\xff\xff"));
        let mut scanner = PackScanner::new(limits());
        let filler = vec![0_u8; (1 << 20) + 1];
        assert_eq!(
            scanner.push(&filler),
            Err(ScanError::Limit {
                what: "the pack",
                limit: 1 << 20
            })
        );
    }

    #[test]
    fn malformed_pack_is_rejected() {
        let is_invalid = |bytes: &[u8]| matches!(scan(bytes), Err(ScanError::Invalid(_)));
        assert!(is_invalid(b"<html><body>"));
        assert!(is_invalid(b"PACK\0\0\0\x03\0\0\0\0"));
        assert!(is_invalid(&pack(&[object(3, 3, b"four")])));
        assert!(is_invalid(&pack(&[object(3, 5, b"four")])));
        assert!(is_invalid(&pack(&[object(5, 4, b"four")])));
        assert!(is_invalid(&pack(&[[head(3, 4), vec![0xff; 9]].concat()])));
        assert!(is_invalid(&pack(&[vec![0xff; 12]])));
        assert!(is_invalid(&pack(&[
            [head(7, 0), vec![9; 20], zlib(b"")].concat()
        ])));
    }
}
