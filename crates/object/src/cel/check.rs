//! Checking types before anything is evaluated.
//!
//! Declared variables are maps of anything, so much is only known on evaluation; what is known
//! before — names, functions, the types of literals and of results — must fit.
//! `signatures.txt` has the functions: a dot before the name marks a member, and capital
//! letters stand for any type.

mod unify;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::LazyLock;

use super::Issue;
use super::functions;
use super::tree::{Kind, Loop, LoopKind, Node};
use super::value::Value;
use unify::Bindings;

/// A type of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Anything.
    Dyn,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Timestamp,
    Duration,
    Type(Box<Self>),
    List(Box<Self>),
    Map(Box<Self>, Box<Self>),
    Optional(Box<Self>),
    /// A type that is still open.
    Open(usize),
}

impl Type {
    /// The name, as errors or as the reports of a result have it.
    fn write(&self, f: &mut fmt::Formatter<'_>, short: bool) -> fmt::Result {
        let inner = |inner: &Self| Shown {
            inner: inner.clone(),
            short,
        };
        match self {
            Self::Dyn | Self::Open(_) => f.write_str("dyn"),
            Self::Null if short => f.write_str("null"),
            Self::Null => f.write_str("null_type"),
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Uint => f.write_str("uint"),
            Self::Double => f.write_str("double"),
            Self::String => f.write_str("string"),
            Self::Bytes => f.write_str("bytes"),
            Self::Timestamp if short => f.write_str("timestamp"),
            Self::Timestamp => f.write_str("google.protobuf.Timestamp"),
            Self::Duration if short => f.write_str("duration"),
            Self::Duration => f.write_str("google.protobuf.Duration"),
            Self::Type(of) => write!(f, "type({})", inner(of)),
            Self::List(of) => write!(f, "list({})", inner(of)),
            Self::Map(key, value) => write!(f, "map({}, {})", inner(key), inner(value)),
            Self::Optional(of) => write!(f, "optional_type({})", inner(of)),
        }
    }

    /// Replaces what is still open by anything.
    fn closed(self) -> Self {
        let close = |inner: Box<Self>| Box::new(inner.closed());
        match self {
            Self::Open(_) => Self::Dyn,
            Self::Type(of) => Self::Type(close(of)),
            Self::List(of) => Self::List(close(of)),
            Self::Map(key, value) => Self::Map(close(key), close(value)),
            Self::Optional(of) => Self::Optional(close(of)),
            other => other,
        }
    }

    fn list(of: Self) -> Self {
        Self::List(Box::new(of))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, false)
    }
}

/// A type in the words of one of the two kinds of texts.
struct Shown {
    inner: Type,
    short: bool,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.write(f, self.short)
    }
}

/// One way to call a function; open types are numbered from zero.
#[derive(Debug)]
struct Signature {
    is_member: bool,
    parameters: Vec<Type>,
    result: Type,
}

static SIGNATURES: LazyLock<HashMap<&'static str, Vec<Signature>>> = LazyLock::new(|| {
    let mut signatures: HashMap<_, Vec<_>> = HashMap::new();
    for line in include_str!("signatures.txt").lines() {
        let (left, result) = line.split_once(" -> ").expect("each line has a result");
        let mut words = left.split(' ');
        let name = words.next().expect("each line has a name");
        let (name, is_member) = match name.strip_prefix('.') {
            Some(name) => (name, true),
            None => (name, false),
        };
        let signature = Signature {
            is_member,
            parameters: words.map(read_type).collect(),
            result: read_type(result),
        };
        signatures.entry(name).or_default().push(signature);
    }
    // Numbers are ordered across their types, anything else within its own.
    for name in ["_<_", "_<=_", "_>_", "_>=_"] {
        let numbers = [Type::Int, Type::Uint, Type::Double];
        let others = [
            Type::Bool,
            Type::String,
            Type::Bytes,
            Type::Timestamp,
            Type::Duration,
        ];
        let mixed = numbers
            .iter()
            .flat_map(|left| numbers.iter().map(move |right| (left, right)));
        let pairs = mixed.chain(others.iter().map(|of| (of, of)));
        let ordered = pairs.map(|(left, right)| Signature {
            is_member: false,
            parameters: vec![left.clone(), right.clone()],
            result: Type::Bool,
        });
        signatures.insert(name, ordered.collect());
    }
    signatures
});

