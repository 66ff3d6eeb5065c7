//! Values of every type by a verb.

use std::rc::Rc;

use super::flags::Flags;
use crate::budget::ExceededLimit;
use crate::stack;
use crate::value::{Kind, List, Map, Object, Value};

/// The deepest nesting that is printed.
const MAX_NESTING: usize = 10_000;

/// Writes values into a buffer of a limited size.
pub(crate) struct Printer<'o> {
    pub(super) out: &'o mut Vec<u8>,
    pub(super) flags: Flags,
    end: usize,
    exceeded: Option<ExceededLimit>,
    /// Inside of `%!d(…)`, where methods are not called.
    is_complaining: bool,
}

impl<'o> Printer<'o> {
    pub(crate) fn new(out: &'o mut Vec<u8>, limit: usize) -> Self {
        let end = out.len().saturating_add(limit);
        Self {
            out,
            flags: Flags::default(),
            end,
            exceeded: None,
            is_complaining: false,
        }
    }

    pub(crate) fn finish(&self) -> Result<(), ExceededLimit> {
        match self.exceeded {
            Some(exceeded) => Err(exceeded),
            None if self.out.len() > self.end => Err(ExceededLimit::Value),
            None => Ok(()),
        }
    }

    /// Whether nothing more is to be written.
    pub(super) fn is_full(&self) -> bool {
        self.exceeded.is_some() || self.out.len() > self.end
    }

    pub(super) fn write(&mut self, text: &[u8]) {
        if self.out.len() + text.len() > self.end {
            self.exceeded = Some(ExceededLimit::Value);
            return;
        }
        self.out.extend_from_slice(text);
    }

    pub(super) fn push(&mut self, byte: u8) {
        self.out.push(byte);
    }

    /// `%!d` and an explanation.
    pub(super) fn complain(&mut self, verb: char, about: &[u8]) {
        self.write(b"%!");
        self.write(verb.encode_utf8(&mut [0; 4]).as_bytes());
        self.write(about);
    }

    /// A value as `{{ . }}` shows it: a pointer as what it points to.
    pub(crate) fn printable(&mut self, value: &Value) {
        match value {
            Value::Nil => self.write(b"<no value>"),
            Value::Object(object)
                if object.kind() == Kind::Pointer && object.stringer().is_none() =>
            {
                let name = object.type_name().into_owned();
                self.structure(object, name.trim_start_matches('*'), 'v', 0);
            }
            value => self.argument(value, 'v'),
        }
    }

    /// One argument of a call.
    pub(crate) fn argument(&mut self, arg: &Value, verb: char) {
        match (arg, verb) {
            (Value::Nil, 'T' | 'v') => self.pad(b"<nil>"),
            (Value::Nil, _) => self.complain(verb, b"(<nil>)"),
            (_, 'T') => {
                let name = arg.type_name().into_owned();
                self.string(name.as_bytes(), 's');
            }
            (_, 'p') => self.pointer(arg, verb),
            _ => self.value(arg, verb, 0),
        }
    }

    fn value(&mut self, value: &Value, verb: char, depth: usize) {
        if depth > MAX_NESTING {
            self.exceeded = Some(ExceededLimit::Nesting);
        }
        if self.is_full() {
            return;
        }
        if verb == 'w' {
            // Only `Errorf` wraps.
            return self.bad_verb(value, verb);
        }
        if !self.is_complaining && self.by_method(value, verb) {
            return;
        }
        let is_done = match value {
            Value::Nil => {
                let nil: &[u8] = if self.flags.sharp_v {
                    b"interface {}(nil)"
                } else {
                    b"<nil>"
                };
                self.write(nil);
                true
            }
            Value::Bool(flag) => {
                let is_verb = matches!(verb, 't' | 'v');
                if is_verb {
                    self.pad(if *flag { b"true" } else { b"false" });
                }
                is_verb
            }
            Value::Int(_, value) => self.integer(value.unsigned_abs(), *value < 0, true, verb),
            Value::Uint(_, value) => self.integer(*value, false, false, verb),
            Value::Float(of, value) => {
                let bits = if of.kind() == Kind::Float32 { 32 } else { 64 };
                self.float(*value, bits, verb)
            }
            Value::Complex(real, imaginary) => self.complex(*real, *imaginary, verb),
            Value::String(text) => self.string(text, verb),
            Value::Bytes(bytes) => self.bytes(bytes, verb, depth),
            Value::List(list) => {
                self.list(list, verb, depth);
                true
            }
            Value::Map(map) => {
                self.map(map, verb, depth);
                true
            }
            Value::Time(time) => {
                let text = time.to_string();
                self.string(text.as_bytes(), 'v')
            }
            Value::Func(_) => {
                self.pointer(value, verb);
                true
            }
            Value::Object(object) => {
                self.object(object, verb, depth);
                true
            }
        };
        if !is_done {
            self.bad_verb(value, verb);
        }
    }

    /// Prints the text that a type gives itself.
    fn by_method(&mut self, value: &Value, verb: char) -> bool {
        let is_verb = matches!(verb, 'v' | 's' | 'x' | 'X' | 'q') && !self.flags.sharp_v;
        if !is_verb {
            return false;
        }
        match value.stringer() {
            Some(text) => self.string(&text, verb),
            None => false,
        }
    }

