//! The dialect of `sigs.k8s.io/yaml` on go-yaml v2: the form in which manifests are read, and in
//! which `kustomize build` and `flux … --export` print.
//!
//! Reading follows YAML 1.1 as go-yaml v2 implements it: `yes`, `on` and `y` are booleans; `0o17`,
//! `017` and `1_000` are integers; `<<` merges. The result passes through JSON, so `1e3` is the
//! integer 1000 and infinities are errors. Writing sorts keys in go-yaml's natural order, and
//! folds at 80 columns. It quotes strings that would read back as another type.
//!
//! Start at [`from_str`] and [`to_string`].
//!
//! Differences from upstream, which manifests do not meet. Nesting beyond
//! [`MAX_DEPTH`](crate::MAX_DEPTH) and aliases that copy more than 64 MiB are errors. Where Go
//! drops one of two keys at random (`1` and `"1"`), the later one wins. Control characters print
//! as escapes, because upstream cannot read its own JSON.

use crate::decode::Decoder;
use crate::node::Documents;
use crate::{Dialect, Error, Value, reader};

mod encode;
mod order;

pub(crate) use encode::print;
pub use order::sort as sort_entries;

/// Reads the first document of a text, as `sigs.k8s.io/yaml.Unmarshal` does. An empty text is
/// null. The last of several equal keys wins.
pub fn from_str(text: &str) -> Result<Value, Error> {
    from_slice(text.as_bytes())
}

/// Reads the first document of a text in UTF-8, or in UTF-16 with a byte order mark.
pub fn from_slice(bytes: &[u8]) -> Result<Value, Error> {
    first(bytes, Dialect::V2)
}

/// Reads the first document of a text. A duplicate key is an error.
pub fn from_str_strict(text: &str) -> Result<Value, Error> {
    first(text.as_bytes(), Dialect::V2Strict)
}

/// Reads every document of a text. An empty document is null.
pub fn documents(text: &str) -> Result<Vec<Value>, Error> {
    let text = reader::decode(text.as_bytes())?;
    Documents::new(&text, Dialect::V2)
        .map(|document| Decoder::new(&document?, Dialect::V2).decode())
        .collect()
}

fn first(bytes: &[u8], dialect: Dialect) -> Result<Value, Error> {
    let text = reader::decode(bytes)?;
    match Documents::new(&text, dialect).next() {
        Some(document) => Decoder::new(&document?, dialect).decode(),
        None => Ok(Value::Null),
    }
}

/// Prints a value with a final line feed, as `sigs.k8s.io/yaml.Marshal` does.
pub fn to_string(value: &Value) -> String {
    encode::encode(value, encode::KeyOrder::Natural)
}

/// Prints a value like [`to_string`], with its keys sorted by bytes. Flux hashes values in this
/// form.
pub fn to_string_by_bytes(value: &Value) -> String {
    encode::encode(value, encode::KeyOrder::Bytes)
}

#[cfg(test)]
mod tests;