fn read_type(text: &str) -> Type {
    let inner = |text: &str| Box::new(read_type(text));
    if let Some((outer, rest)) = text.split_once('<') {
        let arguments = rest.strip_suffix('>').expect("brackets match");
        return match outer {
            "list" => Type::List(inner(arguments)),
            "opt" => Type::Optional(inner(arguments)),
            "type" => Type::Type(inner(arguments)),
            _ => {
                let (key, value) = arguments.split_once(',').expect("a map has two types");
                Type::Map(inner(key), inner(value))
            }
        };
    }
    match text {
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "timestamp" => Type::Timestamp,
        "duration" => Type::Duration,
        "A" => Type::Open(0),
        "B" => Type::Open(1),
        _ => Type::Dyn,
    }
}

/// Finds the type of an expression over variables that are maps of anything.
pub(super) fn check(root: &Node, variables: &[&str]) -> Result<Type, Vec<Issue>> {
    let mut checker = Checker {
        variables: variables.iter().copied().collect(),
        locals: Vec::new(),
        bindings: Bindings::default(),
        issues: Vec::new(),
        alike: Vec::new(),
    };
    let found = checker.type_of(root);
    if checker.issues.is_empty() {
        checker.check_alike();
    }
    if checker.issues.is_empty() {
        return Ok(checker.bindings.resolve(&found).closed());
    }
    checker.issues.sort_by_key(|issue| issue.at);
    Err(checker.issues)
}

struct Checker<'a> {
    variables: HashSet<&'a str>,
    locals: Vec<(&'a str, Type)>,
    bindings: Bindings,
    issues: Vec<Issue>,
    /// Elements that must be of the type of the first one, once all is known.
    alike: Vec<(usize, Type, Type)>,
}

impl<'a> Checker<'a> {
    fn issue(&mut self, at: usize, message: String) -> Type {
        self.issues.push(Issue { at, message });
        // Whatever is wrong here is not to be found wrong again further out.
        Type::Dyn
    }

    fn undeclared(&mut self, at: usize, name: &str) -> Type {
        self.issue(
            at,
            format!("undeclared reference to '{name}' (in container '')"),
        )
    }

    fn shown(&self, of: &Type) -> Shown {
        Shown {
            inner: self.bindings.resolve(of),
            short: true,
        }
    }

    fn type_of(&mut self, node: &'a Node) -> Type {
        match &node.kind {
            Kind::Literal(value) => literal(value),
            Kind::Name(name) => self.name(node.at, name),
            Kind::Select {
                operand,
                field,
                optional,
            } => self.select(node.at, operand, field, *optional),
            Kind::Has { operand, .. } => {
                let operand_type = self.type_of(operand);
                self.field(node.at, &operand_type);
                Type::Bool
            }
            Kind::Call {
                function,
                is_member,
                arguments,
            } => self.call(node.at, function, *is_member, arguments),
            Kind::Matches { call, .. } => self.type_of(call),
            Kind::List(elements) => self.list(elements, true),
            Kind::Map(entries) => self.map(entries),
            Kind::Loop(each) => self.each(node.at, each),
            Kind::OptionalMap {
                target,
                variable,
                body,
                is_flat,
            } => {
                let target_type = self.type_of(target);
                let held = self.bindings.fresh();
                let wanted = Type::Optional(Box::new(held.clone()));
                if !self.bindings.assign(&wanted, &target_type) {
                    let found = self.shown(&target_type);
                    let message = format!(
                        "found no matching overload for 'hasValue' applied to '{found}.()'"
                    );
                    return self.issue(node.at, message);
                }
                let mapped = self.within(variable, held, body);
                if *is_flat {
                    mapped
                } else {
                    Type::Optional(Box::new(mapped))
                }
            }
        }
    }

    fn within(&mut self, variable: &'a str, of: Type, body: &'a Node) -> Type {
        self.locals.push((variable, of));
        let found = self.type_of(body);
        self.locals.pop();
        found
    }

    fn name(&mut self, at: usize, name: &str) -> Type {
        if let Some((_, found)) = self.locals.iter().rev().find(|(local, _)| *local == name) {
            return found.clone();
        }
        if self.variables.contains(name) {
            return Type::Map(Box::new(Type::String), Box::new(Type::Dyn));
        }
        match functions::type_named(name) {
            Some(_) => Type::Type(Box::new(match name {
                "list" => Type::list(Type::Dyn),
                "map" => Type::Map(Box::new(Type::Dyn), Box::new(Type::Dyn)),
                "null_type" => Type::Null,
                "optional_type" => Type::Optional(Box::new(Type::Dyn)),
                name => read_type(name),
            })),
            None => self.undeclared(at, name),
        }
    }

