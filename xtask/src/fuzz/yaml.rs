//! The readers and writers of `sluice-yaml`: no text causes a panic, a hang or unbounded memory.
//! The second dialect reads its own output.

use sluice_yaml::tree::{self, Indent};
use sluice_yaml::{Value, json, v2, v3};

use super::Target;
use crate::differential::generator::Generator;
use crate::differential::handwritten::Writer;

const WORDS: &[&str] = &[
    "\n",
    "\n  ",
    "- ",
    "-\n",
    ": ",
    ":\n",
    "? ",
    "# c\n",
    " # c",
    "|\n",
    "|+2\n",
    ">-\n",
    "&a ",
    "*a",
    "<<: *a",
    "<<: [*a, *b]",
    "!!str ",
    "!!binary ",
    "!t ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "'",
    "\"",
    "\\\n",
    "---\n",
    "...\n",
    "%YAML 1.1\n",
    "%TAG ! x:\n",
    "\t",
    "\r\n",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "\\x41",
    "\\ud800",
    "\\U0010ffff",
    "~",
    "0x_1",
    "1e999",
    ".inf",
    "2001-01-01",
    "null",
    "true",
    "key",
    "a: &a [*a]\n",
    "[[[[[[[[",
    "{{{{{{{{",
    "- - - - - ",
];

/// The second dialect must read its output.
pub(super) const V2: Target = Target {
    name: "yaml-v2",
    run: |bytes| {
        let strict = str::from_utf8(bytes).map(v2::from_str_strict);
        let Ok(value) = v2::from_slice(bytes) else {
            assert!(
                !matches!(strict, Ok(Ok(_))),
                "only the strict reader reads it"
            );
            return;
        };
        stable(&value);
    },
    seeds: documents,
    words: WORDS,
};

/// Reads, inflates and writes trees, and converts them to values.
pub(super) const TREE: Target = Target {
    name: "yaml-tree",
    run: |bytes| {
        let Ok(Some(document)) = tree::parse_document(bytes) else {
            assert!(v3::from_slice(bytes).is_err() || bytes.is_empty() || is_blank(bytes));
            return;
        };
        let mut root = document.root;
        let written = tree::to_string(&root, Indent::Compact);
        drop(tree::to_string(&root, Indent::Wide));
        tree::indent_of(&written);
        drop(tree::parse_documents(&written));
        if root.expand_aliases().is_ok()
            && let Ok(value) = root.to_value()
        {
            taken_back(&value);
        }
    },
    seeds: documents,
    words: WORDS,
};

/// Uses the input as a string value: the output of every writer must be readable.
pub(super) const WRITERS: Target = Target {
    name: "yaml-writers",
    run: |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let mut parts = text
            .splitn(3, '\n')
            .map(|part| Value::String(part.to_owned()));
        let (first, second) = (parts.next(), parts.next());
        let value = serde_json::json!({ "a": text, "b": [first, {"c": second}] });
        stable(&value);
        assert_eq!(json::from_str(&json::to_string(&value)), Ok(value.clone()));
        taken_back(&value);
    },
    seeds: documents,
    words: WORDS,
};

/// JSON must survive reading and writing.
pub(super) const JSON: Target = Target {
    name: "json",
    run: |bytes| {
        if let Ok(value) = json::from_slice(bytes) {
            let text = json::to_string(&value);
            assert_eq!(json::from_str(&text), Ok(value));
        }
    },
    seeds: || {
        let mut generator = Generator::new(2);
        let values = (0..200).map(|_| json::to_string(&generator.tree(4)).into_bytes());
        values.collect()
    },
    words: &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u",
        "\\ud83d\\ude00",
        "null",
        "true",
        "1e5",
        "-0",
        "0.1",
        "18446744073709551616",
        " ",
        "\n",
        "[[[[[[",
        "{\"a\":",
    ],
};

/// The output must parse to a value with the same output.
fn stable(value: &Value) {
    let written = v2::to_string(value);
    // The next-line character changes with each pass through a reader.
    if written.contains("\\N") || written.contains('\u{85}') || !is_readable(value) {
        return;
    }
    let read = v2::from_str(&written).expect("written YAML is valid");
    assert_eq!(v2::to_string(&read), written);
}

/// A value must survive the conversion to a tree. Version 3 cannot read some of its own output,
/// such as a block that begins with a tab.
fn taken_back(value: &Value) {
    if let Ok(read) = tree::Node::from_value(value).to_value() {
        assert_eq!(read, *value);
    }
}

/// Skips keys that the reference writes but cannot read: an unquoted `<<`, or a too long key.
fn is_readable(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(is_readable),
        Value::Object(map) => map
            .iter()
            .all(|(key, item)| key != "<<" && key.len() < 1000 && is_readable(item)),
        _ => true,
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    matches!(v3::from_slice(bytes), Ok(Value::Null))
}

fn documents() -> Vec<Vec<u8>> {
    let mut generator = Generator::new(1);
    let mut seeds = Vec::new();
    for _ in 0..200 {
        seeds.push(Writer::new(&mut generator).document().into_bytes());
        seeds.push(generator.document().into_bytes());
    }
    seeds
}
