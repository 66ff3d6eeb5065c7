//! Checking types before anything is evaluated.
//!
//! Declared variables are maps of anything, so much is only known on evaluation; what is known
//! before — names, functions, the types of literals and of results — must fit.

mod signatures;
mod unify;

use std::collections::HashSet;

use super::format;
use super::functions;
use super::issues::{Issue, Issues};
use super::tree::{Kind, Loop, LoopKind, Node};
use super::types::{Shown, Type};
use super::value::Value;
use signatures::{SIGNATURES, Signature, read_type};
use unify::Bindings;

const TOO_LARGE: &str = "the types of the expression are too many or too large";

/// Finds the type of an expression over variables that are maps of anything.
pub(super) fn check(root: &Node, variables: &[&str]) -> Result<Type, Issues> {
    let mut checker = Checker {
        variables: variables.iter().copied().collect(),
        locals: Vec::new(),
        bindings: Bindings::default(),
        issues: Issues::default(),
        alike: Vec::new(),
        formats: Vec::new(),
        is_exempt: false,
    };
    let found = checker.type_of(root);
    if checker.issues.is_empty() {
        checker.check_alike();
        checker.check_formats();
    }
    let found = checker.bindings.resolve(&found).closed();
    if checker.bindings.is_exhausted() {
        let message = TOO_LARGE.to_owned();
        return Err(Issue { at: 0, message }.into());
    }
    if checker.issues.is_empty() {
        return Ok(found);
    }
    Err(checker.issues)
}

struct Checker<'a> {
    variables: HashSet<&'a str>,
    locals: Vec<(&'a str, Type)>,
    bindings: Bindings,
    issues: Issues,
    /// What must be alike once all is known: types, each of which must be that of the first.
    alike: Vec<Alike>,
    /// Texts that are written out with the types of what is filled in, and where they stand.
    formats: Vec<Format<'a>>,
    /// Whether this is inside of a call whose arguments may be of any types.
    is_exempt: bool,
}

/// A text that is written out, where it is filled in, and with what.
struct Format<'a> {
    at: usize,
    text: &'a str,
    arguments: Vec<(usize, Type)>,
}

/// The types of the elements of a list, or of the keys or values of a map.
struct Alike {
    is_list: bool,
    found: Vec<(usize, Type)>,
    /// How often it is looked at, and told what is wrong with it.
    times: usize,
}

impl<'a> Checker<'a> {
    fn issue(&mut self, at: usize, message: String) -> Type {
        self.issues.add(Issue { at, message }, 1);
        Type::Error
    }

    fn undeclared(&mut self, at: usize, name: &str) -> Type {
        self.issue(
            at,
            format!("undeclared reference to '{name}' (in container '')"),
        )
    }

    fn shown(&self, of: &Type) -> Shown<Type> {
        Shown {
            inner: self.bindings.resolve(of),
            short: true,
        }
    }

    /// The type of an expression. Each step may double it, so it is counted.
    fn type_of(&mut self, node: &'a Node) -> Type {
        if self.bindings.is_exhausted() {
            return Type::Error;
        }
        let found = self.counted_type_of(node);
        self.bindings.keep(&found);
        found
    }

