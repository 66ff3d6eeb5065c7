//! Checks file names in repositories.
//!
//! The rules are git's own checks before a checkout. The protection of HFS+ and NTFS is always
//! enabled, because an artifact may be unpacked on any system.

/// Rejects names that are unsafe for a file.
pub(crate) fn check(name: &[u8]) -> Result<(), &'static str> {
    if name.is_empty() {
        return Err("the name is empty");
    }
    if name == b"." || name == b".." {
        return Err("the name leads elsewhere");
    }
    if name.contains(&b'/') {
        return Err("the name contains a slash");
    }
    if name.iter().any(|byte| *byte < 0x20 || *byte == 0x7f) {
        return Err("the name contains control characters");
    }
    // A backslash is a separator on Windows.
    for part in name.split(|byte| *byte == b'\\') {
        if name.contains(&b'\\') && part == b".." {
            return Err("the name leads elsewhere");
        }
        if is_git_directory(part) {
            return Err("the name is one of Git's own directory");
        }
    }
    Ok(())
}

/// Whether the name means `.git` on any known file system.
fn is_git_directory(name: &[u8]) -> bool {
    // NTFS ignores stream names, and trailing spaces and dots.
    let stem = name.split(|byte| *byte == b':').next().unwrap_or_default();
    let end = stem
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'.'))
        .map_or(0, |at| at + 1);
    let stem = &stem[..end];
    if stem.eq_ignore_ascii_case(b".git") || stem.eq_ignore_ascii_case(b"git~1") {
        return true;
    }
    // HFS+ ignores invisible characters.
    std::str::from_utf8(name).is_ok_and(|name| {
        let seen = name.chars().filter(|character| !ignored_by_hfs(*character));
        seen.flat_map(char::to_lowercase).eq(".git".chars())
    })
}

const fn ignored_by_hfs(character: char) -> bool {
    matches!(
        character,
        '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_names_are_rejected() {
        let bad: [&str; 22] = [
            "",
            ".",
            "..",
            "a/b",
            "/",
            "a\0b",
            "a\nb",
            "a\x7f",
            ".git",
            ".GIT",
            ".Git",
            ".git ",
            ".git.",
            ".git. .",
            "git~1",
            "GIT~1",
            ".git::$INDEX_ALLOCATION",
            ".g\u{200c}it",
            "\u{feff}.git",
            "a\\..\\b",
            "a\\.git\\config",
            ".git:x",
        ];
        for name in bad {
            assert!(check(name.as_bytes()).is_err(), "{name:?}");
        }
    }

    #[test]
    fn ordinary_names_pass() {
        let good: [&[u8]; 12] = [
            b"a",
            b".gitignore",
            b".gitmodules",
            b".gitattributes",
            b".github",
            b"...",
            b"git",
            b"git~2",
            b"foo\\x2dbar.service",
            b"a b",
            "ü".as_bytes(),
            b"\xff\xfe",
        ];
        for name in good {
            check(name).unwrap();
        }
    }
}
