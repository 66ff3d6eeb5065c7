//! Names that no file of a repository may have.
//!
//! The rules are those of git's own checks before a checkout, with the protection
//! of HFS+ and NTFS switched on everywhere: an artifact may be unpacked anywhere.

/// Refuses a name that is no plain name of one file.
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
    // A backslash is an ordinary character here and a separator on Windows.
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

/// Is it `.git`, to any file system that we know?
fn is_git_directory(name: &[u8]) -> bool {
    // NTFS: another stream of a file, and spaces and dots at the end, do not count.
    let stem = name.split(|byte| *byte == b':').next().unwrap_or_default();
    let end = stem
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'.'))
        .map_or(0, |at| at + 1);
    let stem = &stem[..end];
    if stem.eq_ignore_ascii_case(b".git") || stem.eq_ignore_ascii_case(b"git~1") {
        return true;
    }
    // HFS+: characters that nobody sees do not count.
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
    fn names_that_lead_out_or_into_git_are_refused() {
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