    fn select(&mut self, at: usize, operand: &'a Node, _: &str, optional: bool) -> Type {
        let operand_type = self.type_of(operand);
        let operand_type = self.bindings.resolve(&operand_type);
        let (of, is_optional) = match operand_type {
            Type::Optional(of) => (*of, true),
            of => (of, optional),
        };
        let field = self.field(at, &of);
        if is_optional {
            Type::Optional(Box::new(field))
        } else {
            field
        }
    }

    /// The type of any field of a type.
    fn field(&mut self, at: usize, of: &Type) -> Type {
        match self.bindings.resolve(of) {
            Type::Map(_, value) => *value,
            Type::Dyn | Type::Open(_) => Type::Dyn,
            Type::Optional(of) => self.field(at, &of),
            other => {
                let shown = self.shown(&other);
                self.issue(
                    at,
                    format!("type '{shown}' does not support field selection"),
                )
            }
        }
    }

    fn call(&mut self, at: usize, function: &str, is_member: bool, arguments: &'a [Node]) -> Type {
        if matches!(function, "_&&_" | "_||_") {
            for argument in arguments {
                let found = self.type_of(argument);
                self.expect(argument.at, &Type::Bool, &found);
            }
            return Type::Bool;
        }
        let Some(signatures) = SIGNATURES.get(function) else {
            for argument in arguments {
                self.type_of(argument);
            }
            return self.undeclared(at, function);
        };
        let found: Vec<Type> = arguments
            .iter()
            .map(|argument| match &argument.kind {
                // What is put into a text may be of any types.
                Kind::List(elements) if function == "format" => self.list(elements, false),
                _ => self.type_of(argument),
            })
            .collect();
        self.overload(at, function, is_member, signatures, &found)
    }

    /// The result of every signature that fits: one type, or any if they differ.
    fn overload(
        &mut self,
        at: usize,
        function: &str,
        is_member: bool,
        signatures: &[Signature],
        found: &[Type],
    ) -> Type {
        let mut result: Option<Type> = None;
        for signature in signatures {
            if signature.is_member != is_member || signature.parameters.len() != found.len() {
                continue;
            }
            let open = [self.bindings.fresh(), self.bindings.fresh()];
            let mut tried = self.bindings.clone();
            let mut pairs = signature.parameters.iter().zip(found);
            if !pairs.all(|(wanted, found)| tried.assign(&instance(wanted, &open), found)) {
                continue;
            }
            self.bindings = tried;
            let this = self.bindings.resolve(&instance(&signature.result, &open));
            result = Some(match result {
                None => this,
                Some(known) if known == this => known,
                Some(_) => Type::Dyn,
            });
        }
        if let Some(result) = result {
            return result;
        }
        let mut shown: Vec<String> = found.iter().map(|of| self.shown(of).to_string()).collect();
        let applied = if is_member {
            let target = shown.remove(0);
            format!("{target}.({})", shown.join(", "))
        } else {
            format!("({})", shown.join(", "))
        };
        self.issue(
            at,
            format!("found no matching overload for '{function}' applied to '{applied}'"),
        )
    }

    fn expect(&mut self, at: usize, wanted: &Type, found: &Type) -> bool {
        let fits = self.bindings.assign(wanted, found);
        if !fits {
            let (wanted, found) = (self.shown(wanted), self.shown(found));
            self.issue(at, format!("expected type '{wanted}' but found '{found}'"));
        }
        fits
    }

    /// The type inside an optional element.
    fn held(&mut self, at: usize, is_optional: bool, found: Type) -> Type {
        if !is_optional {
            return found;
        }
        match self.bindings.resolve(&found) {
            Type::Optional(of) => *of,
            Type::Dyn => Type::Dyn,
            other => {
                self.expect(at, &Type::Optional(Box::new(other.clone())), &other);
                Type::Dyn
            }
        }
    }

    /// The type of several values together: the first one, or any.
    fn join(&mut self, joined: Option<Type>, found: &Type) -> Type {
        match joined {
            None => found.clone(),
            Some(joined) if self.bindings.assign(&joined, found) => joined,
            Some(_) => Type::Dyn,
        }
    }

