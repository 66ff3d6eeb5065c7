//! The functions of the language that see static types.

mod compare;
mod index;

pub(super) use index::{PrepareError, prepare};

use super::Operand;
use crate::value::Value;
use crate::value::func::{Builtin, Failure};

/// Runs a function that sees static types.
pub(super) fn run(builtin: Builtin, operands: &[Operand]) -> Result<Operand, Failure> {
    let (first, rest) = operands.split_first().ok_or("missing argument")?;
    let plain = |value: Value| Ok(Operand::plain(value));
    let second = || rest.first().cloned().unwrap_or_default();
    match builtin {
        Builtin::Not => plain(Value::Bool(!first.value.is_true())),
        Builtin::Len => plain(index::len(first)?),
        Builtin::Index => index::index(first, rest),
        Builtin::Slice => index::slice(&first.value, rest),
        Builtin::Eq => plain(Value::Bool(compare::eq(&first.value, rest)?)),
        Builtin::Ne => plain(Value::Bool(!compare::eq(&first.value, rest)?)),
        Builtin::Lt => plain(Value::Bool(compare::lt(&first.value, &second().value)?)),
        Builtin::Le => plain(Value::Bool(compare::le(&first.value, &second().value)?)),
        Builtin::Gt => plain(Value::Bool(!compare::le(&first.value, &second().value)?)),
        Builtin::Ge => plain(Value::Bool(!compare::lt(&first.value, &second().value)?)),
        Builtin::And | Builtin::Or | Builtin::Call => Err("not a plain function".into()),
    }
}
