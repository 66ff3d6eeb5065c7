//! What it costs to call a function, in steps of an evaluation.
//!
//! Values share their parts: a list of ten times the same list of ten, and so on, is of any size
//! and takes no memory. So what walks through a value is counted before it is done, and the
//! count itself ends where nobody could pay any more.

use super::value::{Map, Value};

/// How many bytes of a text count as much as one step.
const BYTES: usize = 10;

/// What it costs to call a function, besides what the result costs. What is more than a limit
/// may not be all of it.
pub(super) fn of_call(function: &str, arguments: &[Value], limit: usize) -> usize {
    let mut count = Count { steps: 0, limit };
    match (function, arguments) {
        ("_==_" | "_!=_", [left, right]) => count.equality(left, right),
        ("@in", [value, Value::List(items)]) => {
            for item in items.iter() {
                count.add(1);
                count.equality(item, value);
                if count.is_over() {
                    break;
                }
            }
        }
        ("@in", [key, Value::Map(map)]) => count.access(map, key),
        ("sets.contains" | "sets.equivalent" | "sets.intersects", [left, right]) => {
            count.whole(left);
            let left = std::mem::take(&mut count.steps);
            count.whole(right);
            count.steps = (1 + left).saturating_mul(1 + count.steps);
        }
        // An access reads one element of a list, whatever else is there.
        ("_[_]" | "_[?_]", [value, index]) => count.indexed(value, index),
        // Characters are counted, and that is quick.
        ("size", [Value::String(text)]) => count.add(1 + text.len() / (100 * BYTES)),
        ("size", _) => count.add(1),
        // Each part is a text of its own.
        ("split", [Value::String(text), Value::String(separator), ..]) => {
            count.add(size_of(&arguments[0]) + text.matches(&**separator).count());
        }
        // All that is inside is printed.
        ("format", [text, list]) => {
            count.add(size_of(text));
            count.whole(list);
        }
        _ => count.add(arguments.iter().map(size_of).sum()),
    }
    count.steps
}

/// What it costs to look a name up, besides the step itself: nothing, for one that people write.
pub(super) fn of_name(name: &str) -> usize {
    name.len() / (10 * BYTES)
}

/// What it costs to put a value under a key into a map.
pub(super) fn of_entry(map: &Map, key: &Value, limit: usize) -> usize {
    let mut count = Count { steps: 0, limit };
    count.access(map, key);
    count.steps
}

/// What it costs to look for a pattern of a length in a text, as the API server reckons.
pub(super) fn of_search(text: &str, pattern: usize) -> usize {
    (1 + text.len() / BYTES).saturating_mul(1 + pattern / 4)
}

/// What it costs to compile a pattern that may become so many bytes. It takes time by what it
/// becomes, some 20 µs for each KiB, and by the characters of its classes, up to 300 µs for each
/// of them; its length tells little of either. A step takes some 0.1 µs.
pub(super) fn of_compilation(pattern: &str, size: usize) -> usize {
    let classes: usize = ["[", "\\p", "\\P"]
        .iter()
        .map(|class| pattern.matches(class).count())
        .sum();
    size / 1024 * 150 + pattern.len() * 4 + classes * 2500
}

/// How much a value is, without what is inside its elements.
pub(super) fn size_of(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() / BYTES,
        Value::Bytes(bytes) => bytes.len() / BYTES,
        Value::List(items) => items.len(),
        Value::Map(map) => map.len(),
        _ => 0,
    }
}

/// Steps so far, and how many of them are enough to know.
struct Count {
    steps: usize,
    limit: usize,
}

impl Count {
    fn add(&mut self, steps: usize) {
        self.steps = self.steps.saturating_add(steps);
    }

    fn is_over(&self) -> bool {
        self.steps > self.limit
    }

    /// A walk through a value with all that is inside it.
    fn whole(&mut self, value: &Value) {
        self.add(1 + size_of(value));
        match value {
            Value::List(items) => {
                for item in items.iter() {
                    if self.is_over() {
                        break;
                    }
                    self.whole(item);
                }
            }
            Value::Map(map) => {
                for (key, value) in map.entries() {
                    if self.is_over() {
                        break;
                    }
                    self.whole(&key);
                    self.whole(value);
                }
            }
            Value::Optional(Some(held)) => self.whole(held),
            _ => {}
        }
    }

    /// A walk through two values side by side, as far as they may be equal.
    fn equality(&mut self, left: &Value, right: &Value) {
        self.add(1 + size_of(left).min(size_of(right)));
        match (left, right) {
            (Value::List(items), Value::List(others)) if items.len() == others.len() => {
                for (item, other) in items.iter().zip(others.iter()) {
                    if self.is_over() {
                        break;
                    }
                    self.equality(item, other);
                }
            }
            (Value::Map(map), Value::Map(others)) if map.len() == others.len() => {
                for (key, value) in map.entries() {
                    self.access(others, &key);
                    if self.is_over() {
                        break;
                    }
                    if let Some(other) = others.get(&key) {
                        self.equality(value, other);
                    }
                }
            }
            (Value::Optional(Some(left)), Value::Optional(Some(right))) => {
                self.equality(left, right);
            }
            _ => {}
        }
    }

    fn indexed(&mut self, value: &Value, index: &Value) {
        match value {
            Value::Optional(Some(held)) => self.indexed(held, index),
            Value::Map(map) => self.access(map, index),
            _ => self.add(1 + size_of(index)),
        }
    }

    /// A look for a key in a map: texts have their places there, all others stand in a row.
    fn access(&mut self, map: &Map, key: &Value) {
        let row = match key {
            Value::String(_) => 0,
            _ => map.row(),
        };
        let before = std::mem::take(&mut self.steps);
        self.whole(key);
        self.steps = self.steps.saturating_mul(1 + row);
        self.add(before);
    }
}
