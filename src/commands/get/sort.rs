//! `get --sort-by`: sorts objects by a value of theirs.
//!
//! The order is kubectl's: numbers by size, quantities (`100m`, `2Gi`) by amount, other texts by bytes,
//! and objects without the value first. Objects with the same value stay in the order of their names,
//! which kubectl leaves undefined. Ours: booleans, `false` first, which kubectl refuses.

mod quantity;

use serde_json::Value;
use sluice_object::Object;

use crate::error::CommandError;
use quantity::Quantity;
use sluice_object::jsonpath::JsonPath;

/// The sort key of an object. Earlier variants precede.
#[derive(Clone, Debug, PartialEq)]
enum Key {
    Missing,
    Null,
    Switch(bool),
    Integer(i64),
    Float(f64),
    Text(String, Option<Quantity>),
}

/// Reads the path of `--sort-by`; to kubectl an empty one is none.
pub(super) fn path(text: &str) -> Result<Option<JsonPath>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    JsonPath::parse(text).map(Some)
}

/// The result of an object with its sort key, or the reason why it has none.
#[derive(Debug)]
pub(super) struct Placed<T> {
    key: Result<Key, String>,
    /// `Kind/name`, where it is to be placed.
    id: String,
    what: T,
}

/// The path to sort by, and the types of its values so far.
#[derive(Debug)]
pub(super) struct Order<'p> {
    path: Option<&'p JsonPath>,
    /// There was an object.
    met: bool,
    /// There was one that has the value.
    found: bool,
}

impl<'p> Order<'p> {
    pub(super) fn by(path: Option<&'p JsonPath>) -> Self {
        Self {
            path,
            met: false,
            found: false,
        }
    }

    /// Adds the sort key to the result of an object.
    pub(super) fn place<T>(
        &self,
        object: Object,
        keep: impl FnOnce(Object) -> T,
    ) -> Option<Placed<T>> {
        let Some(path) = self.path else {
            let (key, id) = (Ok(Key::Missing), String::new());
            let what = keep(object);
            return Some(Placed { key, id, what });
        };
        let id = format!("{}/{}", object.kind(), object.name());
        let value = object.into_value();
        let named = path.find(&value);
        let key = named.and_then(|named| Key::of(named.first().copied()));
        let what = keep(crate::cluster::object(value)?);
        Some(Placed { key, id, what })
    }

    /// Puts a list in order.
    ///
    /// # Errors
    /// If its values cannot be compared with each other, or the path cannot be followed.
    pub(super) fn sort<T>(&mut self, listed: Vec<Placed<T>>) -> Result<Vec<T>, CommandError> {
        let Some(path) = self.path else {
            return Ok(listed.into_iter().map(|placed| placed.what).collect());
        };
        let mut keys: Vec<Key> = Vec::with_capacity(listed.len());
        let mut kept: Vec<Option<T>> = Vec::with_capacity(listed.len());
        let mut known: Option<Key> = None;
        for Placed { key, id, what } in listed {
            let refused =
                |why: String| CommandError::user(format!("cannot sort by {path}: {why}, in {id}"));
            let key = key.map_err(refused)?;
            self.met = true;
            self.found |= key != Key::Missing;
            if !key.is_nothing() {
                let known = known.get_or_insert_with(|| key.clone());
                if known.kind() != key.kind() {
                    let why = format!("{} cannot be compared with {}", key.kind(), known.kind());
                    return Err(refused(why));
                }
            }
            keys.push(key);
            kept.push(Some(what));
        }
        let sorted = places(&keys).into_iter();
        Ok(sorted.filter_map(|at| kept[at].take()).collect())
    }

    /// Refuses a path that leads nowhere, in kubectl's words.
    pub(super) fn end(&self) -> Result<(), CommandError> {
        match self.path {
            Some(path) if self.met && !self.found => {
                let path = sluice_golang::quote::quote(&path.to_string());
                Err(CommandError::user(format!(
                    "couldn't find any field with path {path} in the list of objects"
                )))
            }
            _ => Ok(()),
        }
    }
}

/// The order of the objects. It is an insertion sort, because amounts and spellings can contradict each
/// other (`10` before `1x` before `9`), which must not lose an object.
fn places(keys: &[Key]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(keys.len());
    for (index, key) in keys.iter().enumerate() {
        let at = order.partition_point(|before| !key.precedes(&keys[*before]));
        order.insert(at, index);
    }
    order
}

