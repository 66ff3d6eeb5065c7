//! What open types turn out to be.
//!
//! Parity: cel-go: `checker/types.go`. Which of two types that fit is kept, and that a failed
//! attempt leaves no trace, shows in the types that errors name.

use super::super::types::Type;

/// The types that open ones were found to be, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    known: Vec<Option<Type>>,
    /// What was known before each change, to go back to.
    before: Vec<(usize, Option<Type>)>,
}

impl Bindings {
    /// A type that is open.
    pub(super) fn fresh(&mut self) -> Type {
        self.known.push(None);
        Type::Open(self.known.len() - 1)
    }

    /// Replaces open types by what they are, as far as that is known.
    pub(super) fn resolve(&self, of: &Type) -> Type {
        let inner = |of: &Type| Box::new(self.resolve(of));
        match of {
            Type::Open(number) => match &self.known[*number] {
                Some(known) => self.resolve(known),
                None => of.clone(),
            },
            Type::Type(of) => Type::Type(inner(of)),
            Type::List(of) => Type::List(inner(of)),
            Type::Map(key, value) => Type::Map(inner(key), inner(value)),
            Type::Optional(of) => Type::Optional(inner(of)),
            other => other.clone(),
        }
    }

    /// Tells whether a type is made of more than so many.
    pub(super) fn is_larger(&self, of: &Type, most: usize) -> bool {
        let mut left = most;
        !self.takes(of, &mut left)
    }

    /// Takes away as many as a type is made of, if there are so many.
    fn takes(&self, of: &Type, left: &mut usize) -> bool {
        if *left == 0 {
            return false;
        }
        match of {
            Type::Open(number) => {
                if let Some(known) = &self.known[*number] {
                    return self.takes(known, left);
                }
                *left -= 1;
                true
            }
            Type::Type(of) | Type::List(of) | Type::Optional(of) => {
                *left -= 1;
                self.takes(of, left)
            }
            Type::Map(key, value) => {
                *left -= 1;
                self.takes(key, left) && self.takes(value, left)
            }
            _ => {
                *left -= 1;
                true
            }
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
            .all(|(left, right)| self.fits(left, right));
        if !fit {
            while let Some((number, known)) = self.before.pop() {
                self.known[number] = known;
            }
        }
        fit
    }

    fn fits(&mut self, left: &Type, right: &Type) -> bool {
        if let Type::Open(number) = right {
            let is_known = self.known[*number].is_some();
            if self.substitute(*number, left) {
                return true;
            }
            if is_known {
                return false;
            }
        }
        if let Type::Open(number) = left {
            return self.substitute(*number, right);
        }
        match (left, right) {
            (Type::Dyn | Type::Error, _)
            | (_, Type::Dyn | Type::Error)
            | (Type::Type(_), Type::Type(_))
            // What may be left out may be null.
            | (Type::Timestamp | Type::Duration | Type::Optional(_), Type::Null)
            | (Type::Null, Type::Timestamp | Type::Duration | Type::Optional(_)) => true,
            (Type::List(left), Type::List(right))
            | (Type::Optional(left), Type::Optional(right)) => self.fits(left, right),
            (Type::Map(key, value), Type::Map(other_key, other_value)) => {
                self.fits(key, other_key) && self.fits(value, other_value)
            }
            _ => left == right,
        }
    }

    /// Takes a type for an open one, if it fits what that was found to be before. Of the two the
    /// one that says less is kept.
    fn substitute(&mut self, number: usize, of: &Type) -> bool {
        if *of == Type::Open(number) {
            return true;
        }
        if let Some(known) = self.known[number].clone() {
            if *of == known {
                return true;
            }
            if !self.fits(of, &known) {
                return false;
            }
            let kept = if of.covers(&known) { of } else { &known };
            if !self.mentions(kept, number) {
                self.set(number, kept.clone());
            }
            return true;
        }
        // A type cannot be a part of itself.
        if self.mentions(of, number) {
            return false;
        }
        self.set(number, of.clone());
        true
    }

    fn set(&mut self, number: usize, to: Type) {
        let before = self.known[number].replace(to);
        self.before.push((number, before));
    }

    fn mentions(&self, of: &Type, number: usize) -> bool {
        match of {
            Type::Open(found) => {
                let known = self.known[*found].as_ref();
                *found == number || known.is_some_and(|known| self.mentions(known, number))
            }
            Type::Type(of) | Type::List(of) | Type::Optional(of) => self.mentions(of, number),
            Type::Map(key, value) => self.mentions(key, number) || self.mentions(value, number),
            _ => false,
        }
    }
}
