//! The functions of sprig 3.3, which charts are written with.
//!
//! Each group is a module with a table of its functions. Names, parameters, coercions and texts
//! of errors are sprig's; a panic in Go is an error here. Where Go's order is random, as of
//! `keys`, the order is sorted.

#![expect(
    clippy::unnecessary_wraps,
    reason = "every function has the type that the tables ask for"
)]

mod cast;
mod certificates;
mod crypto;
mod dates;
mod decimal;
mod defaults;
mod dicts;
mod encoding;
mod lists;
mod math;
mod merge;
mod password;
mod paths;
mod pem;
mod random;
mod regexp;
mod semver;
mod strings;
mod types;
pub mod url;
mod words;

use crate::value::func::{Failure, Func, FuncMap};
use crate::value::{GoString, Value};

/// Which functions are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// All of them: `TxtFuncMap`.
    Text,
    /// Without those whose value changes from call to call: `HermeticTxtFuncMap`.
    Hermetic,
}

/// The functions that `HermeticTxtFuncMap` leaves out.
const NOT_HERMETIC: &[&str] = &[
    "date",
    "date_in_zone",
    "date_modify",
    "now",
    "htmlDate",
    "htmlDateInZone",
    "dateInZone",
    "dateModify",
    "randAlphaNum",
    "randAlpha",
    "randAscii",
    "randNumeric",
    "randBytes",
    "uuidv4",
    "env",
    "expandenv",
    "getHostByName",
];

/// The functions of a profile.
///
/// `env`, `expandenv` and `getHostByName` look outside of the template and are always missing:
/// a caller who wants them adds them.
pub fn func_map(profile: Profile) -> FuncMap {
    let mut functions = FuncMap::new();
    for table in [
        certificates::TABLE,
        crypto::TABLE,
        dates::TABLE,
        defaults::TABLE,
        dicts::TABLE,
        encoding::TABLE,
        lists::TABLE,
        math::TABLE,
        merge::TABLE,
        paths::TABLE,
        password::TABLE,
        random::TABLE,
        regexp::TABLE,
        semver::TABLE,
        strings::TABLE,
        types::TABLE,
        url::TABLE,
        words::TABLE,
    ] {
        functions.extend(table);
    }
    if profile == Profile::Hermetic {
        for name in NOT_HERMETIC {
            functions.remove(name);
        }
    }
    functions
}

/// A function and its name.
type Entry = (&'static str, Func);

/// The error of Go for a nil that is dereferenced.
fn nil_dereference() -> Failure {
    "runtime error: invalid memory address or nil pointer dereference".into()
}

/// The text of a value: strings as they are, all else as `%v`.
fn strval(value: &Value) -> GoString {
    match value {
        Value::String(text) | Value::Bytes(text) => text.clone(),
        value => match value.stringer() {
            Some(text) => text,
            None => crate::fmt::print(std::slice::from_ref(value)),
        },
    }
}