    fn counted_type_of(&mut self, node: &'a Node) -> Type {
        match &node.kind {
            Kind::Literal(value) => literal(value),
            Kind::Name(name) => self.name(node.at, name),
            Kind::Select {
                operand, optional, ..
            } => self.select(node.at, operand, *optional),
            Kind::Has { operand, .. } => {
                self.select(node.at, operand, false);
                Type::Bool
            }
            Kind::Call {
                function,
                is_member,
                arguments,
            } => self.call(node.at, function, *is_member, arguments),
            Kind::Matches { call, .. } => self.type_of(call),
            Kind::List(elements) => {
                let found = self.elements(elements);
                self.list(found)
            }
            Kind::Map(entries) => self.map(entries),
            Kind::Loop(each) => self.each(node.at, each),
            Kind::OptionalMap {
                target,
                variable,
                body,
                is_flat,
            } => {
                // The macro stands for asking whether there is a value, and for taking it: what
                // is wrong with the target is wrong twice.
                let (issues, alike) = (self.issues.count(), self.alike.len());
                let target_type = self.type_of(target);
                self.issues.repeat(issues);
                for alike in &mut self.alike[alike..] {
                    alike.times = alike.times.saturating_mul(2);
                }
                let mut held = self.bindings.fresh();
                let wanted = Type::Optional(Box::new(held.clone()));
                if !self.bindings.assign(&target_type, &wanted) {
                    let found = self.shown(&target_type).to_string();
                    for function in ["hasValue", "value"] {
                        let message = format!(
                            "found no matching overload for '{function}' applied to '{found}.()'"
                        );
                        held = self.issue(node.at, message);
                    }
                }
                let held = self.bindings.resolve(&held);
                let mapped = self.within(variable, held, body);
                let mapped = if *is_flat {
                    mapped
                } else {
                    Type::Optional(Box::new(mapped))
                };
                let none = Type::Optional(Box::new(self.bindings.fresh()));
                let parts = [Type::Bool, mapped, none];
                self.overload(node.at, "_?_:_", false, &SIGNATURES["_?_:_"], &parts)
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

    fn select(&mut self, at: usize, operand: &'a Node, optional: bool) -> Type {
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

    /// The type of any field of a type. What has no fields is taken for anything, so that more
    /// may be found wrong.
    fn field(&mut self, at: usize, of: &Type) -> Type {
        match of {
            Type::Map(_, value) => (**value).clone(),
            Type::Dyn | Type::Error => Type::Dyn,
            Type::Open(_) => {
                self.bindings.assign(&Type::Dyn, of);
                Type::Dyn
            }
            other => {
                let shown = self.shown(other);
                self.issue(
                    at,
                    format!("type '{shown}' does not support field selection"),
                );
                Type::Dyn
            }
        }
    }

    fn call(&mut self, at: usize, function: &str, is_member: bool, arguments: &'a [Node]) -> Type {
        if matches!(function, "_&&_" | "_||_") {
            let mut are_bools = true;
            for argument in arguments {
                let found = self.type_of(argument);
                are_bools &= self.expect_bool(argument.at, &found);
            }
            return if are_bools { Type::Bool } else { Type::Error };
        }
        let Some(signatures) = SIGNATURES.get(function) else {
            for argument in arguments {
                self.type_of(argument);
            }
            return self.undeclared(at, function);
        };
        let was_exempt = self.is_exempt;
        self.is_exempt |= function == "format";
        let mut found = Vec::with_capacity(arguments.len());
        for argument in arguments {
            found.push(match (&arguments[0].kind, &argument.kind) {
                (Kind::Literal(Value::String(text)), Kind::List(elements))
                    if function == "format" =>
                {
                    let types = self.elements(elements);
                    let arguments = types.clone();
                    self.formats.push(Format {
                        at,
                        text,
                        arguments,
                    });
                    self.list(types)
                }
                _ => self.type_of(argument),
            });
        }
        self.is_exempt = was_exempt;
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
            let parameters = signature.parameters.iter();
            let wanted: Vec<_> = parameters.map(|wanted| instance(wanted, &open)).collect();
            if !self.bindings.assign_all(found.iter().zip(&wanted)) {
                continue;
            }
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

    fn expect_bool(&mut self, at: usize, found: &Type) -> bool {
        let fits = self.bindings.assign(found, &Type::Bool);
        if !fits {
            let found = self.shown(found);
            self.issue(at, format!("expected type 'bool' but found '{found}'"));
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
                let shown = self.shown(&other);
                let message = format!("expected type 'optional_type({shown})' but found '{shown}'");
                self.issue(at, message);
                other
            }
        }
    }

    /// The type of several values together: of two that fit the one that says less, or any.
    fn join(&mut self, joined: Option<Type>, found: &Type) -> Type {
        match joined {
            Some(joined) if !self.bindings.assign(&joined, found) => Type::Dyn,
            Some(joined) if joined.covers(found) => joined,
            None | Some(_) => found.clone(),
        }
    }

    fn elements(&mut self, elements: &'a [(bool, Node)]) -> Vec<(usize, Type)> {
        let types = elements.iter().map(|(is_optional, element)| {
            let of = self.type_of(element);
            (element.at, self.held(element.at, *is_optional, of))
        });
        types.collect()
    }

    fn list(&mut self, found: Vec<(usize, Type)>) -> Type {
        let mut joined = None;
        for (_, of) in &found {
            joined = Some(self.join(joined, of));
        }
        self.must_be_alike(true, found);
        Type::list(joined.unwrap_or_else(|| self.bindings.fresh()))
    }

    fn map(&mut self, entries: &'a [(bool, Node, Node)]) -> Type {
        let mut joined: Option<(Type, Type)> = None;
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for (is_optional, key, value) in entries {
            let key_type = self.type_of(key);
            let of = self.type_of(value);
            let value_type = self.held(value.at, *is_optional, of);
            let (known_key, known_value) =
                joined.map_or((None, None), |(key, value)| (Some(key), Some(value)));
            joined = Some((
                self.join(known_key, &key_type),
                self.join(known_value, &value_type),
            ));
            keys.push((key.at, key_type));
            values.push((value.at, value_type));
        }
        self.must_be_alike(false, keys);
        self.must_be_alike(false, values);
        let (key, value) = joined.unwrap_or_else(|| (self.bindings.fresh(), self.bindings.fresh()));
        Type::Map(Box::new(key), Box::new(value))
    }

    fn must_be_alike(&mut self, is_list: bool, found: Vec<(usize, Type)>) {
        if !self.is_exempt {
            self.alike.push(Alike {
                is_list,
                found,
                times: 1,
            });
        }
    }

    fn check_alike(&mut self) {
        for Alike {
            is_list,
            found,
            times,
        } in std::mem::take(&mut self.alike)
        {
            let mut found = found
                .into_iter()
                .map(|(at, of)| (at, self.bindings.resolve(&of).closed()));
            let Some((_, first)) = found.next() else {
                continue;
            };
            let others: Vec<_> = found.filter(|(_, of)| *of != first).collect();
            // Of a list only the first one that differs is named.
            let count = if is_list { 1 } else { others.len() };
            for (at, of) in others.into_iter().take(count) {
                let (first, of) = (self.shown(&first), self.shown(&of));
                let message = format!("expected type '{first}' but found '{of}'");
                self.issues.add(Issue { at, message }, times);
            }
        }
    }

    fn check_formats(&mut self) {
        for Format {
            at,
            text,
            arguments,
        } in std::mem::take(&mut self.formats)
        {
            let types: Vec<Type> = arguments
                .iter()
                .map(|(_, of)| self.bindings.resolve(of).closed())
                .collect();
            if let Err((about, problem)) = format::check(text, &types) {
                let at = about.map_or(at, |index| arguments[index].0);
                self.issue(at, problem);
            }
        }
    }

    /// The type of a loop. It stands for one that adds to what was found so far, so what is
    /// wrong is told as a fault of the operators that would do that.
    fn each(&mut self, at: usize, each: &'a Loop) -> Type {
        let range = self.type_of(&each.range);
        let range = self.bindings.resolve(&range);
        let variable = match &range {
            Type::List(of) => (**of).clone(),
            Type::Map(key, _) => (**key).clone(),
            Type::Dyn | Type::Error | Type::Open(_) => {
                self.bindings.assign(&Type::Dyn, &range);
                Type::Dyn
            }
            other => {
                let shown = self.shown(other);
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
        let (so_far, added) = match each.kind {
            LoopKind::All | LoopKind::Exists => {
                if let Some((at, found)) = predicate {
                    self.expect_bool(at, &found);
                }
                return Type::Bool;
            }
            LoopKind::ExistsOne => (Type::Int, Type::Int),
            LoopKind::Collect => {
                let so_far = Type::list(self.bindings.fresh());
                let more = Type::list(transform.unwrap_or(variable));
                let parts = [so_far.clone(), more];
                let added = self.overload(at, "_+_", false, &SIGNATURES["_+_"], &parts);
                (so_far, added)
            }
        };
        let step = match predicate {
            None => added,
            Some((_, found)) => {
                let parts = [found, added, so_far.clone()];
                self.overload(at, "_?_:_", false, &SIGNATURES["_?_:_"], &parts)
            }
        };
        if !self.bindings.assign(&so_far, &step) {
            let (wanted, found) = (self.shown(&so_far), self.shown(&step));
            self.issue(at, format!("expected type '{wanted}' but found '{found}'"));
        }
        match each.kind {
            LoopKind::ExistsOne => Type::Bool,
            _ => self.bindings.resolve(&so_far),
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
