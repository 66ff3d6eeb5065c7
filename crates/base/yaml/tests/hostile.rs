//! Texts that are made to harm: every reader answers them with an error of its
//! class, in time and memory that the size of the text bounds. Random ones are
//! tried by `cargo xtask fuzz`.

#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use std::fmt::Write as _;

use sluice_yaml::{Error, ErrorKind, json, tree, v2, v3};

type Reader = fn(&[u8]) -> Result<(), Error>;

/// Every way into a YAML text, to the point where all of it has been used.
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
fn refused_by_all(text: &str, kind: ErrorKind) {
    for (name, read) in READERS {
        let error = read(text.as_bytes()).expect_err(name);
        assert_eq!(error.kind(), kind, "{name}: {error}");
    }
}

#[test]
fn deep_nesting_is_refused_in_every_style() {
    let depth = 20_000;
    refused_by_all(&"[".repeat(depth), ErrorKind::Limit);
    refused_by_all(&"{a: ".repeat(depth), ErrorKind::Limit);
    refused_by_all(&"- ".repeat(depth), ErrorKind::Limit);
    refused_by_all(&"? ".repeat(depth), ErrorKind::Limit);
    let mut block = String::new();
    for level in 0..2_000 {
        writeln!(block, "{:level$}a:", "").unwrap();
    }
    refused_by_all(&block, ErrorKind::Limit);
    let error = json::from_str(&"[".repeat(depth)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn aliases_that_multiply_are_refused_also_through_merge_keys() {
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
    refused_by_all(&lists, ErrorKind::Limit);
    refused_by_all(&maps, ErrorKind::Limit);
}

#[test]
fn an_anchor_that_contains_itself_is_refused() {
    for (name, read) in READERS {
        assert!(read(b"a: &a [*a]\n").is_err(), "{name}");
        assert!(read(b"&a {b: {<<: *a}}\n").is_err(), "{name}");
    }
}

#[test]
fn bytes_that_are_no_text_are_named() {
    for (bytes, message) in [
        (&b"a: \0\n"[..], "yaml: control characters are not allowed"),
        (b"a: \x1b[31m\n", "yaml: control characters are not allowed"),
        (b"a: \xff\n", "yaml: invalid leading UTF-8 octet"),
        (b"a: \xc3(\n", "yaml: invalid trailing UTF-8 octet"),
        (b"a: \xed\xa0\x80\n", "yaml: invalid Unicode character"),
    ] {
        for (name, read) in READERS {
            // It takes text, which has been checked before.
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
fn huge_scalars_and_wide_collections_are_read_in_one_go() {
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
