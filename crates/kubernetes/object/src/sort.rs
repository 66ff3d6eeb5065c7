//! Sorts objects by one of their values, as `kubectl get --sort-by` does.
//!
//! The order is kubectl's: numbers by size, quantities (`100m`, `2Gi`) by amount, other texts by
//! bytes, and objects without the value first. Objects with the same value stay in the order of
//! their names, which kubectl leaves undefined. Ours: booleans, `false` first, which kubectl
//! refuses.

use serde_json::Value;

use crate::Object;
use crate::jsonpath::JsonPath;
use crate::quantity::Quantity;

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

/// Objects cannot be sorted by a path, in the words of the command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsortable(String);

/// Parses the path of `--sort-by`. An empty one is ignored, as by kubectl.
pub fn path(text: &str) -> Result<Option<JsonPath>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    JsonPath::parse(text).map(Some)
}

/// A result of an object with its sort key.
#[derive(Debug)]
pub struct SortEntry<T> {
    key: Result<Key, String>,
    /// `Kind/name` of a sorted object.
    id: String,
    result: T,
}

/// A sort by a path, over one or more lists.
#[derive(Debug)]
pub struct Order<'p> {
    path: Option<&'p JsonPath>,
    /// Whether there was an object.
    met: bool,
    /// Whether an object had the value.
    found: bool,
}

impl<'p> Order<'p> {
    /// A sort by this path; without one, lists keep their order.
    pub fn by(path: Option<&'p JsonPath>) -> Self {
        Self {
            path,
            met: false,
            found: false,
        }
    }

    /// Adds the sort key to the result of an object.
    pub fn place<T>(&self, object: Object, keep: impl FnOnce(Object) -> T) -> Option<SortEntry<T>> {
        let Some(path) = self.path else {
            let (key, id) = (Ok(Key::Missing), String::new());
            let result = keep(object);
            return Some(SortEntry { key, id, result });
        };
        let id = format!("{}/{}", object.kind(), object.name());
        let value = object.into_value();
        let named = path.find(&value);
        let key = named.and_then(|named| Key::of(named.first().copied()));
        let Value::Object(map) = value else {
            return None;
        };
        let result = keep(Object::from_map(map));
        Some(SortEntry { key, id, result })
    }

    /// Sorts a list. It fails if its values cannot be compared with each other.
    pub fn sort<T>(&mut self, listed: Vec<SortEntry<T>>) -> Result<Vec<T>, Unsortable> {
        let Some(path) = self.path else {
            return Ok(listed.into_iter().map(|placed| placed.result).collect());
        };
        let mut keys: Vec<Key> = Vec::with_capacity(listed.len());
        let mut kept: Vec<Option<T>> = Vec::with_capacity(listed.len());
        let mut known: Option<Key> = None;
        for SortEntry { key, id, result } in listed {
            let refused =
                |why: String| Unsortable(format!("cannot sort by {path}: {why}, in {id}"));
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
            kept.push(Some(result));
        }
        let sorted = places(&keys).into_iter();
        Ok(sorted.filter_map(|at| kept[at].take()).collect())
    }

    /// Rejects a path that no object has.
    pub fn end(&self) -> Result<(), Unsortable> {
        match self.path {
            Some(path) if self.met && !self.found => {
                let path = sluice_golang::quote::quote(&path.to_string());
                Err(Unsortable(format!(
                    "couldn't find any field with path {path} in the list of objects"
                )))
            }
            _ => Ok(()),
        }
    }
}

/// The order of the objects. It is an insertion sort. Amounts and spellings can contradict each
/// other (`10` before `1x` before `9`), and no object may be lost.
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

    /// Whether it precedes the other key.
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
        ended.map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_sorted_by_type() {
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
    fn unsortable_values_are_rejected() {
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
