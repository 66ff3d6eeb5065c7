//! Digests of artifacts: algorithms, text form `<algorithm>:<hex>`, and hashing of streams.
//!
//! Parsing rejects unknown algorithms and hexadecimal text of the wrong length, so each [`Digest`]
//! can be verified. Start at [`Algorithm`] and [`HashingWriter`].

use std::fmt;
use std::io::{self, Read, Write};
use std::str::FromStr;

use aws_lc_rs::digest as lc;

/// A hash function for artifact digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// SHA-1. Flux accepts it; it does not resist forgery.
    Sha1,
    /// SHA-256, the default.
    #[default]
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
    /// BLAKE3 with 256 bits of output.
    Blake3,
}

impl Algorithm {
    /// All algorithms, in the order of the error message.
    pub const ALL: [Self; 5] = [
        Self::Sha256,
        Self::Sha384,
        Self::Sha512,
        Self::Blake3,
        Self::Sha1,
    ];

    /// The name before the colon.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
            Self::Sha384 => "sha384",
            Self::Sha512 => "sha512",
            Self::Blake3 => "blake3",
        }
    }

    /// The number of output bytes.
    pub fn length(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 | Self::Blake3 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    /// Starts a hash.
    pub fn hasher(self) -> Hasher {
        let state = match self {
            Self::Sha1 => State::Lc(lc::Context::new(&lc::SHA1_FOR_LEGACY_USE_ONLY)),
            Self::Sha256 => State::Lc(lc::Context::new(&lc::SHA256)),
            Self::Sha384 => State::Lc(lc::Context::new(&lc::SHA384)),
            Self::Sha512 => State::Lc(lc::Context::new(&lc::SHA512)),
            Self::Blake3 => State::Blake3(Box::default()),
        };
        Hasher {
            algorithm: self,
            state,
        }
    }

    /// Computes the digest of bytes.
    pub fn digest(self, bytes: &[u8]) -> Digest {
        let mut hasher = self.hasher();
        hasher.update(bytes);
        hasher.finish()
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// An unknown algorithm name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unsupported digest algorithm '{name}', must be one of: {}", Algorithm::ALL.map(Algorithm::name).join(", "))]
pub struct UnknownAlgorithm {
    name: String,
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|algorithm| algorithm.name() == name)
            .ok_or_else(|| UnknownAlgorithm {
                name: name.to_owned(),
            })
    }
}

/// An invalid digest text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text is empty. An artifact without a digest is not trusted.
    #[error("digest is empty")]
    Empty,
    /// The algorithm is unknown.
    #[error(transparent)]
    Algorithm(#[from] UnknownAlgorithm),
    /// The part after the colon is not hexadecimal, or has the wrong length.
    #[error("digest '{digest}' is not {expected} hexadecimal characters after its algorithm")]
    Hex {
        /// The text as given.
        digest: String,
        /// The number of characters that the algorithm needs.
        expected: usize,
    },
}

/// A digest, displayed as `<algorithm>:<hex>`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Digest {
    algorithm: Algorithm,
    bytes: Box<[u8]>,
}

impl Digest {
    /// The hash function.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The output in lower-case hexadecimal, without the algorithm.
    pub fn hex(&self) -> String {
        hex::encode(&self.bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.algorithm, self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for Digest {
    type Err = ParseError;

    /// Parses `<algorithm>:<hex>`. Hexadecimal without an algorithm is SHA-256.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            return Err(ParseError::Empty);
        }
        let (algorithm, encoded) = match text.split_once(':') {
            Some((name, encoded)) => (name.parse()?, encoded),
            None => (Algorithm::Sha256, text),
        };
        match hex::decode(encoded) {
            Ok(bytes) if bytes.len() == algorithm.length() => Ok(Self {
                algorithm,
                bytes: bytes.into(),
            }),
            _ => Err(ParseError::Hex {
                digest: text.to_owned(),
                expected: algorithm.length() * 2,
            }),
        }
    }
}

/// A running hash computation.
pub struct Hasher {
    algorithm: Algorithm,
    state: State,
}

enum State {
    Lc(lc::Context),
    // Boxed, because its state takes two kilobytes.
    Blake3(Box<blake3::Hasher>),
}

impl fmt::Debug for Hasher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("Hasher")
            .field(&self.algorithm)
            .finish()
    }
}

