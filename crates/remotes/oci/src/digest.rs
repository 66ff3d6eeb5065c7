//! Digests as registries write them: `sha256:<hex>`.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::digest as lc;

/// The name of some content. A value that exists can be checked.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest {
    algorithm: Algorithm,
    hex: Box<str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Algorithm {
    Sha256,
    Sha512,
}

impl Algorithm {
    const fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Sha512 => "sha512",
        }
    }

    fn function(self) -> &'static lc::Algorithm {
        match self {
            Self::Sha256 => &lc::SHA256,
            Self::Sha512 => &lc::SHA512,
        }
    }
}

/// A text that is no digest of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no digest: expected sha256: or sha512: with lower-case hexadecimal")]
pub struct InvalidDigest(String);

impl Digest {
    /// The SHA-256 digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut hasher = Hasher::new(Algorithm::Sha256);
        hasher.update(bytes);
        hasher.finish()
    }

    /// The algorithm's name.
    pub const fn algorithm(&self) -> &'static str {
        self.algorithm.name()
    }

    /// The part after the colon.
    pub fn hex(&self) -> &str {
        &self.hex
    }

    /// Starts hashing with this digest's algorithm.
    pub fn hasher(&self) -> Hasher {
        Hasher::new(self.algorithm)
    }

    /// Tells whether some bytes are those that this names.
    pub fn matches(&self, bytes: &[u8]) -> bool {
        let mut hasher = self.hasher();
        hasher.update(bytes);
        hasher.finish() == *self
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.algorithm.name(), self.hex)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for Digest {
    type Err = InvalidDigest;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid = || InvalidDigest(crate::error::printable(text, 160));
        let (name, hex) = text.split_once(':').ok_or_else(invalid)?;
        let algorithm = [Algorithm::Sha256, Algorithm::Sha512]
            .into_iter()
            .find(|algorithm| algorithm.name() == name)
            .ok_or_else(invalid)?;
        let lower = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if hex.len() == algorithm.function().output_len() * 2 && hex.bytes().all(lower) {
            Ok(Self {
                algorithm,
                hex: hex.into(),
            })
        } else {
            Err(invalid())
        }
    }
}

impl serde::Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A hash that is being fed.
pub struct Hasher {
    algorithm: Algorithm,
    context: lc::Context,
}

impl Hasher {
    fn new(algorithm: Algorithm) -> Self {
        Self {
            algorithm,
            context: lc::Context::new(algorithm.function()),
        }
    }

    /// Starts a SHA-256 hash.
    pub fn sha256() -> Self {
        Self::new(Algorithm::Sha256)
    }

    /// Feeds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.context.update(bytes);
    }

    /// Ends the hash.
    pub fn finish(self) -> Digest {
        Digest {
            algorithm: self.algorithm,
            hex: hex::encode(self.context.finish()).into(),
        }
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("Hasher")
            .field(&self.algorithm)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_checked_is_a_digest() {
        let good = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(b"abc").to_string(), good);
        assert!(good.parse::<Digest>().unwrap().matches(b"abc"));
        for bad in [
            "",
            "latest",
            "sha256:",
            "sha256:00",
            "md5:900150983cd24fb0d6963f7d28e17f72",
            &good.to_uppercase(),
            &good.replace("ad", "AD"),
            &format!("{good}\u{1b}[31m"),
        ] {
            let error = bad.parse::<Digest>().unwrap_err().to_string();
            assert!(!error.contains('\u{1b}'), "{error}");
        }
    }
}
