//! Calls functions with checked arguments.

use super::eval::Final;
use super::operators::{self, PrepareError};
use super::services::Caller;
use super::{At, Frame, Operand, Result, methods};
use crate::parse::print;
use crate::parse::tree::Term;
use crate::value::func::{Args, Body, Builtin, Call, Failure, Func, Outcome, Signature};
use crate::value::{GoString, Type, Value};

impl<'t> Frame<'_, '_, 't> {
    pub(super) fn eval_call(
        &mut self,
        dot: &Operand,
        func: &Func,
        node: At<'t>,
        name: &GoString,
        args: &'t [Term],
        last: Final,
    ) -> Result<Operand> {
        let name = name.to_text();
        let outcome = match func.body {
            Body::Native(run) => {
                let values = self.eval_args(dot, &func.signature, &name, args, last)?;
                let outcome = self.run(run, &values);
                self.give_back(values);
                outcome.map(Operand::plain)
            }
            Body::Builtin(builtin) => {
                self.check_count(&func.signature, &name, args.len(), last.is_some())?;
                if matches!(builtin, Builtin::And | Builtin::Or) {
                    return self.eval_logic(dot, builtin == Builtin::Or, args, last);
                }
                let mut operands = Vec::with_capacity(args.len() + 1);
                for arg in args {
                    operands.push(self.eval_operand(dot, arg)?);
                }
                operands.extend(last);
                self.run_builtin(builtin, &operands, args)
            }
        };
        match outcome {
            Ok(operand) => {
                let bytes = shallow_size(&operand.value);
                if bytes > 0
                    && let Err(exceeded) = self.render.meter.bytes(bytes)
                {
                    self.at = node;
                    return self.fail_for(&format!("error calling {name}: "), exceeded.into());
                }
                Ok(operand)
            }
            Err(cause) => {
                self.at = node;
                self.fail_for(&format!("error calling {name}: "), cause)
            }
        }
    }

    fn give_back(&mut self, mut values: Vec<Value>) {
        values.clear();
        self.render.buffers.push(values);
    }

    fn check_count(
        &self,
        signature: &Signature,
        name: &str,
        args: usize,
        has_last: bool,
    ) -> Result<()> {
        let count = args + usize::from(has_last);
        let params = signature.params.len();
        if signature.is_variadic {
            let least = params.saturating_sub(1);
            if count < least {
                return self.fail(format!(
                    "wrong number of args for {name}: want at least {least} got {args}"
                ));
            }
        } else if count != params {
            return self.fail(format!(
                "wrong number of args for {name}: want {params} got {count}"
            ));
        }
        Ok(())
    }

    /// Evaluates the arguments of a call, each as its parameter wants it.
    pub(super) fn eval_args(
        &mut self,
        dot: &Operand,
        signature: &Signature,
        name: &str,
        args: &'t [Term],
        last: Final,
    ) -> Result<Vec<Value>> {
        self.check_count(signature, name, args.len(), last.is_some())?;
        let params = signature.params;
        let of = |index: usize| {
            let index = index.min(params.len().saturating_sub(1));
            params.get(index).copied().unwrap_or(Type::Any)
        };
        let mut values = self.render.buffers.pop().unwrap_or_default();
        for (index, arg) in args.iter().enumerate() {
            let value = self.eval_arg(dot, of(index), arg)?;
            values.push(value);
        }
        if let Some(last) = last {
            let value = self.validate(last, of(args.len()))?;
            values.push(value);
        }
        Ok(values)
    }

    fn run(&mut self, run: crate::value::func::Native, values: &[Value]) -> Outcome {
        let mut caller = Caller {
            render: self.render,
            set: self.set,
            tree: self.tree,
        };
        run(&mut Call::new(&mut caller), &Args(values))
    }

    /// Calls a method of a value.
    pub(super) fn invoke(&mut self, receiver: &Value, name: &str, values: &[Value]) -> Outcome {
        match receiver {
            Value::Object(object) => {
                let mut caller = Caller {
                    render: self.render,
                    set: self.set,
                    tree: self.tree,
                };
                object.call(name, &mut Call::new(&mut caller), &Args(values))
            }
            _ => {
                let local = self.render.environment.local();
                methods::call(receiver, name, &Args(values), local)
            }
        }
    }

    /// `and` and `or` evaluate no more arguments than they need.
    fn eval_logic(
        &mut self,
        dot: &Operand,
        is_or: bool,
        args: &'t [Term],
        last: Final,
    ) -> Result<Operand> {
        let mut value = Operand::default();
        for arg in args {
            value = self.eval_operand(dot, arg)?;
            if value.value.is_true() == is_or {
                return Ok(value);
            }
        }
        Ok(last.unwrap_or(value))
    }

    fn run_builtin(
        &mut self,
        builtin: Builtin,
        operands: &[Operand],
        args: &'t [Term],
    ) -> std::result::Result<Operand, Failure> {
        if builtin == Builtin::Call {
            return self.call_value(operands, args);
        }
        operators::run(builtin, operands)
    }

    /// `call`, which calls a function that is a value.
    fn call_value(
        &mut self,
        operands: &[Operand],
        args: &'t [Term],
    ) -> std::result::Result<Operand, Failure> {
        let (callee, values) = operands.split_first().ok_or("call of nil")?;
        let name = match args.first() {
            Some(term) => print::term(self.tree, term),
            None => format!("<{} Value>", callee.value.type_name()),
        };
        let func = match &callee.value {
            Value::Nil => return Err("call of nil".into()),
            Value::Func(func) => **func,
            other => {
                return Err(format!("non-function {name} of type {}", other.type_name()).into());
            }
        };
        let params = func.signature.params;
        let count = values.len();
        if func.signature.is_variadic {
            let least = params.len().saturating_sub(1);
            if count < least {
                let message =
                    format!("wrong number of args for {name}: got {count} want at least {least}");
                return Err(message.into());
            }
        } else if count != params.len() {
            let wanted = params.len();
            return Err(
                format!("wrong number of args for {name}: got {count} want {wanted}").into(),
            );
        }
        let mut checked = Vec::with_capacity(count);
        for (index, value) in values.iter().enumerate() {
            let of = params[index.min(params.len() - 1)];
            let value = operators::prepare(&value.value, of)
                .map_err(|cause| ArgumentError { index, cause })?;
            checked.push(value);
        }
        match func.body {
            Body::Native(run) => self.run(run, &checked).map(Operand::plain),
            Body::Builtin(builtin) => {
                let operands: Vec<Operand> = checked.into_iter().map(Operand::plain).collect();
                self.run_builtin(builtin, &operands, &[])
            }
        }
    }
}

/// An argument that `call` cannot hand on.
#[derive(Debug, thiserror::Error)]
#[error("arg {index}: {cause}")]
struct ArgumentError {
    index: usize,
    #[source]
    cause: PrepareError,
}

/// The bytes of a value that a function made; short strings are not worth counting.
fn shallow_size(value: &Value) -> u64 {
    match value {
        Value::String(text) if text.len() > 64 => text.len() as u64,
        Value::List(list) => 24 * list.len() as u64,
        _ => 0,
    }
}