    /// `%!d(string=x)`
    fn bad_verb(&mut self, value: &Value, verb: char) {
        let was_complaining = std::mem::replace(&mut self.is_complaining, true);
        self.complain(verb, b"(");
        self.write(value.type_name().as_bytes());
        self.push(b'=');
        self.value(value, 'v', 0);
        self.push(b')');
        self.is_complaining = was_complaining;
    }

    /// The separator of elements.
    fn separator(&mut self, index: usize) {
        if index > 0 {
            let separator: &[u8] = if self.flags.sharp_v { b", " } else { b" " };
            self.write(separator);
        }
    }

    fn element(&mut self, value: &Value, verb: char, depth: usize) {
        stack::grow(|| self.value(value, verb, depth + 1));
    }

    /// The type and an opening brace; false where the value is nil.
    fn open(&mut self, name: &str, is_nil: bool, plain: &[u8]) -> bool {
        if !self.flags.sharp_v {
            self.write(plain);
            return true;
        }
        self.write(name.as_bytes());
        self.write(if is_nil { b"(nil)" } else { b"{" });
        !is_nil
    }

    fn close(&mut self) {
        self.push(if self.flags.sharp_v { b'}' } else { b']' });
    }

    fn list(&mut self, list: &List, verb: char, depth: usize) {
        if !self.open(list.of().name, list.is_nil(), b"[") {
            return;
        }
        for (index, item) in list.items().iter().enumerate() {
            if self.is_full() {
                return;
            }
            self.separator(index);
            self.element(item, verb, depth);
        }
        self.close();
    }

    fn map(&mut self, map: &Map, verb: char, depth: usize) {
        if !self.open(map.of().name, map.is_nil(), b"map[") {
            return;
        }
        for (index, (key, value)) in map.entries().into_iter().enumerate() {
            if self.is_full() {
                return;
            }
            self.separator(index);
            self.element(&Value::String(key), verb, depth);
            self.push(b':');
            self.element(&value, verb, depth);
        }
        self.close();
    }

    fn bytes(&mut self, bytes: &[u8], verb: char, depth: usize) -> bool {
        if matches!(verb, 's' | 'q' | 'x' | 'X') {
            return self.string(bytes, verb);
        }
        let name = if depth == 0 { "[]byte" } else { "[]uint8" };
        if !self.open(name, false, b"[") {
            return true;
        }
        let verb = if verb == 'd' { 'v' } else { verb };
        for (index, byte) in bytes.iter().enumerate() {
            self.separator(index);
            let value = Value::Uint(crate::value::UintType::Uint8, u64::from(*byte));
            self.value(&value, verb, depth + 1);
        }
        self.close();
        true
    }

    fn object(&mut self, object: &Rc<dyn Object>, verb: char, depth: usize) {
        let name = object.type_name().into_owned();
        match object.kind() {
            Kind::Map | Kind::Slice => self.named(object, &name, verb, depth),
            Kind::Pointer if depth == 0 => {
                self.push(b'&');
                self.structure(object, name.trim_start_matches('*'), verb, depth);
            }
            Kind::Pointer => self.pointer(&Value::Object(Rc::clone(object)), verb),
            _ => self.structure(object, &name, verb, depth),
        }
    }

    fn named(&mut self, object: &Rc<dyn Object>, name: &str, verb: char, depth: usize) {
        match object.underlying() {
            Some(Value::Map(map)) if !self.flags.sharp_v => self.map(&map, verb, depth),
            Some(Value::List(list)) if !self.flags.sharp_v => self.list(&list, verb, depth),
            _ => {
                self.open(name, false, b"map[");
                for (index, (key, value)) in object.entries().iter().enumerate() {
                    self.separator(index);
                    self.element(key, verb, depth);
                    self.push(b':');
                    self.element(value, verb, depth);
                }
                self.close();
            }
        }
    }

    fn structure(&mut self, object: &Rc<dyn Object>, name: &str, verb: char, depth: usize) {
        if self.flags.sharp_v {
            self.write(name.as_bytes());
        }
        self.push(b'{');
        for (index, (name, value)) in object.fields().iter().enumerate() {
            self.separator(index);
            if self.flags.plus_v || self.flags.sharp_v {
                self.write(name.as_bytes());
                self.push(b':');
            }
            self.element(value, verb, depth);
        }
        self.push(b'}');
    }

    /// The address of a map, a list, a pointer or a function.
    fn pointer(&mut self, value: &Value, verb: char) {
        let address = match value {
            Value::Map(map) => map.address(),
            Value::List(list) => list.address(),
            Value::Bytes(bytes) => bytes.as_bytes().as_ptr().addr(),
            Value::Func(func) => Rc::as_ptr(func).addr(),
            Value::Object(object) if object.kind() == Kind::Pointer => {
                Rc::as_ptr(object).cast::<()>().addr()
            }
            _ => return self.bad_verb(value, verb),
        } as u64;
        match verb {
            'v' if self.flags.sharp_v => {
                self.push(b'(');
                self.write(value.type_name().as_bytes());
                self.write(b")(");
                self.prefixed(address);
                self.push(b')');
            }
            'v' | 'p' => {
                let sharp = std::mem::replace(&mut self.flags.sharp, false);
                if sharp {
                    self.integer(address, false, false, 'x');
                } else {
                    self.prefixed(address);
                }
                self.flags.sharp = sharp;
            }
            'b' | 'o' | 'd' | 'x' | 'X' => {
                self.integer(address, false, false, verb);
            }
            _ => self.bad_verb(value, verb),
        }
    }
}
