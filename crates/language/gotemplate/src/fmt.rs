//! Go's `fmt`: how values become text.
//!
//! [`sprintf`] reads a format, [`print`](fn@print) is what an action `{{ . }}` does. [`value`]
//! prints by a verb, [`number`] and [`string`] do the basic kinds, all under the flags of
//! [`flags`].

mod flags;
mod format;
mod number;
mod pad;
mod string;
mod value;

pub(crate) use format::sprintf_into;
pub(crate) use value::Printer;

use crate::budget::ExceededLimit;
use crate::value::{GoString, Kind, Value};

/// The bytes that a text may have where no budget says otherwise.
const DEFAULT_LIMIT: usize = 64 << 20;

/// Formats as `fmt.Sprintf` does.
pub fn sprintf(format: &[u8], args: &[Value], limit: usize) -> Result<Vec<u8>, ExceededLimit> {
    let mut out = Vec::new();
    sprintf_into(format, args, &mut out, limit)?;
    Ok(out)
}

/// Prints as `fmt.Sprint` does: with spaces between operands of which neither is a string.
///
/// A text beyond 64 MiB is cut.
pub fn print(args: &[Value]) -> GoString {
    let mut out = Vec::new();
    let mut printer = Printer::new(&mut out, DEFAULT_LIMIT);
    printer.print(args);
    out.into()
}

/// Prints as `fmt.Sprint` does, into a buffer.
pub(crate) fn print_into(
    args: &[Value],
    out: &mut Vec<u8>,
    limit: usize,
) -> Result<(), ExceededLimit> {
    let mut printer = Printer::new(out, limit);
    printer.print(args);
    printer.finish()
}

/// Prints a value as an action such as `{{ . }}` does.
pub(crate) fn printable(
    value: &Value,
    out: &mut Vec<u8>,
    limit: usize,
) -> Result<(), ExceededLimit> {
    let mut printer = Printer::new(out, limit);
    printer.printable(value);
    printer.finish()
}

/// The value as an action would print it, cut where it is long.
pub(crate) fn excerpt(value: &Value) -> GoString {
    let mut out = Vec::new();
    Printer::new(&mut out, DEFAULT_LIMIT).printable(value);
    out.into()
}

/// Prints as `fmt.Sprintln` does.
pub(crate) fn println_into(
    args: &[Value],
    out: &mut Vec<u8>,
    limit: usize,
) -> Result<(), ExceededLimit> {
    let mut printer = Printer::new(out, limit);
    for (index, arg) in args.iter().enumerate() {
        if index > 0 {
            printer.push(b' ');
        }
        printer.argument(arg, 'v');
    }
    printer.push(b'\n');
    printer.finish()
}

impl Printer<'_> {
    fn print(&mut self, args: &[Value]) {
        let mut was_string = false;
        for (index, arg) in args.iter().enumerate() {
            let is_string = arg.kind() == Kind::String;
            if index > 0 && !is_string && !was_string {
                self.push(b' ');
            }
            self.argument(arg, 'v');
            was_string = is_string;
        }
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = print(std::slice::from_ref(self));
        write!(f, "{}({})", self.type_name(), text.to_text())
    }
}
