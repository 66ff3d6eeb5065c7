//! Tags as numbers.

use std::cmp::Ordering;

use sluice_golang::number::parse_any_float;

use super::Order;

/// A tag as a number, with the digits of a plain integer.
///
/// A float has 53 bits, so longer integers, such as timestamps of 17 digits, can share one. Their
/// digits decide then. The reference takes the later tag of the list, which is the smaller number.
#[derive(Debug, Clone, PartialEq)]
pub struct TagNumber {
    value: f64,
    /// Without leading zeros. `None` for every other notation.
    digits: Option<String>,
}

impl TagNumber {
    /// Parses a tag as Go's `ParseFloat` does.
    pub fn parse(text: &str) -> Option<Self> {
        let value = parse_any_float(text)?;
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        let digits = is_plain.then(|| text.trim_start_matches('0').to_owned());
        Some(Self { value, digits })
    }

    /// Compares two numbers. `None` if one is not a number.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        let order = self.value.partial_cmp(&other.value)?;
        Some(match (&self.digits, &other.digits) {
            (Some(one), Some(two)) => {
                order.then_with(|| one.len().cmp(&two.len()).then_with(|| one.cmp(two)))
            }
            _ => order,
        })
    }

    /// Reports whether the other number stays the latest one. A comparison with NaN replaces it,
    /// as in the reference.
    pub(super) fn is_behind(&self, best: &Self, order: Order) -> bool {
        let behind = match order {
            Order::Ascending => Ordering::Less,
            Order::Descending => Ordering::Greater,
        };
        self.compare(best) == Some(behind)
    }
}
