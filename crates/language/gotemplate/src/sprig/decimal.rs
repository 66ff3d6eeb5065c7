//! Exact decimal numbers, as the package decimal computes with them.

use num_bigint::{BigInt, Sign};

use crate::value::func::Failure;

/// The digits that a quotient has behind the point.
const DIVISION_PRECISION: i64 = 16;

/// An integer times a power of ten.
pub(super) struct Decimal {
    value: BigInt,
    exponent: i64,
}

impl Decimal {
    /// The shortest decimal that reads back as the float.
    pub(super) fn from_float(value: f64) -> Result<Self, Failure> {
        if !value.is_finite() {
            let shown = sluice_golang::number::format_g(value);
            return Err(format!("Cannot create a Decimal from {shown}").into());
        }
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let fraction = mantissa
            .split_once('.')
            .map_or(0, |(_, digits)| digits.len());
        let digits = mantissa.replace('.', "");
        let exponent: i64 = exponent.parse()?;
        Ok(Self {
            value: digits.parse()?,
            exponent: exponent - i64::try_from(fraction)?,
        })
    }

    /// The nearest float.
    pub(super) fn to_float(&self) -> f64 {
        if self.value.sign() == Sign::NoSign {
            return 0.0;
        }
        let text = format!("{}e{}", self.value, self.exponent);
        text.parse().unwrap_or(0.0)
    }

    /// Both values as multiples of the smaller power of ten.
    fn align(&self, other: &Self) -> (BigInt, BigInt, i64) {
        let exponent = self.exponent.min(other.exponent);
        let scale = |decimal: &Self| &decimal.value * power(decimal.exponent - exponent);
        (scale(self), scale(other), exponent)
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        let (one, two, exponent) = self.align(other);
        Self {
            value: one + two,
            exponent,
        }
    }

    pub(super) fn sub(&self, other: &Self) -> Self {
        let (one, two, exponent) = self.align(other);
        Self {
            value: one - two,
            exponent,
        }
    }

    pub(super) fn mul(&self, other: &Self) -> Self {
        Self {
            value: &self.value * &other.value,
            exponent: self.exponent + other.exponent,
        }
    }

    /// The quotient to sixteen digits, halves away from zero.
    pub(super) fn div(&self, other: &Self) -> Result<Self, Failure> {
        if other.value.sign() == Sign::NoSign {
            return Err("decimal division by 0".into());
        }
        let shift = self.exponent - other.exponent + DIVISION_PRECISION;
        let (dividend, divisor) = if shift < 0 {
            (self.value.clone(), &other.value * power(-shift))
        } else {
            (&self.value * power(shift), other.value.clone())
        };
        let mut quotient = &dividend / &divisor;
        let remainder = &dividend % &divisor;
        if remainder.magnitude() * 2_u32 >= *divisor.magnitude() {
            let is_negative = (dividend.sign() == Sign::Minus) != (divisor.sign() == Sign::Minus);
            quotient += if is_negative { -1 } else { 1 };
        }
        Ok(Self {
            value: quotient,
            exponent: -DIVISION_PRECISION,
        })
    }
}

fn power(exponent: i64) -> BigInt {
    BigInt::from(10).pow(u32::try_from(exponent).unwrap_or(0))
}
