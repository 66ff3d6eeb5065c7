//! Comparing and copying values to their depths.

use std::rc::Rc;

use super::{List, Map, Value};
use crate::budget::ExceededLimit;
use crate::stack;
use crate::value::func::Call;

/// The deepest nesting that is followed; a map that contains itself has no end.
pub(crate) const MAX_NESTING: usize = 10_000;

impl Value {
    #[expect(clippy::float_cmp, reason = "Go compares floats exactly")]
    /// Whether both are equal by `reflect.DeepEqual`: of the same type, to all depths.
    pub(crate) fn deep_equal(
        &self,
        other: &Self,
        call: &mut Call<'_, '_>,
        depth: usize,
    ) -> Result<bool, ExceededLimit> {
        if depth > MAX_NESTING {
            return Err(ExceededLimit::Nesting);
        }
        call.steps(1)?;
        Ok(match (self, other) {
            (Self::Nil, Self::Nil) => true,
            (Self::Bool(one), Self::Bool(two)) => one == two,
            (Self::Int(of, one), Self::Int(of_other, two)) => of == of_other && one == two,
            (Self::Uint(of, one), Self::Uint(of_other, two)) => of == of_other && one == two,
            (Self::Float(of, one), Self::Float(of_other, two)) => of == of_other && one == two,
            (Self::Complex(real, imaginary), Self::Complex(other_real, other_imaginary)) => {
                real == other_real && imaginary == other_imaginary
            }
            (Self::String(one), Self::String(two)) | (Self::Bytes(one), Self::Bytes(two)) => {
                one == two
            }
            (Self::List(one), Self::List(two)) => {
                if one.of().name != two.of().name
                    || one.is_nil() != two.is_nil()
                    || one.len() != two.len()
                {
                    return Ok(false);
                }
                if one.address() == two.address() {
                    return Ok(true);
                }
                let (one, two) = (one.items(), two.items());
                for (one, two) in one.iter().zip(two.iter()) {
                    if !stack::grow(|| one.deep_equal(two, call, depth + 1))? {
                        return Ok(false);
                    }
                }
                true
            }
            (Self::Map(one), Self::Map(two)) => {
                if one.of().name != two.of().name
                    || one.is_nil() != two.is_nil()
                    || one.len() != two.len()
                {
                    return Ok(false);
                }
                if one.is_same(two) {
                    return Ok(true);
                }
                for (key, value) in one.entries() {
                    let Some(found) = two.get(&key) else {
                        return Ok(false);
                    };
                    if !stack::grow(|| value.deep_equal(&found, call, depth + 1))? {
                        return Ok(false);
                    }
                }
                true
            }
            (Self::Time(one), Self::Time(two)) => one.is_identical(two),
            (Self::Object(one), Self::Object(two)) => {
                Rc::ptr_eq(one, two) || one.equals(two.as_ref())
            }
            _ => false,
        })
    }

    /// A copy that shares no map and no list with the original.
    pub(crate) fn deep_copy(
        &self,
        call: &mut Call<'_, '_>,
        depth: usize,
    ) -> Result<Self, ExceededLimit> {
        if depth > MAX_NESTING {
            return Err(ExceededLimit::Nesting);
        }
        call.steps(1)?;
        Ok(match self {
            Self::List(list) if !list.is_nil() => {
                let mut items = Vec::with_capacity(list.len());
                for item in list.items().iter() {
                    items.push(stack::grow(|| item.deep_copy(call, depth + 1))?);
                }
                Self::List(List::new(list.of(), items))
            }
            Self::Map(map) if !map.is_nil() => {
                let copy = Map::of_type(map.of());
                for (key, value) in map.entries() {
                    let value = stack::grow(|| value.deep_copy(call, depth + 1))?;
                    copy.set(key, value);
                }
                Self::Map(copy)
            }
            Self::Object(object) => object.copied().unwrap_or_else(|| self.clone()),
            _ => self.clone(),
        })
    }
}