impl Hasher {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.state {
            State::Lc(context) => context.update(bytes),
            State::Blake3(hasher) => {
                hasher.update(bytes);
            }
        }
    }

    /// Returns the digest.
    pub fn finish(self) -> Digest {
        let bytes = match self.state {
            State::Lc(context) => Box::from(context.finish().as_ref()),
            State::Blake3(hasher) => Box::from(hasher.finalize().as_bytes().as_slice()),
        };
        Digest {
            algorithm: self.algorithm,
            bytes,
        }
    }
}

/// Forwards bytes to another writer, and hashes and counts the bytes that it accepts.
#[derive(Debug)]
pub struct HashingWriter<W> {
    inner: W,
    hasher: Hasher,
    written: u64,
}

impl<W: Write> HashingWriter<W> {
    /// Wraps a writer.
    pub fn new(inner: W, algorithm: Algorithm) -> Self {
        Self {
            inner,
            hasher: algorithm.hasher(),
            written: 0,
        }
    }

    /// Returns the writer, the digest and the number of bytes.
    pub fn finish(self) -> (W, Digest, u64) {
        (self.inner, self.hasher.finish(), self.written)
    }
}

impl<W: Write> Write for HashingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..taken]);
        self.written += taken as u64;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Reads to the end and returns the digest and the number of bytes.
pub fn of_reader(algorithm: Algorithm, mut reader: impl Read) -> io::Result<(Digest, u64)> {
    let mut writer = HashingWriter::new(io::sink(), algorithm);
    // `io::copy` uses 8 KiB, which makes the calls a measurable part of the time.
    let mut buffer = vec![0; 128 * 1024];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => writer.write_all(&buffer[..read])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let (_, digest, written) = writer.finish();
    Ok((digest, written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithms_return_published_digests() {
        let published = [
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "sha384:cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
            "sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            "blake3:6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
            "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
        ];
        for text in published {
            let parsed: Digest = text.parse().unwrap();
            assert_eq!(parsed.to_string(), text);
            assert_eq!(parsed.algorithm().digest(b"abc"), parsed);
        }
    }

    #[test]
    fn bare_hexadecimal_means_sha256() {
        let digest = Algorithm::Sha256.digest(b"");
        assert_eq!(digest.hex().parse(), Ok(digest));
    }

    #[test]
    fn invalid_digest_is_rejected() {
        assert_eq!("".parse::<Digest>(), Err(ParseError::Empty));
        assert!(matches!(
            "md5:00".parse::<Digest>(),
            Err(ParseError::Algorithm(_))
        ));
        assert!(matches!(
            "sha256:00".parse::<Digest>(),
            Err(ParseError::Hex { .. })
        ));
        assert!(matches!(
            "sha256:".parse::<Digest>(),
            Err(ParseError::Hex { .. })
        ));
    }

    #[test]
    fn unknown_algorithm_error_lists_algorithms() {
        assert_eq!(
            "md5".parse::<Algorithm>().unwrap_err().to_string(),
            "unsupported digest algorithm 'md5', must be one of: sha256, sha384, sha512, blake3, sha1"
        );
    }

    #[test]
    fn hashing_writer_counts_only_accepted_bytes() {
        struct Half(Vec<u8>);
        impl Write for Half {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                let taken = bytes.len().div_ceil(2);
                self.0.extend_from_slice(&bytes[..taken]);
                Ok(taken)
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut writer = HashingWriter::new(Half(Vec::new()), Algorithm::Sha256);
        writer.write_all(b"abcdefg").unwrap();
        let (inner, digest, written) = writer.finish();
        assert_eq!((inner.0.as_slice(), written), (b"abcdefg".as_slice(), 7));
        assert_eq!(digest, Algorithm::Sha256.digest(b"abcdefg"));
    }
}
