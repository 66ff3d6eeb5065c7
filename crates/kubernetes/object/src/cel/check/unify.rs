//! What open types turn out to be.
//!
//! Parity: cel-go: `checker/types.go`. Which of two types that fit is kept, and that a failed
//! attempt leaves no trace, shows in the types that errors name.

use std::cell::Cell;

use super::super::types::Type;

/// How many types are looked at for an expression, one after the other or again. What people
/// write takes some thousands.
const STEPS: usize = 2_000_000;
/// How many types may lie in each other.
const LEVELS: usize = 500;

/// The types that open ones were found to be, by their numbers.
///
/// What an open type is may be found out after it was used in many places, so a type that looks
/// small may be larger than any memory. Each walk through one is counted, and once there were too
/// many steps, or a walk went too deep, none goes on: what they tell then is of no use.
#[derive(Debug)]
pub(super) struct Bindings {
    known: Vec<Option<Type>>,
    /// What was known before each change, to go back to.
    before: Vec<(usize, Option<Type>)>,
    /// How many steps are left.
    left: Cell<usize>,
}

impl Default for Bindings {
    fn default() -> Self {
        Self {
            known: Vec::new(),
            before: Vec::new(),
            left: Cell::new(STEPS),
        }
    }
}

impl Bindings {
    /// Takes a step of a walk, unless there is none left.
    fn step(&self, level: usize) -> bool {
        let left = if level > LEVELS { 0 } else { self.left.get() };
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    /// Whether the walks took more than they may, so that nothing they told counts.
    pub(super) fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// A type that is open.
    pub(super) fn fresh(&mut self) -> Type {
        self.known.push(None);
        Type::Open(self.known.len() - 1)
    }

    /// Replaces open types by what they are, as far as that is known.
    pub(super) fn resolve(&self, of: &Type) -> Type {
        self.resolve_at(of, 0)
    }

    fn resolve_at(&self, of: &Type, level: usize) -> Type {
        if !self.step(level) {
            return Type::Error;
        }
        let inner = |of: &Type| Box::new(self.resolve_at(of, level + 1));
        match of {
            Type::Open(number) => match &self.known[*number] {
                Some(known) => self.resolve_at(known, level + 1),
                None => of.clone(),
            },
            Type::Type(of) => Type::Type(inner(of)),
            Type::List(of) => Type::List(inner(of)),
            Type::Map(key, value) => Type::Map(inner(key), inner(value)),
            Type::Optional(of) => Type::Optional(inner(of)),
            other => other.clone(),
        }
    }

    /// Tells whether the one type may stand for the other, and notes what open types are if so.
    pub(super) fn assign(&mut self, left: &Type, right: &Type) -> bool {
        self.assign_all([(left, right)])
    }

    /// The same for several pairs, of which all must fit.
    pub(super) fn assign_all<'t>(
        &mut self,
        pairs: impl IntoIterator<Item = (&'t Type, &'t Type)>,
    ) -> bool {
        self.before.clear();
        let fit = pairs
            .into_iter()
            .all(|(left, right)| self.fits(left, right, 0));
        if !fit {
            while let Some((number, known)) = self.before.pop() {
                self.known[number] = known;
            }
        }
        fit
    }

    fn fits(&mut self, left: &Type, right: &Type, level: usize) -> bool {
        if !self.step(level) {
            return true;
        }
        let inside = level + 1;
        if let Type::Open(number) = right {
            let is_known = self.known[*number].is_some();
            if self.substitute(*number, left, inside) {
                return true;
            }
            if is_known {
                return false;
            }
        }
        if let Type::Open(number) = left {
            return self.substitute(*number, right, inside);
        }
        match (left, right) {
            (Type::Dyn | Type::Error, _)
            | (_, Type::Dyn | Type::Error)
            | (Type::Type(_), Type::Type(_))
            // What may be left out may be null.
            | (Type::Timestamp | Type::Duration | Type::Optional(_), Type::Null)
            | (Type::Null, Type::Timestamp | Type::Duration | Type::Optional(_)) => true,
            (Type::List(left), Type::List(right))
            | (Type::Optional(left), Type::Optional(right)) => self.fits(left, right, inside),
            (Type::Map(key, value), Type::Map(other_key, other_value)) => {
                self.fits(key, other_key, inside) && self.fits(value, other_value, inside)
            }
            _ => left == right,
        }
    }

    /// Takes a type for an open one, if it fits what that was found to be before. Of the two the
    /// one that says less is kept.
    fn substitute(&mut self, number: usize, of: &Type, level: usize) -> bool {
        if *of == Type::Open(number) {
            return true;
        }
        if let Some(known) = self.known[number].clone() {
            if *of == known {
                return true;
            }
            if !self.fits(of, &known, level) {
                return false;
            }
            let kept = if of.covers(&known) { of } else { &known };
            if !self.mentions(kept, number, level) {
                self.set(number, kept.clone());
            }
            return true;
        }
        // A type cannot be a part of itself.
        if self.mentions(of, number, level) {
            return false;
        }
        self.set(number, of.clone());
        true
    }

    fn set(&mut self, number: usize, to: Type) {
        let before = self.known[number].replace(to);
        self.before.push((number, before));
    }

    fn mentions(&self, of: &Type, number: usize, level: usize) -> bool {
        if !self.step(level) {
            return true;
        }
        let inside = |of: &Type| self.mentions(of, number, level + 1);
        match of {
            Type::Open(found) => {
                *found == number || self.known[*found].as_ref().is_some_and(inside)
            }
            Type::Type(of) | Type::List(of) | Type::Optional(of) => inside(of),
            Type::Map(key, value) => inside(key) || inside(value),
            _ => false,
        }
    }

    /// Counts a type as often as it is kept: it is a copy each time.
    pub(super) fn keep(&self, of: &Type) {
        self.keep_at(of, 0);
    }

    fn keep_at(&self, of: &Type, level: usize) {
        if !self.step(level) {
            return;
        }
        match of {
            Type::Type(of) | Type::List(of) | Type::Optional(of) => self.keep_at(of, level + 1),
            Type::Map(key, value) => {
                self.keep_at(key, level + 1);
                self.keep_at(value, level + 1);
            }
            _ => {}
        }
    }
}
