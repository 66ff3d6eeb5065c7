//! CEL: no expression makes parsing, checking or evaluation panic, hang or use unbounded memory. A
//! checked boolean expression evaluates to a boolean.

use std::cell::OnceCell;

use serde_json::Value;
use sluice_cel::{Expression, Type, Variables};

use super::Target;

/// Variables that the controllers declare.
const OBJECTS: [&str; 2] = ["self", "dep"];

thread_local! {
    static STAGE: OnceCell<RecordedCases> = const { OnceCell::new() };
}

/// Subjects of the recorded cases.
struct RecordedCases {
    expressions: Vec<Vec<u8>>,
    /// Fields of one object without declared types.
    fields: Variables,
    /// Two declared objects.
    objects: Variables,
}

impl RecordedCases {
    fn read() -> Self {
        let vectors = crate::repository().join("crates/language/cel/tests/vectors/cel.jsonl");
        let vectors = std::fs::read_to_string(vectors).expect("the vectors are in the repository");
        let lines = vectors.lines();
        let vectors: Vec<Value> = lines
            .map(|line| serde_json::from_str(line).expect("a vector is JSON"))
            .collect();
        let defined = |name: &str| {
            let found = vectors.iter().find(|vector| vector["define"] == name);
            let fields = found.and_then(|vector| vector["as"].as_object());
            fields.expect("the vectors define it").clone()
        };
        let texts = vectors.iter().filter_map(|vector| vector["expr"].as_str());
        Self {
            expressions: texts.map(|text| text.as_bytes().to_vec()).collect(),
            fields: defined("object"),
            objects: defined("pair"),
        }
    }
}

/// Parses, checks and evaluates an expression, with and without declared objects.
pub(super) const CEL: Target = Target {
    name: "cel",
    run: |bytes| {
        let Ok(text) = str::from_utf8(bytes) else {
            return;
        };
        STAGE.with(|stage| {
            let stage = stage.get_or_init(RecordedCases::read);
            match Expression::parse(text) {
                Ok(expression) => {
                    assert_eq!(expression.text(), text);
                    let value = expression.evaluate(&stage.fields);
                    let truth = expression.evaluate_boolean(&stage.fields);
                    assert!(value.is_ok() || truth.is_err(), "a truth out of nothing");
                }
                Err(error) => drop(error.to_string()),
            }
            match Expression::check(text, &OBJECTS) {
                Ok((expression, kind)) => {
                    let value = expression.evaluate(&stage.objects);
                    let truth = expression.evaluate_boolean(&stage.objects);
                    if kind == Type::Bool {
                        assert_eq!(value.is_ok(), truth.is_ok(), "it was checked to be a truth");
                    }
                    let again = Expression::compile(text, &OBJECTS, &kind);
                    assert!(again.is_ok(), "it is of the type that was found");
                }
                Err(error) => drop(error.to_string()),
            }
        });
    },
    seeds: || STAGE.with(|stage| stage.get_or_init(RecordedCases::read).expressions.clone()),
    words: &[
        "self.",
        "dep.",
        "status",
        ".conditions",
        ".filter(e, ",
        ".map(x, ",
        ".all(e, ",
        ".exists(e, ",
        ".exists_one(e, ",
        ".map(x, {x: x})",
        ".optMap(x, x)",
        "e.type == 'Ready'",
        "has(self.status)",
        "size(",
        ".size()",
        "[1, 2, 3]",
        "{'a': 1}",
        "[0]",
        "['a']",
        "?.",
        "[?0]",
        "optional.of(",
        ".orValue(",
        "timestamp('2024-05-01T10:20:30Z')",
        "duration('1h30m')",
        ".getHours('Europe/Paris')",
        "matches('^a+$')",
        ".matches(",
        "string(",
        "int(",
        "double(",
        "bytes(",
        "b'\\xff'",
        "r'\\d'",
        "'''",
        "\"",
        "'",
        "\\u00e9",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615u",
        "1e308",
        " + ",
        " - ",
        " * ",
        " / ",
        " % ",
        " == ",
        " < ",
        " in ",
        " && ",
        " || ",
        "!",
        " ? ",
        " : ",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        "true",
        "null",
        "type(",
        "dyn(",
    ],
};
