//! Generates JSON documents with patches, labels with selectors, and texts with patterns.

use serde_json::{Value, json};

use sluice_oracle::Random;

const KEYS: [&str; 9] = ["a", "b", "c", "a/b", "m~n", "", "0", "-", "ä"];

/// A small value of limited depth.
fn value(random: &mut Random, depth: usize) -> Value {
    let kinds = if depth == 0 { 8 } else { 12 };
    match random.below(kinds) {
        0 => Value::Null,
        1 => json!(random.once_in(2)),
        2 => json!(random.below(3)),
        3 => json!([-1, 9_007_199_254_740_993_i64, i64::MIN][random.below(3)]),
        4 => json!([0.5, 1e21, 1e-7][random.below(3)]),
        5..=7 => json!(random.pick(&["", "x", "<t>&", "é\u{2028}", "1", "~"])),
        8 | 9 => {
            let items = (0..random.below(4)).map(|_| value(random, depth - 1));
            Value::Array(items.collect())
        }
        _ => object(random, depth - 1),
    }
}

fn object(random: &mut Random, depth: usize) -> Value {
    let fields = (0..random.below(5)).map(|_| {
        let key = random.pick(&KEYS).to_owned();
        (key, value(random, depth))
    });
    Value::Object(fields.collect())
}

/// A document with at least two fields.
fn document(random: &mut Random) -> Value {
    loop {
        let found = object(random, 3);
        if found.as_object().is_some_and(|fields| fields.len() > 1) {
            return found;
        }
    }
}

/// A pointer to a part of a value, or close to one.
fn pointer(random: &mut Random, value: &Value) -> String {
    let mut path = String::new();
    let mut here = value;
    loop {
        let inside = match here {
            Value::Object(fields) if !fields.is_empty() => {
                let (key, inside) = fields.iter().nth(random.below(fields.len())).unwrap();
                path.push('/');
                path.push_str(&key.replace('~', "~0").replace('/', "~1"));
                inside
            }
            Value::Array(items) if !items.is_empty() => {
                let index = random.below(items.len());
                path.push('/');
                path.push_str(&index.to_string());
                &items[index]
            }
            _ => break,
        };
        here = inside;
        if random.once_in(2) {
            break;
        }
    }
    if random.once_in(4) {
        let step = random.pick(&[
            "new",
            "-",
            "0",
            "1",
            "3",
            "-1",
            "-3",
            "01",
            "+1",
            "1.0",
            "",
            "~2",
            "a/b",
            "99999999999",
        ]);
        // Appends a step, or replaces the last one.
        if random.once_in(2) {
            path.truncate(path.rfind('/').unwrap_or(0));
        }
        path.push('/');
        path.push_str(step);
    }
    if random.once_in(40) {
        random
            .pick(&["", "a", "/", "//", "a/b", "x/a"])
            .clone_into(&mut path);
    }
    path
}

fn operation(random: &mut Random, document: &Value) -> Value {
    let mut operation = json!({});
    let kind = match random.below(24) {
        0 => "unknown",
        1..=6 => "add",
        7..=10 => "remove",
        11..=14 => "replace",
        15..=17 => "move",
        18..=20 => "copy",
        _ => "test",
    };
    operation["op"] = json!(kind);
    operation["path"] = json!(pointer(random, document));
    if matches!(kind, "move" | "copy") {
        operation["from"] = json!(pointer(random, document));
    }
    if matches!(kind, "add" | "replace" | "test") {
        operation["value"] = value(random, 2);
        if kind == "test" && random.once_in(2) {
            let path = operation["path"].as_str().unwrap_or_default();
            operation["value"] = document.pointer(path).cloned().unwrap_or(Value::Null);
        }
    }
    if random.once_in(30) {
        let field = random.pick(&["op", "path", "from", "value"]);
        let fields = operation.as_object_mut().unwrap();
        match random.below(3) {
            0 => drop(fields.remove(field)),
            1 => drop(fields.insert(field.to_owned(), Value::Null)),
            _ => drop(fields.insert(field.to_owned(), value(random, 1))),
        }
    }
    operation
}

/// A document with a JSON patch.
pub(crate) fn json_patch(random: &mut Random) -> Value {
    let document = document(random);
    let count = 1 + random.below(4);
    let operations = (0..count).map(|_| operation(random, &document));
    let patch = Value::Array(operations.collect());
    json!({"document": document.to_string(), "patch": patch.to_string()})
}

/// A document with a related JSON merge patch.
pub(crate) fn merge_patch(random: &mut Random) -> Value {
    let document = document(random);
    let mut patch = document.clone();
    change(random, &mut patch);
    json!({"document": document.to_string(), "patch": patch.to_string()})
}

