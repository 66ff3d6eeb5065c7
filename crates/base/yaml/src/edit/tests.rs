//! Tests of edits: values change, and comments and layout stay.

use proptest::prelude::*;

use super::*;

/// Replaces all scalars with a value.
fn replace(text: &[u8], old: &str, new: &str) -> Result<Vec<u8>, NotReplaceable> {
    let mut editor = Editor::new(text).unwrap();
    for event in editor.events() {
        if let EventKind::Scalar(scalar) = event.unwrap().kind
            && scalar.value == old
        {
            editor.replace_scalar(&scalar, new)?;
        }
    }
    Ok(editor.finish())
}

#[track_caller]
fn assert_replaced(before: &str, old: &str, new: &str, after: &str) {
    let edited = replace(before.as_bytes(), old, new).unwrap();
    assert_eq!(str::from_utf8(&edited).unwrap(), after);
}

#[test]
fn notation_of_a_scalar_stays() {
    for (before, after) in [
        ("a: v1 # c", "a: v2 # c"),
        ("a: 'v1'  # c", "a: 'v2'  # c"),
        ("a: \"v1\"\t# c", "a: \"v2\"\t# c"),
        ("a: \"\\x761\"", "a: \"v2\""),
        ("- v1\n-   v1   \n", "- v2\n-   v2   \n"),
        ("{a: v1, b: [v1,'v1' ]}", "{a: v2, b: [v2,'v2' ]}"),
        ("? k\n: v1\n", "? k\n: v2\n"),
        ("a: &x v1\nb: *x\n", "a: &x v2\nb: *x\n"),
        ("a: !!str v1\n", "a: !!str v2\n"),
        ("a: !t &x\n  v1\nb: 2\n", "a: !t &x\n  v2\nb: 2\n"),
        ("é: ☃ \nb: v1 # 컨테이너\n", "é: ☃ \nb: v2 # 컨테이너\n"),
        ("a: v1", "a: v2"),
    ] {
        assert_replaced(before, "v1", "v2", after);
    }
}

#[test]
fn all_other_bytes_stay() {
    assert_replaced(
        "\u{feff}# head\r\n\r\n---\r\na:   v1\t# {}\r\n\n\nb: |\n  v1\n\n   x\r\nc: >-\n  v1 \n...\n---\n- v1 # z",
        "v1",
        "v2",
        "\u{feff}# head\r\n\r\n---\r\na:   v2\t# {}\r\n\n\nb: |\n  v1\n\n   x\r\nc: >-\n  v1 \n...\n---\n- v2 # z",
    );
}

#[test]
fn omitted_value_is_inserted() {
    for (before, after) in [
        ("a: # c\nb: 1\n", "a: v2 # c\nb: 1\n"),
        ("a:\nb: 1\n", "a: v2\nb: 1\n"),
        ("a:", "a: v2"),
        ("- # c\n- 1\n", "- v2 # c\n- 1\n"),
        ("a: &x # c\nb: 1\n", "a: &x v2 # c\nb: 1\n"),
        ("a: !!str\n", "a: !!str v2\n"),
        ("{a: , b: 1}", "{a: v2 , b: 1}"),
        ("{\"a\":,\"b\":1}", "{\"a\": v2,\"b\":1}"),
        ("{\"a\":}", "{\"a\": v2}"),
        ("[a: ]", "[a: v2 ]"),
    ] {
        assert_replaced(before, "", "v2", after);
    }
    for text in ["{a}", "? a\n", "--- # c\n"] {
        let replaced = replace(text.as_bytes(), "", "v2");
        assert_eq!(replaced, Err(NotReplaceable::NoPlace), "{text}");
    }
}

/// The reference quotes a plain value that YAML 1.1 or go-yaml v3 does not read as a string.
#[test]
fn plain_value_of_another_type_is_quoted() {
    for value in [
        "1.10",
        "010",
        "0o17",
        "1e3",
        "yes",
        "null",
        "~",
        "true",
        "2024-01-01",
        "",
        ".inf",
        "0x1f",
        "1_000",
    ] {
        assert_replaced("a: v1", "v1", value, &format!("a: \"{value}\""));
        assert_replaced("a: 'v1'", "v1", value, &format!("a: '{value}'"));
    }
    for value in ["v1.10", "1.2.3", "app:1.10", "h:5000/a/b@sha256:00", "1-rc"] {
        assert_replaced("[v1]", "v1", value, &format!("[{value}]"));
    }
}

