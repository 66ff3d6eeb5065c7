//! A data key in parts, of which some suffice: Shamir's scheme over GF(2⁸).
//!
//! A part is the value of one random polynomial for each byte of the secret, and
//! after them the place where they were taken; the secret is their value at zero.
//!
//! Parity: sops: shamir/shamir.go, which is that of Vault.

use crate::data_key::{DataKey, random};

/// Why parts do not make a key, or a key no parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShamirError {
    /// One part says nothing.
    #[error("fewer than two parts cannot make the data key")]
    TooFew,
    /// They are parts of different things.
    #[error("the parts of the data key differ in length")]
    Lengths,
    /// A part that has no content.
    #[error("a part of the data key is empty")]
    Empty,
    /// One part is there twice.
    #[error("a part of the data key is there twice")]
    Twice,
    /// More are needed than there are, or too many, or fewer than two.
    #[error("{needed} of {parts} key groups is not a split that exists")]
    Split {
        /// How many groups there are.
        parts: usize,
        /// How many must be had.
        needed: usize,
    },
}

/// The product in Rijndael's field.
fn multiply(left: u8, right: u8) -> u8 {
    let mut product = 0;
    for bit in (0..8).rev() {
        // Without branches, as the factors are secret.
        let carry = 0_u8.wrapping_sub(product >> 7) & 0x1b;
        let addend = 0_u8.wrapping_sub((right >> bit) & 1) & left;
        product = (product << 1) ^ carry ^ addend;
    }
    product
}

/// The inverse in the same field: the 254th power, as every element but zero is
/// one to the 255th.
fn inverse(element: u8) -> u8 {
    let square = |value| multiply(value, value);
    let mut power = square(element);
    let mut product = power;
    for _ in 0..6 {
        power = square(power);
        product = multiply(product, power);
    }
    product
}

/// Splits a key into parts, of which `needed` make it again.
pub(crate) fn split(
    key: &DataKey,
    parts: usize,
    needed: usize,
) -> Result<Vec<DataKey>, ShamirError> {
    let refused = ShamirError::Split { parts, needed };
    let last = u8::try_from(parts).map_err(|_| refused)?;
    if needed < 2 || needed > parts || key.expose().is_empty() {
        return Err(refused);
    }
    let mut made: Vec<Vec<u8>> = vec![Vec::with_capacity(key.expose().len() + 1); parts];
    for &byte in key.expose() {
        let noise: [u8; 256] = random();
        let coefficients = &noise[1..needed];
        for (part, place) in made.iter_mut().zip(1..=last) {
            // Horner's method, from the highest power down.
            let value = coefficients
                .iter()
                .fold(0, |value, coefficient| multiply(value ^ coefficient, place));
            part.push(value ^ byte);
        }
    }
    for (part, place) in made.iter_mut().zip(1..=last) {
        part.push(place);
    }
    Ok(made.into_iter().map(DataKey::new).collect())
}

/// Makes a key of its parts. Whether they were enough shows only when it is used.
pub(crate) fn combine(parts: &[DataKey]) -> Result<DataKey, ShamirError> {
    let [first, _, ..] = parts else {
        return Err(ShamirError::TooFew);
    };
    let length = first.expose().len();
    if length < 2 {
        return Err(ShamirError::Empty);
    }
    if parts.iter().any(|part| part.expose().len() != length) {
        return Err(ShamirError::Lengths);
    }
    let places: Vec<u8> = parts.iter().map(|part| part.expose()[length - 1]).collect();
    let mut sorted = places.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() != places.len() {
        return Err(ShamirError::Twice);
    }
    // Lagrange's basis at zero depends on the places alone.
    let weights: Vec<u8> = places
        .iter()
        .map(|&own| {
            let others = places.iter().filter(|&&other| other != own);
            others.fold(1, |weight, &other| {
                multiply(weight, multiply(other, inverse(own ^ other)))
            })
        })
        .collect();
    let secret = (0..length - 1).map(|index| {
        let parts = parts.iter().zip(&weights);
        parts.fold(0, |sum, (part, &weight)| {
            sum ^ multiply(part.expose()[index], weight)
        })
    });
    Ok(DataKey::new(secret.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_but_zero_has_an_inverse() {
        for element in 1..=255 {
            assert_eq!(multiply(element, inverse(element)), 1, "{element}");
        }
        // The example of the standard that defines the field.
        assert_eq!(multiply(0x57, 0x83), 0xc1);
    }

    #[test]
    fn any_two_of_three_parts_make_the_key() {
        let key = DataKey::generate();
        let parts = split(&key, 3, 2).unwrap();
        for pair in [[0, 1], [0, 2], [1, 2], [2, 0]] {
            let chosen = pair.map(|index| parts[index].clone());
            assert_eq!(combine(&chosen).unwrap(), key);
        }
        assert_eq!(combine(&parts).unwrap(), key);
    }

    #[test]
    fn fewer_parts_than_needed_make_another_key() {
        let key = DataKey::generate();
        let parts = split(&key, 4, 3).unwrap();
        assert_ne!(combine(&parts[..2]).unwrap(), key);
    }

    #[test]
    fn parts_that_do_not_belong_together_are_refused() {
        let part = |bytes: &[u8]| DataKey::new(bytes.to_vec());
        let refused = |parts: &[DataKey]| combine(parts).unwrap_err();
        assert_eq!(refused(&[part(&[1, 1])]), ShamirError::TooFew);
        assert_eq!(
            refused(&[part(&[1, 1]), part(&[1, 2, 3])]),
            ShamirError::Lengths
        );
        assert_eq!(refused(&[part(&[1]), part(&[2])]), ShamirError::Empty);
        assert_eq!(refused(&[part(&[9, 1]), part(&[8, 1])]), ShamirError::Twice);
    }

    #[test]
    fn a_split_that_does_not_exist_is_refused() {
        let key = DataKey::generate();
        for (parts, needed) in [(2, 3), (2, 1), (1, 1), (256, 2)] {
            assert!(split(&key, parts, needed).is_err(), "{parts} {needed}");
        }
    }
}
