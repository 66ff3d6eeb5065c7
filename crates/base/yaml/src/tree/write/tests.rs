//! Tests of written trees: styles, quotes and comments as in go-yaml.

use crate::tree::{Indent, Node, indent_of, parse_documents, to_string};

#[track_caller]
fn assert_writes(text: &str, written: &str) {
    let node = &parse_documents(text).unwrap()[0];
    assert_eq!(to_string(node, Indent::Compact), written);
}

#[test]
fn styles_and_tags_are_preserved() {
    assert_writes(
        "a:   'x'\nb: \"y\"\nc: !!str 1\nd: [1,   {e: f}]\n",
        "a: 'x'\nb: \"y\"\nc: !!str 1\nd: [1, {e: f}]\n",
    );
    assert_writes(
        "a: |\n    x\n    y\nb: >-\n  z\n",
        "a: |\n  x\n  y\nb: >-\n  z\n",
    );
}

#[test]
fn sequences_indent_as_requested() {
    let node = &parse_documents("a:\n    - b:\n      - c\n").unwrap()[0];
    assert_eq!(to_string(node, Indent::Compact), "a:\n- b:\n  - c\n");
    assert_eq!(to_string(node, Indent::Wide), "a:\n  - b:\n      - c\n");
}

#[test]
fn indent_of_returns_the_first_sequence() {
    assert_eq!(indent_of("a:\n- b\n"), Indent::Compact);
    assert_eq!(indent_of("a:\n  - b\n"), Indent::Wide);
    assert_eq!(indent_of("a: # why\n  # because\n  - b\n"), Indent::Wide);
    assert_eq!(indent_of("- a\n- b:\n    - c\nd:\n- e\n"), Indent::Compact);
    assert_eq!(indent_of("a: |\n  - b\nc:\n  - d\n"), Indent::Wide);
}

#[test]
fn ambiguous_strings_are_quoted() {
    let node = Node::map([
        ("a", Node::string("1")),
        ("b", Node::string("yes")),
        ("c", Node::int(1)),
    ]);
    assert_eq!(
        to_string(&node, Indent::Compact),
        "a: \"1\"\nb: yes\nc: 1\n"
    );
}
