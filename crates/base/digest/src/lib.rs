//! Digests of artifacts and registry content: algorithms, text forms and hashing.
//!
//! A [`Digest`] always names a known algorithm and has its length, so every value can be
//! verified. Two text forms exist: [`Digest::from_str`](std::str::FromStr) reads the strict form
//! of registries, [`Digest::parse_artifact`] the wider form of Flux's artifacts. Start at
//! [`Algorithm`] and [`HashingWriter`].

use std::fmt;
use std::io::{self, Read, Write};
use std::str::FromStr;

use aws_lc_rs::digest as lc;

/// A hash function of a digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// Every algorithm, in the order of messages.
    pub const ALL: [Self; 5] = [
        Self::Sha256,
        Self::Sha384,
        Self::Sha512,
        Self::Blake3,
        Self::Sha1,
    ];

    /// Returns the name before the colon.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
            Self::Sha384 => "sha384",
            Self::Sha512 => "sha512",
            Self::Blake3 => "blake3",
        }
    }

    /// Returns the number of bytes of the output.
    pub const fn length(self) -> usize {
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

    /// Computes the digest of bytes in memory.
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

/// An algorithm name that is not in the table.
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

/// A digest of an artifact that cannot be verified.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text is empty: an artifact without a digest is never trusted.
    #[error("digest is empty")]
    Empty,
    /// The algorithm before the colon is unknown.
    #[error(transparent)]
    Algorithm(#[from] UnknownAlgorithm),
    /// The part after the colon is not hexadecimal of the right length.
    #[error("digest '{digest}' is not {expected} hexadecimal characters after its algorithm")]
    Hex {
        /// The text as given.
        digest: String,
        /// The number of characters that the algorithm yields.
        expected: usize,
    },
}

/// A digest of a registry that is not in the strict form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a digest: expected sha256: or sha512: with lower-case hexadecimal")]
pub struct InvalidDigest(String);

/// The longest text that [`InvalidDigest`] quotes, in characters.
const MAX_QUOTED_CHARS: usize = 160;

impl InvalidDigest {
    /// Quotes a text of a server: a control character would reach the user's terminal.
    fn new(text: &str) -> Self {
        let shown = text.chars().take(MAX_QUOTED_CHARS);
        let mut shown: String = shown
            .map(|character| {
                let plain = character.is_ascii_graphic() || character.is_alphanumeric();
                if plain { character } else { ' ' }
            })
            .collect();
        if text.chars().count() > MAX_QUOTED_CHARS {
            shown.push('…');
        }
        Self(shown)
    }
}

/// An algorithm and its output, printed as `<algorithm>:<hex>`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest {
    algorithm: Algorithm,
    /// Lower-case hexadecimal of the algorithm's length.
    hex: Box<str>,
}

impl Digest {
    /// Computes the SHA-256 digest of bytes in memory.
    pub fn of(bytes: &[u8]) -> Self {
        Algorithm::Sha256.digest(bytes)
    }

    /// Parses `<algorithm>:<hex>` of any [`Algorithm`], the form of Flux's artifacts.
    ///
    /// Bare hexadecimal means SHA-256. Upper-case digits are accepted.
    pub fn parse_artifact(text: &str) -> Result<Self, ParseError> {
        if text.is_empty() {
            return Err(ParseError::Empty);
        }
        let (algorithm, hex) = match text.split_once(':') {
            Some((name, hex)) => (name.parse()?, hex),
            None => (Algorithm::Sha256, text),
        };
        if hex.len() == algorithm.length() * 2 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            Ok(Self {
                algorithm,
                hex: hex.to_ascii_lowercase().into(),
            })
        } else {
            Err(ParseError::Hex {
                digest: text.to_owned(),
                expected: algorithm.length() * 2,
            })
        }
    }

    /// Returns the algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the output in lower-case hexadecimal, without the algorithm.
    pub fn hex(&self) -> &str {
        &self.hex
    }

    /// Reports whether bytes in memory have this digest.
    pub fn matches(&self, bytes: &[u8]) -> bool {
        self.algorithm.digest(bytes) == *self
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.algorithm, self.hex)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for Digest {
    type Err = InvalidDigest;

    /// Parses the strict form of registries: `sha256:` or `sha512:` with lower-case hexadecimal.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digest = Self::parse_artifact(text).map_err(|_| InvalidDigest::new(text))?;
        let is_secure = matches!(digest.algorithm, Algorithm::Sha256 | Algorithm::Sha512);
        // The comparison refuses bare hexadecimal and upper-case digits.
        if is_secure && digest.to_string() == text {
            Ok(digest)
        } else {
            Err(InvalidDigest::new(text))
        }
    }
}

