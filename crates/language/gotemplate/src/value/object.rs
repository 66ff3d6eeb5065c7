//! Values that are made elsewhere: structs with fields, and types with methods.

use std::any::Any;
use std::borrow::Cow;

use super::{GoString, Kind, Value};
use crate::value::func::{Args, Call, Failure, Signature};

/// A value with fields and methods, such as `.Files` or `.Capabilities` of a chart.
pub trait Object: Any {
    /// The name of the Go type, such as `*semver.Version`.
    fn type_name(&self) -> Cow<'_, str>;

    /// The kind of the Go type.
    fn kind(&self) -> Kind {
        Kind::Struct
    }

    /// An exported field by its name.
    fn field(&self, name: &str) -> Option<Value> {
        let _ = name;
        None
    }

    /// All fields, in the order in which `%v` prints them.
    fn fields(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// The parameters of a method.
    fn method(&self, name: &str) -> Option<&'static Signature> {
        let _ = name;
        None
    }

    /// Calls a method that [`Object::method`] knows.
    fn call(&self, name: &str, call: &mut Call<'_, '_>, args: &Args<'_>) -> Result<Value, Failure> {
        let _ = (call, args);
        Err(format!("method {name} is not defined").into())
    }

    /// The text of a type that has a method `String` or `Error`.
    fn stringer(&self) -> Option<GoString> {
        None
    }

    /// The text that an action prints where Go finds the method `String` of a pointer.
    ///
    /// A field of a struct behind a pointer has one there, and loses it as an argument.
    fn printed(&self) -> Option<GoString> {
        None
    }

    /// The value that `encoding/json` prints in place of the fields.
    fn json(&self) -> Option<Value> {
        None
    }

    /// The plain value of a named map or list.
    fn underlying(&self) -> Option<Value> {
        None
    }

    /// The number of elements of a map or a list.
    fn len(&self) -> usize {
        match self.underlying() {
            Some(Value::Map(map)) => map.len(),
            Some(Value::List(list)) => list.len(),
            Some(Value::Bytes(bytes)) => bytes.len(),
            _ => self.entries().len(),
        }
    }

    /// Whether a map or a list has no elements.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries of a map whose keys are not strings, in Go's order.
    fn entries(&self) -> Vec<(Value, Value)> {
        Vec::new()
    }

    /// Whether Go would find both equal with `==`.
    fn equals(&self, other: &dyn Object) -> bool {
        let _ = other;
        false
    }

    /// A deep copy; `None` where copies may share the object.
    fn copied(&self) -> Option<Value> {
        None
    }

    /// The object as its own type.
    fn as_any(&self) -> &dyn Any;
}