impl Key {
    fn of(value: Option<&Value>) -> Result<Self, String> {
        Ok(match value {
            None => Self::Missing,
            Some(Value::Null) => Self::Null,
            Some(Value::Bool(is)) => Self::Switch(*is),
            Some(Value::Number(number)) => number.as_i64().map_or_else(
                || Self::Float(number.as_f64().unwrap_or_default()),
                Self::Integer,
            ),
            Some(Value::String(text)) => Self::Text(text.clone(), Quantity::parse(text)),
            Some(Value::Array(_)) => return Err("its value is a list".to_owned()),
            Some(Value::Object(_)) => return Err("its value is a map".to_owned()),
        })
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Self::Missing | Self::Null)
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Missing | Self::Null => "nothing",
            Self::Switch(_) => "a boolean",
            Self::Integer(_) | Self::Float(_) => "a number",
            Self::Text(..) => "a text",
        }
    }

    /// Whether it stands before the other one in any case.
    fn precedes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Missing, other) => *other != Self::Missing,
            (_, Self::Missing) => false,
            (Self::Null, other) => *other != Self::Null,
            (_, Self::Null) => false,
            (Self::Switch(is), Self::Switch(other)) => is < other,
            (Self::Integer(number), Self::Integer(other)) => number < other,
            (Self::Text(_, Some(amount)), Self::Text(_, Some(other))) => amount < other,
            (Self::Text(text, _), Self::Text(other, _)) => text < other,
            (one, other) => one.size() < other.size(),
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "only where the other number has a fraction"
    )]
    fn size(&self) -> f64 {
        match self {
            Self::Integer(number) => *number as f64,
            Self::Float(number) => *number,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sorted(values: &[Value]) -> Result<String, String> {
        let path = JsonPath::parse(".value").unwrap();
        let mut order = Order::by(Some(&path));
        let placed = values
            .iter()
            .zip("abcdefghij".chars())
            .map(|(value, name)| {
                let mut object = json!({ "kind": "Thing", "metadata": { "name": name } });
                if *value != json!("missing") {
                    object["value"] = value.clone();
                }
                let object: Object = serde_json::from_value(object).unwrap();
                let name = |object: Object| object.name().to_owned();
                order.place(object, name).unwrap()
            })
            .collect();
        let sorted = order.sort(placed);
        let ended = sorted.and_then(|names| order.end().map(|()| names.concat()));
        ended.map_err(|error| error.message().to_owned())
    }

    #[test]
    fn values_are_ordered_by_what_they_are() {
        for (values, expected) in [
            (vec![json!("b"), json!("a"), json!("B")], "cba"),
            (vec![json!(10), json!(9), json!(-1)], "cba"),
            (vec![json!(1.5), json!(1), json!(2)], "bac"),
            (vec![json!(true), json!(false)], "ba"),
            (
                vec![
                    json!("10"),
                    json!("9"),
                    json!("1Ki"),
                    json!("1k"),
                    json!("500m"),
                ],
                "ebadc",
            ),
            (vec![json!("10x"), json!("9x")], "ab"),
            (
                vec![json!("a"), Value::Null, json!("missing"), json!("missing")],
                "cdba",
            ),
        ] {
            assert_eq!(sorted(&values), Ok(expected.to_owned()), "{values:?}");
        }
    }

    #[test]
    fn equal_keys_keep_order_and_contradictions_lose_nothing() {
        let same: Vec<Value> = (0..10).map(|each| json!(each % 2)).collect();
        assert_eq!(sorted(&same), Ok("acegibdfhj".to_owned()));
        // As quantities 9 < 10, as texts 10 < 1x < 9.
        let circle = ["10", "9", "1x", "10", "9", "1x", "1x", "9", "10", "1x"];
        let order = sorted(&circle.map(|text| json!(text))).unwrap();
        let mut letters: Vec<char> = order.chars().collect();
        letters.sort_unstable();
        assert_eq!(letters.iter().collect::<String>(), "abcdefghij");
    }

    #[test]
    fn unsortable_values_are_refused() {
        for (values, why) in [
            (vec![json!({})], "its value is a map, in Thing/a"),
            (
                vec![json!("a"), json!([])],
                "its value is a list, in Thing/b",
            ),
            (
                vec![json!("a"), Value::Null, json!(1)],
                "a number cannot be compared with a text, in Thing/c",
            ),
        ] {
            let refused = format!("cannot sort by {{.value}}: {why}");
            assert_eq!(sorted(&values), Err(refused));
        }
        let nowhere = "couldn't find any field with path \"{.value}\" in the list of objects";
        assert_eq!(sorted(&[json!("missing")]), Err(nowhere.to_owned()));
        assert_eq!(sorted(&[]), Ok(String::new()));
    }
}