    fn list(&mut self, elements: &'a [(bool, Node)], are_alike: bool) -> Type {
        let mut joined = None;
        let mut first: Option<Type> = None;
        for (is_optional, element) in elements {
            let found = self.type_of(element);
            let found = self.held(element.at, *is_optional, found);
            match &first {
                Some(first) if are_alike => {
                    self.alike.push((element.at, first.clone(), found.clone()));
                }
                _ => first = Some(found.clone()),
            }
            joined = Some(self.join(joined, &found));
        }
        Type::list(joined.unwrap_or_else(|| self.bindings.fresh()))
    }

    fn map(&mut self, entries: &'a [(bool, Node, Node)]) -> Type {
        let mut joined: Option<(Type, Type)> = None;
        let mut first: Option<(Type, Type)> = None;
        for (is_optional, key, value) in entries {
            let key_type = self.type_of(key);
            let found = self.type_of(value);
            let value_type = self.held(value.at, *is_optional, found);
            match &first {
                Some((first_key, first_value)) => {
                    self.alike
                        .push((key.at, first_key.clone(), key_type.clone()));
                    self.alike
                        .push((value.at, first_value.clone(), value_type.clone()));
                }
                None => first = Some((key_type.clone(), value_type.clone())),
            }
            let (known_key, known_value) =
                joined.map_or((None, None), |(key, value)| (Some(key), Some(value)));
            joined = Some((
                self.join(known_key, &key_type),
                self.join(known_value, &value_type),
            ));
        }
        let (key, value) = joined.unwrap_or_else(|| (self.bindings.fresh(), self.bindings.fresh()));
        Type::Map(Box::new(key), Box::new(value))
    }

    fn check_alike(&mut self) {
        for (at, first, found) in std::mem::take(&mut self.alike) {
            let first = self.bindings.resolve(&first).closed();
            let found = self.bindings.resolve(&found).closed();
            if first != found {
                let (first, found) = (self.shown(&first), self.shown(&found));
                self.issue(at, format!("expected type '{first}' but found '{found}'"));
            }
        }
    }

    fn each(&mut self, at: usize, each: &'a Loop) -> Type {
        let range = self.type_of(&each.range);
        let variable = match self.bindings.resolve(&range) {
            Type::List(of) => *of,
            Type::Map(key, _) => *key,
            Type::Dyn | Type::Open(_) => Type::Dyn,
            other => {
                let shown = self.shown(&other);
                let message = format!(
                    "expression of type '{shown}' cannot be range of a comprehension (must be list, map, or dynamic)"
                );
                self.issue(each.range.at, message)
            }
        };
        self.locals.push((&each.variable, variable.clone()));
        let predicate = each
            .predicate
            .as_ref()
            .map(|node| (node.at, self.type_of(node)));
        let transform = each.transform.as_ref().map(|node| self.type_of(node));
        self.locals.pop();
        let collected = transform.unwrap_or(variable);
        let result = match each.kind {
            LoopKind::All | LoopKind::Exists => {
                if let Some((at, found)) = predicate {
                    self.expect(at, &Type::Bool, &found);
                }
                return Type::Bool;
            }
            LoopKind::ExistsOne => Type::Int,
            LoopKind::Collect => Type::list(collected),
        };
        if let Some((_, found)) = predicate
            && !self.bindings.assign(&Type::Bool, &found)
        {
            let (found, result) = (self.shown(&found), self.shown(&result));
            let message = format!(
                "found no matching overload for '_?_:_' applied to '({found}, {result}, {result})'"
            );
            return self.issue(at, message);
        }
        match each.kind {
            LoopKind::ExistsOne => Type::Bool,
            _ => result,
        }
    }
}

/// A type of a signature with fresh types for its open ones.
fn instance(of: &Type, open: &[Type; 2]) -> Type {
    let inner = |of: &Type| Box::new(instance(of, open));
    match of {
        Type::Open(index) => open[*index].clone(),
        Type::Type(of) => Type::Type(inner(of)),
        Type::List(of) => Type::List(inner(of)),
        Type::Map(key, value) => Type::Map(inner(key), inner(value)),
        Type::Optional(of) => Type::Optional(inner(of)),
        other => other.clone(),
    }
}

fn literal(value: &Value) -> Type {
    match value {
        Value::Null => Type::Null,
        Value::Bool(_) => Type::Bool,
        Value::Int(_) => Type::Int,
        Value::Uint(_) => Type::Uint,
        Value::Double(_) => Type::Double,
        Value::String(_) => Type::String,
        Value::Bytes(_) => Type::Bytes,
        _ => Type::Dyn,
    }
}
