//! An index in JSON, read as Go does: without an error for unknown keys.

use std::fmt;
use std::io::{BufReader, Read};

use serde_json::Map;
use serde_json::de::{Deserializer as JsonDeserializer, Read as JsonRead};

use super::{MAX_NODES, Visit};
use crate::index::IndexError;
use crate::values::Json;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

pub(super) fn is_valid(text: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(text).is_ok()
}

pub(super) fn read(text: &[u8], visit: &mut impl Visit) -> Result<(), IndexError> {
    read_from(JsonDeserializer::from_slice(text), visit)
}

/// Reads a stored index, which is JSON, without holding its text.
pub(in crate::index) fn read_stored(
    reader: impl Read,
    visit: &mut impl Visit,
) -> Result<(), IndexError> {
    let reader = BufReader::with_capacity(64 << 10, reader);
    read_from(JsonDeserializer::from_reader(reader), visit)
}

fn read_from<'de>(
    mut deserializer: JsonDeserializer<impl JsonRead<'de>>,
    visit: &mut impl Visit,
) -> Result<(), IndexError> {
    let mut failure = None;
    let root = Root {
        visit,
        failure: &mut failure,
    };
    let done = root.deserialize(&mut deserializer);
    match (failure, done) {
        (Some(failure), _) => Err(failure),
        (None, done) => done.map_err(|error| IndexError::Content(error.to_string())),
    }
}

/// Keeps the failure of a visitor, because an error of serde can only hold its text.
fn keep<T, E: serde::de::Error>(
    failure: &mut Option<IndexError>,
    done: Result<T, IndexError>,
) -> Result<T, E> {
    done.map_err(|error| {
        *failure = Some(error);
        E::custom("the index is not valid")
    })
}

struct Root<'v, V> {
    visit: &'v mut V,
    failure: &'v mut Option<IndexError>,
}

macro_rules! seed {
    ($name:ident, $method:ident) => {
        impl<'de, V: Visit> DeserializeSeed<'de> for $name<'_, V> {
            type Value = ();

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
                deserializer.$method(self)
            }
        }
    };
}

seed!(Root, deserialize_map);
seed!(Entries, deserialize_option);
seed!(Versions, deserialize_option);

impl<'de, V: Visit> Visitor<'de> for Root<'_, V> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an index")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key.eq_ignore_ascii_case("entries") {
                map.next_value_seed(Entries {
                    visit: self.visit,
                    failure: self.failure,
                })?;
                continue;
            }
            let mut left = MAX_NODES;
            let value = map.next_value_seed(BoundedValue(&mut left))?;
            keep(self.failure, self.visit.field(&key, value))?;
        }
        Ok(())
    }
}

/// The charts by name.
struct Entries<'v, V> {
    visit: &'v mut V,
    failure: &'v mut Option<IndexError>,
}

impl<'de, V: Visit> Visitor<'de> for Entries<'_, V> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("charts by name")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            if keep(self.failure, self.visit.chart(&name))? {
                map.next_value_seed(Versions {
                    visit: self.visit,
                    failure: self.failure,
                })?;
            } else {
                map.next_value::<IgnoredAny>()?;
                keep(self.failure, self.visit.end_chart(false))?;
            }
        }
        Ok(())
    }
}

/// The versions of one chart.
struct Versions<'v, V> {
    visit: &'v mut V,
    failure: &'v mut Option<IndexError>,
}

impl<'de, V: Visit> Visitor<'de> for Versions<'_, V> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of versions")
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        keep(self.failure, self.visit.end_chart(true))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut left = MAX_NODES;
        while let Some(entry) = items.next_element_seed(BoundedValue(&mut left))? {
            keep(self.failure, self.visit.version(&entry, false))?;
            left = MAX_NODES;
        }
        keep(self.failure, self.visit.end_chart(false))
    }
}

/// A value with a limit of nodes: a short text can hold many small ones.
struct BoundedValue<'n>(&'n mut usize);

impl<'de> DeserializeSeed<'de> for BoundedValue<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        let Some(left) = self.0.checked_sub(1) else {
            return Err(D::Error::custom(format!(
                "a value has more than {MAX_NODES} nodes"
            )));
        };
        *self.0 = left;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for BoundedValue<'_> {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(BoundedValue(self.0))? {
            values.push(value);
        }
        Ok(Json::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(BoundedValue(self.0))?;
            map.insert(key, value);
        }
        Ok(Json::Object(map))
    }
}
