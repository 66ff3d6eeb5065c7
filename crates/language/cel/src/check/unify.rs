//! Unifies types and records the bindings of type variables.
//!
//! Parity: cel-go: `checker/types.go`. Error messages show which of two compatible types is
//! kept, and that a failed attempt is rolled back.

use std::cell::Cell;

use super::super::types::Type;

/// Maximum number of types visited per expression. Usual expressions need a few thousand.
const MAX_STEPS: usize = 2_000_000;
/// Maximum nesting depth of a type.
const MAX_LEVELS: usize = 500;

/// The bindings of type variables, by number.
///
/// Bindings share their parts, so a small type may resolve to one larger than memory. Each walk
/// through a type counts its steps. Once the budget or the depth is exceeded, walks stop and
/// their results are meaningless; see [`Bindings::is_exhausted`].
#[derive(Debug)]
pub(super) struct Bindings {
    known: Vec<Option<Type>>,
    /// Former values of changed bindings, for the rollback.
    before: Vec<(usize, Option<Type>)>,
    /// Remaining steps.
    left: Cell<usize>,
}

impl Default for Bindings {
    fn default() -> Self {
        Self {
            known: Vec::new(),
            before: Vec::new(),
            left: Cell::new(MAX_STEPS),
        }
    }
}

impl Bindings {
    /// Takes a step, and returns false when the budget is exhausted.
    fn step(&self, level: usize) -> bool {
        let left = if level > MAX_LEVELS {
            0
        } else {
            self.left.get()
        };
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    /// Whether the budget was exceeded, so that all results are meaningless.
    pub(super) fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// Creates a type variable.
    pub(super) fn fresh(&mut self) -> Type {
        self.known.push(None);
        Type::Open(self.known.len() - 1)
    }

    /// Replaces bound type variables by their types.
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

    /// Whether `left` is assignable to `right`. Binds type variables on success.
    pub(super) fn assign(&mut self, left: &Type, right: &Type) -> bool {
        self.assign_all([(left, right)])
    }

    /// Like [`Bindings::assign`] for several pairs, all of which must match.
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
            // Nullable types accept null.
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

    /// Binds a type variable, provided that the type is compatible with an earlier binding. The
    /// more general of the two is kept.
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

    /// Charges the size of a type, because storing it copies it.
    pub(super) fn charge(&self, of: &Type) {
        self.charge_at(of, 0);
    }

    fn charge_at(&self, of: &Type, level: usize) {
        if !self.step(level) {
            return;
        }
        match of {
            Type::Type(of) | Type::List(of) | Type::Optional(of) => self.charge_at(of, level + 1),
            Type::Map(key, value) => {
                self.charge_at(key, level + 1);
                self.charge_at(value, level + 1);
            }
            _ => {}
        }
    }
}
