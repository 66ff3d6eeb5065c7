//! Fields of structs, keys of maps and methods.

use sluice_golang::quote::quote_bytes;

use super::eval::Final;
use super::{At, Frame, Operand, Result, methods};
use crate::parse::tree::Term;
use crate::template::MissingKey;
use crate::value::func::Signature;
use crate::value::{GoString, Kind, Map, Type, Value};

impl<'t> Frame<'_, '_, 't> {
    /// Follows fields from a receiver; the last one may be a method with arguments.
    pub(super) fn eval_fields(
        &mut self,
        dot: &Operand,
        mut receiver: Operand,
        node: &'t Term,
        fields: &'t [GoString],
        terms: &'t [Term],
        last: Final,
    ) -> Result<Operand> {
        let Some((end, path)) = fields.split_last() else {
            return Ok(receiver);
        };
        for field in path {
            receiver = self.eval_field(dot, field, node, &[], None, &receiver)?;
        }
        self.eval_field(dot, end, node, terms, last, &receiver)
    }

    fn eval_field(
        &mut self,
        dot: &Operand,
        name: &GoString,
        node: &'t Term,
        terms: &'t [Term],
        last: Final,
        receiver: &Operand,
    ) -> Result<Operand> {
        if receiver.is_invalid() {
            if self.set.missing_key() == MissingKey::Error {
                let name = quote_bytes(name);
                return self.fail(format!("nil data; no entry for key {name}"));
            }
            return Ok(Operand::default());
        }
        // The common case first: a key of a map.
        if let Value::Map(map) = &receiver.value {
            if terms.len() > 1 || last.is_some() {
                return self.fail(format!("{name} is not a method but has arguments"));
            }
            return self.key(map, name);
        }
        if receiver.is_nil_interface() {
            return self.fail(format!("nil pointer evaluating interface {{}}.{name}"));
        }
        let text = name.to_text();
        if let Some(signature) = method(&receiver.value, &text) {
            let args = terms.get(1..).unwrap_or_default();
            return self.eval_method(dot, &receiver.value, signature, node, &text, args, last);
        }
        let has_args = terms.len() > 1 || last.is_some();
        if let Value::Object(object) = &receiver.value {
            match object.kind() {
                Kind::Map => {
                    if let Some(Value::Map(map)) = object.underlying() {
                        if has_args {
                            return self.fail(format!("{name} is not a method but has arguments"));
                        }
                        return self.key(&map, name);
                    }
                }
                Kind::Slice => {}
                _ => {
                    if let Some(value) = object.field(&text) {
                        if has_args {
                            return self.fail(format!(
                                "{name} has arguments but cannot be invoked as function"
                            ));
                        }
                        // A field without a value is of an interface type.
                        let is_interface = matches!(value, Value::Nil);
                        return Ok(Operand {
                            value,
                            is_interface,
                        });
                    }
                    let is_hidden = object.fields().iter().any(|(field, _)| *field == text);
                    if is_hidden {
                        let of = static_type(receiver);
                        return self
                            .fail(format!("{name} is an unexported field of struct type {of}"));
                    }
                }
            }
        }
        if matches!(receiver.value, Value::Time(_)) && matches!(&*text, "wall" | "ext" | "loc") {
            let of = static_type(receiver);
            return self.fail(format!("{name} is an unexported field of struct type {of}"));
        }
        let of = static_type(receiver);
        self.fail(format!("can't evaluate field {name} in type {of}"))
    }

    fn key(&self, map: &Map, name: &GoString) -> Result<Operand> {
        let elem = map.of().elem;
        let is_interface = elem == Type::Any;
        if let Some(value) = map.get(name) {
            return Ok(Operand {
                value,
                is_interface,
            });
        }
        match self.set.missing_key() {
            MissingKey::Invalid => Ok(Operand::default()),
            MissingKey::Zero => Ok(Operand {
                value: elem.zero(),
                is_interface,
            }),
            MissingKey::Error => {
                self.fail(format!("map has no entry for key {}", quote_bytes(name)))
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a call has as many parts in Go")]
    fn eval_method(
        &mut self,
        dot: &Operand,
        receiver: &Value,
        signature: &'static Signature,
        node: &'t Term,
        name: &str,
        args: &'t [Term],
        last: Final,
    ) -> Result<Operand> {
        let mut values = self.eval_args(dot, signature, name, args, last)?;
        let outcome = self.invoke(receiver, name, &values);
        values.clear();
        self.render.buffers.push(values);
        match outcome {
            Ok(value) => Ok(Operand::plain(value)),
            Err(cause) => {
                self.at = At::Term(node);
                self.fail_for(&format!("error calling {name}: "), cause)
            }
        }
    }
}

/// The static type of a receiver, as errors name it.
fn static_type(receiver: &Operand) -> String {
    if receiver.is_interface {
        "interface {}".to_owned()
    } else {
        receiver.value.type_name().into_owned()
    }
}

fn method(receiver: &Value, name: &str) -> Option<&'static Signature> {
    match receiver {
        Value::Object(object) => object.method(name),
        _ => methods::signature(receiver, name),
    }
}
