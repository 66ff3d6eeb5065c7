//! What open types turn out to be.

use super::super::types::Type;

/// The types that open ones were found to be, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings {
    known: Vec<Option<Type>>,
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

    /// Tells whether a value of the one type may stand where the other is wanted, and notes
    /// what open types are if so.
    pub(super) fn assign(&mut self, wanted: &Type, found: &Type) -> bool {
        match (wanted, found) {
            (Type::Open(left), Type::Open(right)) if left == right => true,
            (Type::Open(number), _) => self.bind(*number, found, true),
            (_, Type::Open(number)) => self.bind(*number, wanted, false),
            (Type::Dyn | Type::Error, _)
            | (_, Type::Dyn | Type::Error)
            | (Type::Type(_), Type::Type(_))
            // What may be left out may be null.
            | (Type::Timestamp | Type::Duration | Type::Optional(_), Type::Null)
            | (Type::Null, Type::Timestamp | Type::Duration | Type::Optional(_)) => true,
            (Type::List(wanted), Type::List(found))
            | (Type::Optional(wanted), Type::Optional(found)) => self.assign(wanted, found),
            (Type::Map(key, value), Type::Map(found_key, found_value)) => {
                self.assign(key, found_key) && self.assign(value, found_value)
            }
            _ => wanted == found,
        }
    }

    fn bind(&mut self, number: usize, to: &Type, is_wanted: bool) -> bool {
        if let Some(known) = self.known[number].clone() {
            let fits = if is_wanted {
                self.assign(&known, to)
            } else {
                self.assign(to, &known)
            };
            // Of two that fit, the one that says less is kept.
            let (known, to) = (self.resolve(&known), self.resolve(to));
            if fits && !known.covers(&to) && to.covers(&known) {
                self.known[number] = Some(to);
            }
            return fits;
        }
        let to = self.resolve(to);
        if mentions(&to, number) {
            return to == Type::Open(number);
        }
        self.known[number] = Some(to);
        true
    }
}

/// A type cannot be a part of itself.
fn mentions(of: &Type, number: usize) -> bool {
    match of {
        Type::Open(found) => *found == number,
        Type::Type(of) | Type::List(of) | Type::Optional(of) => mentions(of, number),
        Type::Map(key, value) => mentions(key, number) || mentions(value, number),
        _ => false,
    }
}