fn change(random: &mut Random, at: &mut Value) {
    if let Value::Object(fields) = at {
        for field in fields.values_mut() {
            match random.below(5) {
                0 => *field = Value::Null,
                1 => *field = value(random, 3),
                _ => change(random, field),
            }
        }
        for _ in 0..random.below(3) {
            let key = random.pick(&KEYS).to_owned();
            fields.insert(key, value(random, 3));
        }
    } else if random.once_in(3) {
        *at = value(random, 2);
    }
}

/// A text with a pattern, which may be invalid.
pub(crate) fn pattern(random: &mut Random) -> Value {
    const PIECES: [&str; 84] = [
        "a",
        "b",
        "1",
        "é",
        ".",
        "^",
        "$",
        "|",
        "(",
        ")",
        "(?:",
        "(?i)",
        "(?P<n>",
        "(?i:",
        "(?s-i:",
        "(?=",
        "(?-)",
        "(?<x>",
        "(?P<>",
        "(?x)",
        "*",
        "+",
        "?",
        "*?",
        "{2}",
        "{1,2}",
        "{,2}",
        "{2,1}",
        "{1001}",
        "{01}",
        "{",
        "}",
        "[",
        "]",
        "[a-c]",
        "[^a]",
        "[]a]",
        "[^]a]",
        "[a-]",
        "[-a]",
        "[\\d-]",
        "[\\w\\s]",
        "[\\D]",
        "[[:alpha:]]",
        "[[:^digit:]1]",
        "[[:foo:]]",
        "[a&&b]",
        "[[a]",
        "[a~~b]",
        "[z-a]",
        "[\\pL1]",
        "[\\x{e9}-\\x{ff}]",
        "\\d",
        "\\D",
        "\\w",
        "\\W",
        "\\s",
        "\\S",
        "\\b",
        "\\A",
        "\\z",
        "\\Z",
        "\\pL",
        "\\PL",
        "\\p{Lu}",
        "\\p{^Lu}",
        "\\p{Greek}",
        "\\pQ",
        "\\p{",
        "\\x41",
        "\\x{1F600}",
        "\\xZ",
        "\\0",
        "\\12",
        "\\1",
        "\\Qa.b\\E",
        "\\Q*",
        "\\C",
        "\\_",
        "\\<",
        "\\-",
        "\\y",
        "\\",
        "#",
    ];
    const TEXTS: [&str; 12] = [
        "", "a", "ab1", "é", "aé b", "A1_-", "\n", "a.b", "[a]&~", "{,2}", "αΩ", "٣a",
    ];
    let pieces = (0..=random.below(5)).map(|_| random.pick(&PIECES));
    let pattern: String = pieces.collect();
    json!({"document": random.pick(&TEXTS), "patch": pattern})
}

/// Labels with a selector, which may be invalid.
pub(crate) fn selector(random: &mut Random) -> Value {
    const NAMES: [&str; 10] = [
        "app",
        "tier",
        "a/b",
        "example.com/a",
        "x",
        "in",
        "notin",
        "exists",
        "1",
        "a.b-c_d",
    ];
    const VALUES: [&str; 9] = ["web", "", "front", "1", "10", "-5", "a.b", "in", "x y"];
    let mut labels = json!({});
    for _ in 0..random.below(4) {
        labels[random.pick(&NAMES)] = json!(random.pick(&VALUES));
    }
    let mut text = String::new();
    for index in 0..=random.below(3) {
        if index > 0 {
            text.push_str(random.pick(&[",", ", ", " ,", ",,", " "]));
        }
        let (name, one) = (random.pick(&NAMES), random.pick(&VALUES));
        let space = random.pick(&["", " ", "  "]);
        let list = (0..random.below(4)).map(|_| random.pick(&VALUES));
        let list = list.collect::<Vec<_>>().join(random.pick(&[",", ", "]));
        let requirement = match random.below(9) {
            0 => name.to_owned(),
            1 => format!("!{space}{name}"),
            2 => format!("{name}{space}={space}{one}"),
            3 => format!("{name}{space}=={space}{one}"),
            4 => format!("{name}{space}!={space}{one}"),
            5 => format!("{name} in{space}({list})"),
            6 => format!("{name} notin{space}({list})"),
            7 => format!("{name}{space}{}{space}{one}", random.pick(&["<", ">"])),
            _ => random
                .pick(&[
                    "", "=", "a=b=c", "(", "in (a)", "a in", "a in (", "é", "a=é", "!", "!!a",
                    "a/b/c", "-a", "a-",
                ])
                .to_owned(),
        };
        text.push_str(&requirement);
    }
    json!({"document": labels.to_string(), "selector": text})
}
