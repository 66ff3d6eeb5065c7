//! Decodes a page of a list object by object. The page is never held as a whole, and unused fields
//! take no memory.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The metadata of a list: its next page and its version.
#[derive(Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct End {
    #[serde(rename = "continue")]
    pub(super) next: Option<String>,
    pub(super) resource_version: Option<String>,
}

/// Decodes a page and passes its objects to `each`.
pub(super) fn read(
    text: &str,
    without_managers: bool,
    each: impl FnMut(Value),
) -> Result<End, serde_json::Error> {
    let mut from = serde_json::Deserializer::from_str(text);
    let page = Page {
        without_managers,
        each,
    };
    let end = page.deserialize(&mut from)?;
    from.end()?;
    Ok(end)
}

/// The next page, if the metadata precedes the objects, as servers write it. Then the next page can
/// be requested before this one is decoded.
pub(super) fn next_of(text: &str) -> Option<String> {
    let mut end = None;
    let mut from = serde_json::Deserializer::from_str(text);
    // It stops in the middle of the text, which the deserializer reports as an error.
    let _stopped = from.deserialize_map(Head(&mut end));
    end?.next.filter(|next| !next.is_empty())
}

/// The part of a page before its objects.
struct Head<'h>(&'h mut Option<End>);

impl<'de> Visitor<'de> for Head<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "metadata" => {
                    *self.0 = map.next_value()?;
                    break;
                }
                "items" => break,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// The list; then, where it is an option, its `items`.
struct Page<F> {
    without_managers: bool,
    each: F,
}

impl<'de, F: FnMut(Value)> DeserializeSeed<'de> for Page<F> {
    type Value = End;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<End, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de, F: FnMut(Value)> Visitor<'de> for Page<F> {
    type Value = End;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<End, A::Error> {
        let mut end = None;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "metadata" => end = map.next_value::<Option<End>>()?,
                "items" => map.next_value_seed(Items(&mut self))?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(end.unwrap_or_default())
    }
}

/// The objects of a page. Go writes a list without any as `null`.
struct Items<'p, F>(&'p mut Page<F>);

impl<'de, F: FnMut(Value)> DeserializeSeed<'de> for Items<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de, F: FnMut(Value)> Visitor<'de> for Items<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("objects")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        if self.0.without_managers {
            while let Some(item) =
                items.next_element_seed(Without(&["metadata", "managedFields"]))?
            {
                (self.0.each)(item);
            }
        } else {
            while let Some(item) = items.next_element()? {
                (self.0.each)(item);
            }
        }
        Ok(())
    }
}

/// A value without the field at this path, which is skipped during decoding.
struct Without(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Without {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Without {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut kept = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            match self.0 {
                [last] if key == *last => {
                    map.next_value::<IgnoredAny>()?;
                }
                [first, rest @ ..] if key == *first => {
                    kept.insert(key, map.next_value_seed(Self(rest))?);
                }
                _ => {
                    kept.insert(key, map.next_value()?);
                }
            }
        }
        Ok(Value::Object(kept))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn decode(text: &str, without_managers: bool) -> Result<(Vec<Value>, End), String> {
        let mut items = Vec::new();
        let end = read(text, without_managers, |item| items.push(item));
        end.map(|end| (items, end))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn page_is_decoded_in_any_field_order() {
        let item = json!({"metadata": {"name": "a", "managedFields": [{"manager": "x"}], "labels": {}},
            "spec": {"metadata": {"managedFields": 1}, "managedFields": 2}, "managedFields": 3});
        let mut slim = item.clone();
        slim["metadata"]
            .as_object_mut()
            .unwrap()
            .remove("managedFields");
        let end = r#""metadata":{"resourceVersion":"7","continue":"n","remainingItemCount":3}"#;
        for text in [
            format!(r#"{{"kind":"PodList",{end},"items":[{item}]}}"#),
            format!(r#" {{"items":[{item}],"more":[{{}}],{end}}} "#),
        ] {
            let (items, end) = decode(&text, false).unwrap();
            assert_eq!(items, std::slice::from_ref(&item));
            assert_eq!(end.next.as_deref(), Some("n"));
            assert_eq!(end.resource_version.as_deref(), Some("7"));
            assert_eq!(decode(&text, true).unwrap().0, std::slice::from_ref(&slim));
        }
    }

    #[test]
    fn next_page_is_known_before_the_objects() {
        let begun = r#"{"kind":"PodList","metadata":{"continue":"n"},"items":[{"#;
        assert_eq!(next_of(begun).as_deref(), Some("n"));
        for text in [
            r#"{"metadata":{"continue":""},"items":[]}"#,
            r#"{"metadata":{"resourceVersion":"7"},"items":[]}"#,
            r#"{"metadata":null,"items":[]}"#,
            r#"{"items":[],"metadata":{"continue":"n"}}"#,
            r#"{"metadata":{"continue""#,
            "[]",
            "",
        ] {
            assert_eq!(next_of(text), None, "{text}");
        }
    }

    #[test]
    fn null_items_are_an_empty_list() {
        for text in [
            r#"{"metadata":{},"items":null}"#,
            r#"{"metadata":null,"items":[]}"#,
            r#"{"metadata":{"continue":null}}"#,
            "{}",
        ] {
            assert_eq!(
                decode(text, true),
                Ok((Vec::new(), End::default())),
                "{text}"
            );
        }
    }

    #[test]
    fn invalid_list_is_rejected() {
        let deep = format!(r#"{{"items":[{{"a":{}"#, "[".repeat(100_000));
        for text in [
            "",
            "[]",
            r#""x""#,
            "<html>",
            r#"{"items":{}}"#,
            r#"{"items":[1]}"#,
            r#"{"items":[{}]"#,
            r#"{"items":[]} x"#,
            r#"{"items":[{"metadata":1}]}"#,
            &deep,
        ] {
            assert!(decode(text, true).is_err(), "{text:.40}");
        }
    }
}
