//! Types and kinds of values.

use super::Entry;
use crate::value::func::{Args, Call, Func, Outcome};
use crate::value::{Type, Value};

const ANY: &[Type] = &[Type::Any];
const NAME: &[Type] = &[Type::String, Type::Any];

pub(super) const TABLE: &[Entry] = &[
    (
        "deepEqual",
        Func::fixed(&[Type::Any, Type::Any], deep_equal),
    ),
    ("kindIs", Func::fixed(NAME, kind_is)),
    ("kindOf", Func::fixed(ANY, kind_of)),
    ("typeIs", Func::fixed(NAME, type_is)),
    ("typeIsLike", Func::fixed(NAME, type_is_like)),
    ("typeOf", Func::fixed(ANY, type_of)),
];

fn type_of(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(args.value(0).type_name().into_owned().into())
}

fn type_is(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let name = args.value(1).type_name();
    Ok((name.as_bytes() == args.text(0)).into())
}

fn type_is_like(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let name = args.value(1).type_name();
    let (name, target) = (name.as_bytes(), args.text(0));
    Ok((name == target || name.strip_prefix(b"*") == Some(target)).into())
}

fn kind_of(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(args.value(0).kind().name().into())
}

fn kind_is(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok((args.value(1).kind().name().as_bytes() == args.text(0)).into())
}

fn deep_equal(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let equal = args.value(0).deep_equal(args.value(1), call, 0)?;
    Ok(Value::Bool(equal))
}
