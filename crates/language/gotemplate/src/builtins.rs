//! The functions of the language itself.
//!
//! Those that see static types, such as `index` and `eq`, are run by the executor; the rest are
//! ordinary functions.

mod escape;

use crate::fmt;
use crate::value::func::{Args, Builtin, Call, Func, Outcome, Signature};
use crate::value::{Type, Value};

const ANY1: &[Type] = &[Type::Any];
const ANY2: &[Type] = &[Type::Any, Type::Any];

const TABLE: &[(&str, Func)] = &[
    (
        "and",
        Func::builtin(Signature::variadic(ANY2), Builtin::And),
    ),
    (
        "call",
        Func::builtin(Signature::variadic(ANY2), Builtin::Call),
    ),
    ("html", Func::variadic(ANY1, escape::html)),
    (
        "index",
        Func::builtin(Signature::variadic(ANY2), Builtin::Index),
    ),
    (
        "slice",
        Func::builtin(Signature::variadic(ANY2), Builtin::Slice),
    ),
    ("js", Func::variadic(ANY1, escape::js)),
    ("len", Func::builtin(Signature::fixed(ANY1), Builtin::Len)),
    ("not", Func::builtin(Signature::fixed(ANY1), Builtin::Not)),
    ("or", Func::builtin(Signature::variadic(ANY2), Builtin::Or)),
    ("print", Func::variadic(ANY1, print)),
    ("printf", Func::variadic(&[Type::String, Type::Any], printf)),
    ("println", Func::variadic(ANY1, println)),
    ("urlquery", Func::variadic(ANY1, escape::url_query)),
    ("eq", Func::builtin(Signature::variadic(ANY2), Builtin::Eq)),
    ("ne", Func::builtin(Signature::fixed(ANY2), Builtin::Ne)),
    ("lt", Func::builtin(Signature::fixed(ANY2), Builtin::Lt)),
    ("le", Func::builtin(Signature::fixed(ANY2), Builtin::Le)),
    ("gt", Func::builtin(Signature::fixed(ANY2), Builtin::Gt)),
    ("ge", Func::builtin(Signature::fixed(ANY2), Builtin::Ge)),
];

/// Finds a function of the language.
pub(crate) fn find(name: &str) -> Option<Func> {
    let found = TABLE.iter().find(|(known, _)| *known == name);
    found.map(|(_, func)| *func)
}

fn print(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut out = Vec::new();
    fmt::print_into(args.rest(0), &mut out, call.value_limit())?;
    Ok(Value::string(out))
}

fn println(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut out = Vec::new();
    fmt::println_into(args.rest(0), &mut out, call.value_limit())?;
    Ok(Value::string(out))
}

fn printf(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = fmt::sprintf(args.text(0), args.rest(1), call.value_limit())?;
    Ok(Value::string(text))
}
