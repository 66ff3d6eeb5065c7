//! Git object IDs.

use std::fmt;
use std::str::FromStr;

/// A SHA-1 object ID.
///
/// Repositories with SHA-256 IDs (`object-format`) are rejected. libgit2 supports them only with an
/// unstable build option.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId([u8; 20]);

/// A text that is not an object ID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an object name is 40 hexadecimal digits")]
pub struct InvalidObjectId;

impl ObjectId {
    /// Git's ID for "no object".
    pub const ZERO: Self = Self([0; 20]);

    /// Parses 40 hexadecimal digits.
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

    /// Creates an ID from its bytes.
    pub const fn from_bytes(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// The bytes of the ID.
    pub const fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// Whether this is the ID for "no object".
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    pub(crate) fn oid(self) -> git2::Oid {
        git2::Oid::from_bytes(&self.0).expect("an object ID has 20 bytes")
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
    fn object_id_round_trips_through_text() {
        let text = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(text.parse::<ObjectId>().unwrap().to_string(), text);
        for bad in ["", "0123", &"g".repeat(40), &"0".repeat(64)] {
            assert_eq!(bad.parse::<ObjectId>(), Err(InvalidObjectId), "{bad}");
        }
    }
}
