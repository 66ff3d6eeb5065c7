//! kubectl's `JSONPath`: finds the values of an object that an expression names.
//!
//! The dialect is client-go's, which is older than RFC 9535: `.status.conditions[0].type`, `[*]`,
//! `[-1]`, `[1:3]`, `['a','b']`, `.metadata.annotations.example\.com/note`, `..name`, and filters,
//! `[?(@.type=="Ready")]`. A missing field is not an error, and names nothing. An index beyond the
//! end of a list names nothing either, where kubectl fails.
//!
//! Templates with `range` and `end` are not supported: one value needs one expression. Start at
//! [`JsonPath::parse`]; [`parse`] reads it, [`find`] follows it.
//!
//! Parity: client-go `util/jsonpath`, kubectl's `RelaxedJSONPathExpression`.

mod find;
mod parse;

use std::fmt;

use serde_json::Value;

/// An expression that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonPath {
    /// In kubectl's full form, `{.metadata.name}`.
    text: String,
    steps: Vec<Step>,
}

/// One step of a path, from every value that was reached to others.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// The value under a key.
    Field(String),
    /// All values of a map, or of a list.
    Every,
    /// The value itself and everything below it that has values of its own.
    Below,
    Slice(Slice),
    /// The values of all of these paths.
    Union(Vec<Vec<Self>>),
    /// The items of a list for which it holds.
    Where(Filter),
    /// This, whatever was reached.
    Constant(Value),
}

/// `[from:to:by]`; without a colon, one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slice {
    from: Option<i64>,
    to: End,
    by: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Behind the first.
    One,
    /// With the list.
    Last,
    Before(i64),
}

/// `[?(left operator right)]`, or `[?(left)]` for items that have it.
#[derive(Clone, Debug, PartialEq)]
struct Filter {
    left: Vec<Step>,
    right: Option<(Operator, Vec<Step>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Less,
    Greater,
    Equal,
    NotEqual,
    LessOrEqual,
    GreaterOrEqual,
}

impl JsonPath {
    /// Reads an expression as kubectl takes it: with braces around it or without, and with the dot
    /// before it or without.
    ///
    /// # Errors
    /// In words, where it makes no sense.
    pub fn parse(text: &str) -> Result<Self, String> {
        const EXPECTED: &str = "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'";
        let inner = match text.strip_prefix('{') {
            Some(inner) => inner.strip_suffix('}').ok_or(EXPECTED)?,
            None => text,
        };
        let inner = match inner.strip_prefix('.') {
            Some("") | None => inner,
            Some(path) => path,
        };
        if inner.is_empty() || inner.contains(['{', '}']) {
            return Err(EXPECTED.to_owned());
        }
        let path = format!(".{inner}");
        Ok(Self {
            steps: parse::steps(&path)?,
            text: format!("{{{path}}}"),
        })
    }

    /// Finds the values in an object, in the object's order.
    ///
    /// # Errors
    /// A text, if a step is impossible: an index into another type than a list, or a comparison of
    /// incomparable values.
    pub fn find<'v>(&'v self, object: &'v Value) -> Result<Vec<&'v Value>, String> {
        find::follow(vec![object], &self.steps)
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests;
