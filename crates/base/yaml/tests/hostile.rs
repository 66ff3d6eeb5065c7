//! Hostile texts. Every reader rejects them with an error of the right class. Time and memory are
//! bounded by the size of the text. `cargo xtask fuzz` tries random ones.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use sluice_yaml::{Error, ErrorKind, json, tree, v2, v3};

type Reader = fn(&[u8]) -> Result<(), Error>;

/// Every reader, up to the point where the whole text has been used.
const READERS: [(&str, Reader); 4] = [
    ("v2", |bytes| v2::from_slice(bytes).map(drop)),
    ("strict", |bytes| {
        v2::from_str_strict(&String::from_utf8_lossy(bytes)).map(drop)
    }),
    ("v3", |bytes| v3::from_slice(bytes).map(drop)),
    ("tree", |bytes| {
        let mut root = tree::parse_document(bytes)?.unwrap().root;
        root.expand_aliases()?;
        root.to_value().map(drop)
    }),
];

#[track_caller]
fn assert_all_reject(text: &str, kind: ErrorKind) {
    for (name, read) in READERS {
        let error = read(text.as_bytes()).expect_err(name);
        assert_eq!(error.kind(), kind, "{name}: {error}");
    }
}

#[test]
fn deep_nesting_is_rejected_in_every_style() {
    let depth = 20_000;
    assert_all_reject(&"[".repeat(depth), ErrorKind::Limit);
    assert_all_reject(&"{a: ".repeat(depth), ErrorKind::Limit);
    assert_all_reject(&"- ".repeat(depth), ErrorKind::Limit);
    assert_all_reject(&"? ".repeat(depth), ErrorKind::Limit);
    let mut block = String::new();
    for level in 0..2_000 {
        writeln!(block, "{:level$}a:", "").unwrap();
    }
    assert_all_reject(&block, ErrorKind::Limit);
    let error = json::from_str(&"[".repeat(depth)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn multiplying_aliases_are_rejected_also_in_merges() {
    let mut lists = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    let mut maps = "a0: &a0 {x: 1, y: 2, z: 3}\n".to_owned();
    for level in 1..14 {
        let before = level - 1;
        let items = vec![format!("*a{before}"); 10].join(", ");
        writeln!(lists, "a{level}: &a{level} [{items}]").unwrap();
        let items: Vec<_> = (0..10)
            .map(|n| format!("k{n}: {{<<: *a{before}}}"))
            .collect();
        writeln!(maps, "a{level}: &a{level} {{{}}}", items.join(", ")).unwrap();
    }
    assert_all_reject(&lists, ErrorKind::Limit);
    assert_all_reject(&maps, ErrorKind::Limit);
}

#[test]
fn anchor_that_contains_itself_is_rejected() {
    for (name, read) in READERS {
        assert!(read(b"a: &a [*a]\n").is_err(), "{name}");
        assert!(read(b"&a {b: {<<: *a}}\n").is_err(), "{name}");
    }
}

#[test]
fn invalid_utf8_is_rejected_with_its_position() {
    for (bytes, message) in [
        (&b"a: \0\n"[..], "yaml: control characters are not allowed"),
        (b"a: \x1b[31m\n", "yaml: control characters are not allowed"),
        (b"a: \xff\n", "yaml: invalid leading UTF-8 octet"),
        (b"a: \xc3(\n", "yaml: invalid trailing UTF-8 octet"),
        (b"a: \xed\xa0\x80\n", "yaml: invalid Unicode character"),
    ] {
        for (name, read) in READERS {
            // The strict reader takes a string, which is valid UTF-8.
            if name == "strict" && !bytes.is_ascii() {
                continue;
            }
            let error = read(bytes).expect_err(name);
            assert_eq!(error.to_string(), message, "{name}");
            assert_eq!(error.kind(), ErrorKind::Syntax, "{name}");
        }
    }
}

#[test]
fn huge_scalars_and_wide_collections_are_accepted() {
    let word = "x".repeat(256 << 10);
    let wide = "- a\n".repeat(20_000);
    for text in [
        format!("a: {word}\n"),
        format!("a: '{word}'\n"),
        format!("a: \"{word}\"\n"),
        format!("a: |\n  {word}\n"),
        format!("a: {}\n", "w ".repeat(1 << 16)),
        format!("a: |\n{}", "  w\n".repeat(1 << 14)),
        format!("# {word}\na: 1\n"),
        wide,
    ] {
        for (name, read) in READERS {
            assert!(read(text.as_bytes()).is_ok(), "{name}: {}", &text[..8]);
        }
    }
}