impl serde::Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Reads the strict form of registries.
impl<'de> serde::Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A hash under way.
pub struct Hasher {
    algorithm: Algorithm,
    state: State,
}

enum State {
    Lc(lc::Context),
    // Boxed: its state takes two kilobytes, which would enlarge the other variant.
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

    /// Ends the hash and returns the digest of all added bytes.
    pub fn finish(self) -> Digest {
        let hex = match self.state {
            State::Lc(context) => hex::encode(context.finish()),
            State::Blake3(hasher) => hex::encode(hasher.finalize().as_bytes()),
        };
        Digest {
            algorithm: self.algorithm,
            hex: hex.into(),
        }
    }
}

/// Hashes and counts the bytes that the inner writer accepts.
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
        let accepted = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..accepted]);
        self.written += accepted as u64;
        Ok(accepted)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Reads to the end. Returns the digest and the number of bytes.
pub fn hash_reader(algorithm: Algorithm, mut reader: impl Read) -> io::Result<(Digest, u64)> {
    let mut writer = HashingWriter::new(io::sink(), algorithm);
    // `io::copy` uses 8 KiB, with which system calls take a visible part of the time.
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
    fn every_algorithm_matches_its_published_digest() {
        let published = [
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "sha384:cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
            "sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            "blake3:6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
            "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
        ];
        for text in published {
            let parsed = Digest::parse_artifact(text).unwrap();
            assert_eq!(parsed.to_string(), text);
            assert_eq!(parsed.algorithm().digest(b"abc"), parsed);
        }
    }

    #[test]
    fn artifact_digest_may_be_bare_or_upper_case() {
        let digest = Digest::of(b"");
        let upper = digest.hex().to_uppercase();
        assert_eq!(Digest::parse_artifact(digest.hex()), Ok(digest.clone()));
        assert_eq!(
            Digest::parse_artifact(&format!("sha256:{upper}")),
            Ok(digest)
        );
    }

    #[test]
    fn artifact_digest_that_cannot_be_verified_is_rejected() {
        assert_eq!(Digest::parse_artifact(""), Err(ParseError::Empty));
        assert!(matches!(
            Digest::parse_artifact("md5:00"),
            Err(ParseError::Algorithm(_))
        ));
        for text in [
            "sha256:",
            "sha256:00",
            &format!("sha256:{}", "é".repeat(32)),
        ] {
            assert!(matches!(
                Digest::parse_artifact(text),
                Err(ParseError::Hex { .. })
            ));
        }
    }

    #[test]
    fn registry_digest_outside_of_the_strict_form_is_rejected() {
        let good = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert!(good.parse::<Digest>().unwrap().matches(b"abc"));
        for bad in [
            "",
            "latest",
            "sha256:",
            "sha256:00",
            "md5:900150983cd24fb0d6963f7d28e17f72",
            "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
            &Algorithm::Blake3.digest(b"abc").to_string(),
            &good["sha256:".len()..],
            &good.to_uppercase(),
            &good.replace("ad", "AD"),
            &format!("{good}\u{1b}[31m"),
        ] {
            let error = bad.parse::<Digest>().unwrap_err().to_string();
            assert!(!error.contains('\u{1b}'), "{error}");
        }
    }

    #[test]
    fn unknown_algorithm_error_lists_the_known_ones() {
        assert_eq!(
            "md5".parse::<Algorithm>().unwrap_err().to_string(),
            "unsupported digest algorithm 'md5', must be one of: sha256, sha384, sha512, blake3, sha1"
        );
    }

    #[test]
    fn writer_hashes_only_accepted_bytes() {
        struct Half(Vec<u8>);
        impl Write for Half {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                let accepted = bytes.len().div_ceil(2);
                self.0.extend_from_slice(&bytes[..accepted]);
                Ok(accepted)
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut writer = HashingWriter::new(Half(Vec::new()), Algorithm::Sha256);
        writer.write_all(b"abcdefg").unwrap();
        let (inner, digest, written) = writer.finish();
        assert_eq!((inner.0.as_slice(), written), (b"abcdefg".as_slice(), 7));
        assert_eq!(digest, Digest::of(b"abcdefg"));
    }
}
