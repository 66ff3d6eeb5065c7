//! Cost of function calls, in evaluation steps.
//!
//! Values share their parts: nesting `[x, x, …]` grows a value exponentially without using
//! memory. So a walk through a value is counted before it happens, and counting itself stops at
//! the remaining budget.

use super::value::{Map, Value};

/// Bytes of text per step.
const BYTES_PER_STEP: usize = 10;

/// Cost of a call without its result. Above the limit, the returned cost may be incomplete.
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
        // Indexing reads one element, whatever the size of the list.
        ("_[_]" | "_[?_]", [value, index]) => count.indexed(value, index),
        // Counting characters is fast.
        ("size", [Value::String(text)]) => count.add(1 + text.len() / (100 * BYTES_PER_STEP)),
        ("size", _) => count.add(1),
        // Each part is a separate allocation.
        ("split", [Value::String(text), Value::String(separator), ..]) => {
            count.add(size_of(&arguments[0]) + text.matches(&**separator).count());
        }
        // Formatting prints nested values in full.
        ("format", [text, list]) => {
            count.add(size_of(text));
            count.whole(list);
        }
        _ => count.add(arguments.iter().map(size_of).sum()),
    }
    count.steps
}

/// Cost of a name lookup besides its step. Names of ordinary length are free.
pub(super) fn of_name(name: &str) -> usize {
    name.len() / (10 * BYTES_PER_STEP)
}

/// Cost of an insertion into a map.
pub(super) fn of_entry(map: &Map, key: &Value, limit: usize) -> usize {
    let mut count = Count { steps: 0, limit };
    count.access(map, key);
    count.steps
}

/// Cost of a search for a pattern of the given length, with the API server's formula.
pub(super) fn of_search(text: &str, pattern: usize) -> usize {
    (1 + text.len() / BYTES_PER_STEP).saturating_mul(1 + pattern / 4)
}

/// Cost of the compilation of a pattern, given the size limit of the compiled form in bytes.
/// Compilation takes about 20 µs per KiB of output and up to 300 µs per character class. The
/// length of the pattern says little. A step takes about 0.1 µs.
pub(super) fn of_compilation(pattern: &str, size: usize) -> usize {
    let classes: usize = ["[", "\\p", "\\P"]
        .iter()
        .map(|class| pattern.matches(class).count())
        .sum();
    size / 1024 * 150 + pattern.len() * 4 + classes * 2500
}

/// Size of a value without its nested values.
pub(super) fn size_of(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() / BYTES_PER_STEP,
        Value::Bytes(bytes) => bytes.len() / BYTES_PER_STEP,
        Value::List(items) => items.len(),
        Value::Map(map) => map.len(),
        _ => 0,
    }
}

/// Steps so far, and the limit at which counting stops.
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

    /// Counts a walk through a whole value.
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

    /// Counts a comparison of two values, as far as they may be equal.
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

    /// Counts a lookup in a map. String keys are indexed, all other keys are scanned.
    fn access(&mut self, map: &Map, key: &Value) {
        let scanned = match key {
            Value::String(_) => 0,
            _ => map.unindexed_len(),
        };
        let before = std::mem::take(&mut self.steps);
        self.whole(key);
        self.steps = self.steps.saturating_mul(1 + scanned);
        self.add(before);
    }
}
