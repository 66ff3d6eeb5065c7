//! Checks the types of an expression before evaluation.
//!
//! Declared variables are maps with values of any type, so some errors only appear during
//! evaluation. Names, functions, and the types of literals and results are checked here.

mod signatures;
mod unify;

use std::collections::HashSet;

use super::format;
use super::functions;
use super::issues::{Issue, Issues};
use super::tree::{Kind, Loop, LoopKind, Node};
use super::types::{Type, TypeDisplay};
use super::value::Value;
use signatures::{SIGNATURES, Signature, read_type};
use unify::Bindings;

const TOO_LARGE: &str = "the types of the expression are too many or too large";

/// Finds the type of an expression over the given variables.
pub(super) fn check(root: &Node, variables: &[&str]) -> Result<Type, Issues> {
    let mut checker = Checker {
        variables: variables.iter().copied().collect(),
        locals: Vec::new(),
        bindings: Bindings::default(),
        issues: Issues::default(),
        homogeneous: Vec::new(),
        formats: Vec::new(),
        is_exempt: false,
    };
    let found = checker.type_of(root);
    if checker.issues.is_empty() {
        checker.check_homogeneous();
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
    /// Literals whose elements must have one type, checked once all types are known.
    homogeneous: Vec<Homogeneous>,
    /// Literal format strings with the types of their arguments.
    formats: Vec<Format<'a>>,
    /// Whether this is inside a call that accepts mixed literals.
    is_exempt: bool,
}

/// A literal format string, its position and its arguments.
struct Format<'a> {
    at: usize,
    text: &'a str,
    arguments: Vec<(usize, Type)>,
}

/// The types of the elements of a list, or of the keys or values of a map.
struct Homogeneous {
    is_list: bool,
    found: Vec<(usize, Type)>,
    /// How often each error is reported.
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

    fn display_type(&self, of: &Type) -> TypeDisplay<Type> {
        TypeDisplay {
            inner: self.bindings.resolve(of),
            short: true,
        }
    }

    /// The type of a node. Its size counts towards the budget, since each step may double it.
    fn type_of(&mut self, node: &'a Node) -> Type {
        if self.bindings.is_exhausted() {
            return Type::Error;
        }
        let found = self.counted_type_of(node);
        self.bindings.charge(&found);
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
                // cel-go expands the macro to `hasValue()` and `value()`, so an error in the
                // target is reported twice.
                let (issues, first) = (self.issues.count(), self.homogeneous.len());
                let target_type = self.type_of(target);
                self.issues.repeat(issues);
                for literal in &mut self.homogeneous[first..] {
                    literal.times = literal.times.saturating_mul(2);
                }
                let mut held = self.bindings.fresh();
                let wanted = Type::Optional(Box::new(held.clone()));
                if !self.bindings.assign(&target_type, &wanted) {
                    let found = self.display_type(&target_type).to_string();
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

    /// The type of any field of a type. A type without fields yields `dyn`, so that checking
    /// continues.
    fn field(&mut self, at: usize, of: &Type) -> Type {
        match of {
            Type::Map(_, value) => (**value).clone(),
            Type::Dyn | Type::Error => Type::Dyn,
            Type::Open(_) => {
                self.bindings.assign(&Type::Dyn, of);
                Type::Dyn
            }
            other => {
                let shown = self.display_type(other);
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

    /// Resolves an overload. When several match with different results, the result is `dyn`.
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
        let mut shown: Vec<String> = found
            .iter()
            .map(|of| self.display_type(of).to_string())
            .collect();
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
            let found = self.display_type(found);
            self.issue(at, format!("expected type 'bool' but found '{found}'"));
        }
        fits
    }

    /// The type of an element, with the optional removed where the element is marked optional.
    fn element_type(&mut self, at: usize, is_optional: bool, found: Type) -> Type {
        if !is_optional {
            return found;
        }
        match self.bindings.resolve(&found) {
            Type::Optional(of) => *of,
            Type::Dyn => Type::Dyn,
            other => {
                let shown = self.display_type(&other);
                let message = format!("expected type 'optional_type({shown})' but found '{shown}'");
                self.issue(at, message);
                other
            }
        }
    }

    /// The common type of several values: the more general of two, or `dyn`.
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
            (element.at, self.element_type(element.at, *is_optional, of))
        });
        types.collect()
    }

    fn list(&mut self, found: Vec<(usize, Type)>) -> Type {
        let mut joined = None;
        for (_, of) in &found {
            joined = Some(self.join(joined, of));
        }
        self.require_homogeneous(true, found);
        Type::list(joined.unwrap_or_else(|| self.bindings.fresh()))
    }

    fn map(&mut self, entries: &'a [(bool, Node, Node)]) -> Type {
        let mut joined: Option<(Type, Type)> = None;
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for (is_optional, key, value) in entries {
            let key_type = self.type_of(key);
            let of = self.type_of(value);
            let value_type = self.element_type(value.at, *is_optional, of);
            let (known_key, known_value) =
                joined.map_or((None, None), |(key, value)| (Some(key), Some(value)));
            joined = Some((
                self.join(known_key, &key_type),
                self.join(known_value, &value_type),
            ));
            keys.push((key.at, key_type));
            values.push((value.at, value_type));
        }
        self.require_homogeneous(false, keys);
        self.require_homogeneous(false, values);
        let (key, value) = joined.unwrap_or_else(|| (self.bindings.fresh(), self.bindings.fresh()));
        Type::Map(Box::new(key), Box::new(value))
    }

    fn require_homogeneous(&mut self, is_list: bool, found: Vec<(usize, Type)>) {
        if !self.is_exempt {
            self.homogeneous.push(Homogeneous {
                is_list,
                found,
                times: 1,
            });
        }
    }

    fn check_homogeneous(&mut self) {
        for Homogeneous {
            is_list,
            found,
            times,
        } in std::mem::take(&mut self.homogeneous)
        {
            let mut found = found
                .into_iter()
                .map(|(at, of)| (at, self.bindings.resolve(&of).closed()));
            let Some((_, first)) = found.next() else {
                continue;
            };
            let others: Vec<_> = found.filter(|(_, of)| *of != first).collect();
            // For a list only the first mismatch is reported.
            let count = if is_list { 1 } else { others.len() };
            for (at, of) in others.into_iter().take(count) {
                let (first, of) = (self.display_type(&first), self.display_type(&of));
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

    /// The type of a loop. cel-go expands a loop to a fold with operators, so errors name those
    /// operators.
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
                let shown = self.display_type(other);
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
            let (wanted, found) = (self.display_type(&so_far), self.display_type(&step));
            self.issue(at, format!("expected type '{wanted}' but found '{found}'"));
        }
        match each.kind {
            LoopKind::ExistsOne => Type::Bool,
            _ => self.bindings.resolve(&so_far),
        }
    }
}

/// Instantiates the type variables of a signature.
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
