//! Parses tree objects.
//!
//! libgit2 is not used, because it repairs content that must be rejected.

use super::Kind;
use crate::id::ObjectId;

/// An entry of a tree object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawEntry {
    pub(crate) mode: u32,
    pub(crate) name: Vec<u8>,
    pub(crate) id: ObjectId,
}

/// Parses a tree: octal mode, space, name, NUL, 20 bytes of ID.
pub(crate) fn parse(mut data: &[u8]) -> Result<Vec<RawEntry>, &'static str> {
    let mut entries = Vec::new();
    while !data.is_empty() {
        let space = data
            .iter()
            .position(|byte| *byte == b' ')
            .ok_or("a mode does not end")?;
        let mode = mode(&data[..space]).ok_or("a mode is not an octal number")?;
        data = &data[space + 1..];
        let zero = data
            .iter()
            .position(|byte| *byte == 0)
            .ok_or("a name does not end")?;
        let name = data[..zero].to_vec();
        let id = data[zero + 1..]
            .first_chunk::<20>()
            .ok_or("an object ID is cut off")?;
        entries.push(RawEntry {
            mode,
            name,
            id: ObjectId::from_bytes(*id),
        });
        data = &data[zero + 21..];
    }
    Ok(entries)
}

fn mode(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 7 {
        return None;
    }
    digits.iter().try_fold(0, |mode, digit| match digit {
        b'0'..=b'7' => Some(mode << 3 | u32::from(digit - b'0')),
        _ => None,
    })
}

/// The kind of a mode. Old repositories have modes like 100664.
pub(crate) const fn kind(mode: u32) -> Option<Kind> {
    match mode & 0o170_000 {
        0o040_000 => Some(Kind::Directory),
        0o100_000 => Some(Kind::File {
            executable: mode & 0o111 != 0,
        }),
        0o120_000 => Some(Kind::Symlink),
        0o160_000 => Some(Kind::Submodule),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tree_is_parsed() {
        let id = [7; 20];
        let data = [b"100644 a\0".as_slice(), &id, b"40000 b c\0", &id].concat();
        let entries = parse(&data).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!(
            (entries[0].mode, entries[0].name.as_slice()),
            (0o100_644, b"a".as_slice())
        );
        assert_eq!(
            (entries[1].mode, entries[1].name.as_slice()),
            (0o40_000, b"b c".as_slice())
        );
        assert_eq!(parse(b""), Ok(vec![]));
    }

    #[test]
    fn truncated_tree_is_an_error() {
        let data = [b"100644 a\0".as_slice(), &[7; 20]].concat();
        for length in 1..data.len() {
            assert!(parse(&data[..length]).is_err(), "{length}");
        }
        for bad in ["10064x a\0", " a\0", "77777777 a\0"] {
            assert!(
                parse(&[bad.as_bytes(), &[7; 20]].concat()).is_err(),
                "{bad}"
            );
        }
    }

    #[test]
    fn modes_have_kinds() {
        assert_eq!(kind(0o100_644), Some(Kind::File { executable: false }));
        assert_eq!(kind(0o100_664), Some(Kind::File { executable: false }));
        assert_eq!(kind(0o100_755), Some(Kind::File { executable: true }));
        assert_eq!(kind(0o040_000), Some(Kind::Directory));
        assert_eq!(kind(0o120_000), Some(Kind::Symlink));
        assert_eq!(kind(0o160_000), Some(Kind::Submodule));
        assert_eq!(kind(0), None);
        assert_eq!(kind(0o060_644), None);
    }
}
