//! The name of a Git object.

use std::fmt;
use std::str::FromStr;

/// The SHA-1 name of a Git object.
///
/// Repositories whose objects are named by SHA-256 are refused when they say so
/// (`object-format`): libgit2 keeps them behind an unstable build option.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId([u8; 20]);

/// Why a text is no object name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an object name is 40 hexadecimal digits")]
pub struct InvalidObjectId;

impl ObjectId {
    /// All zero: Git's word for "no object".
    pub const ZERO: Self = Self([0; 20]);

    /// Reads 40 hexadecimal digits.
    pub fn parse(text: &[u8]) -> Result<Self, InvalidObjectId> {
        if text.len() != 40 {
            return Err(InvalidObjectId);
        }
        let mut id = [0; 20];
        for (byte, pair) in id.iter_mut().zip(text.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(id))
    }

    /// Takes the 20 bytes themselves.
    pub const fn from_bytes(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// The 20 bytes themselves.
    pub const fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// Is it Git's word for "no object"?
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    pub(crate) fn oid(self) -> git2::Oid {
        git2::Oid::from_bytes(&self.0).expect("an object name has 20 bytes")
    }
}

fn digit(character: u8) -> Result<u8, InvalidObjectId> {
    match character {
        b'0'..=b'9' => Ok(character - b'0'),
        b'a'..=b'f' => Ok(character - b'a' + 10),
        b'A'..=b'F' => Ok(character - b'A' + 10),
        _ => Err(InvalidObjectId),
    }
}

impl From<git2::Oid> for ObjectId {
    fn from(oid: git2::Oid) -> Self {
        let mut id = [0; 20];
        id.copy_from_slice(oid.as_bytes());
        Self(id)
    }
}

impl FromStr for ObjectId {
    type Err = InvalidObjectId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text.as_bytes())
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0 {
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_name_reads_back_as_printed() {
        let text = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(text.parse::<ObjectId>().unwrap().to_string(), text);
        for bad in ["", "0123", &"g".repeat(40), &"0".repeat(64)] {
            assert_eq!(bad.parse::<ObjectId>(), Err(InvalidObjectId), "{bad}");
        }
    }
}