#[test]
fn special_characters_are_escaped() {
    for (value, plain, single) in [
        ("a'b", "\"a'b\"", "'a''b'"),
        ("a\"b\\", "\"a\\\"b\\\\\"", "'a\"b\\'"),
        ("a\nb", "\"a\\nb\"", "\"a\\nb\""),
        ("a # b", "\"a # b\"", "'a # b'"),
        ("a: b", "\"a: b\"", "'a: b'"),
        ("- a", "\"- a\"", "'- a'"),
        ("a:", "\"a:\"", "'a:'"),
        ("\u{7}", "\"\\u0007\"", "\"\\u0007\""),
        ("é", "\"é\"", "'é'"),
    ] {
        assert_replaced("a: v1 # c", "v1", value, &format!("a: {plain} # c"));
        assert_replaced("a: 'v1'", "v1", value, &format!("a: {single}"));
    }
}

#[test]
fn scalars_of_several_lines_are_refused() {
    for (text, old, reason) in [
        ("a: |\n  v1\n", "v1\n", NotReplaceable::Block),
        ("a: >-\n  v1\n", "v1", NotReplaceable::Block),
        ("a: v1\n  x\n", "v1 x", NotReplaceable::MultiLine),
        ("a: 'v1\n  x'\n", "v1 x", NotReplaceable::MultiLine),
        ("a: \"v1\\\r\n  x\"\n", "v1x", NotReplaceable::MultiLine),
    ] {
        assert_eq!(replace(text.as_bytes(), old, "v2"), Err(reason), "{text}");
    }
}

#[test]
fn text_without_replacement_is_unchanged() {
    let text = b"\xef\xbb\xbfa: [1,\n 2]\r";
    let editor = Editor::new(text).unwrap();
    assert!(!editor.is_changed());
    assert_eq!(editor.finish(), text);
    assert!(Editor::new(b"\xff\xfea\0").is_err());
    assert!(Editor::new(b"a: \0").is_err());
}

#[test]
fn events_end_after_an_error() {
    for text in ["a: *x", "a: [", "a: &x 1\n---\nb: *x\n", "a: 'b"] {
        let events: Vec<_> = Editor::new(text.as_bytes()).unwrap().events().collect();
        assert!(events.last().unwrap().is_err(), "{text}");
        assert_eq!(events.iter().filter(|event| event.is_err()).count(), 1);
    }
}

/// A scalar in one of the notations, as text.
fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9]{1,4}(:[a-z0-9.]{1,4})?",
        "'[a-z0-9 :#é]{0,4}'",
        "\"[a-z0-9 :#é]{0,4}\"",
        Just(String::new()),
    ]
}

/// A document of block mappings, sequences and flow collections, with comments and line ends.
fn document() -> impl Strategy<Value = String> {
    let end = prop_oneof![
        Just("\n"),
        Just("\r\n"),
        Just(" # c\n"),
        Just("\n\n"),
        Just("\n  # d\n")
    ];
    let line = (scalar(), scalar(), end, 0..4).prop_map(|(one, two, end, form)| match form {
        0 => format!(" {one}{end}"),
        1 => format!("\n- {one}\n-  {two}{end}"),
        2 => format!(" {{\"x\": {one}, y: [{two} , z]}}{end}"),
        _ => format!("\n   n: {one}{end}   m:   &q {two}\n"),
    });
    prop::collection::vec(line, 1..8).prop_map(|lines| {
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            text.push('k');
            text.push_str(&index.to_string());
            text.push(':');
            text.push_str(line);
        }
        text
    })
}

proptest! {
    #[test]
    fn replaced_scalar_is_the_only_difference(
        text in document(),
        which in any::<prop::sample::Index>(),
        value in prop_oneof!["[a-z0-9./:@-]{0,8}", "\\PC{0,6}", "[\\n\"'# ]{0,4}"],
    ) {
        let mut editor = Editor::new(text.as_bytes()).unwrap();
        let Ok(events) = editor.events().collect::<Result<Vec<_>, _>>() else {
            return Ok(());
        };
        let mut scalars: Vec<_> = events
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::Scalar(scalar) => Some(scalar.clone()),
                _ => None,
            })
            .collect();
        let chosen = which.index(scalars.len());
        let Ok(()) = editor.replace_scalar(&scalars[chosen], &value) else {
            return Ok(());
        };
        let edited = editor.finish();
        let after: Vec<_> = Editor::new(&edited)
            .unwrap()
            .events()
            .filter_map(|event| match event.unwrap().kind {
                EventKind::Scalar(scalar) => Some(scalar.value),
                _ => None,
            })
            .collect();
        scalars[chosen].value = value.into();
        let expected: Vec<_> = scalars.into_iter().map(|scalar| scalar.value).collect();
        prop_assert_eq!(after, expected, "{}", String::from_utf8_lossy(&edited));
    }
}
