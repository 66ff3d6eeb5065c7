//! Splits a data key into parts, some of which suffice: Shamir's scheme over GF(2⁸).
//!
//! There is a random polynomial for each byte of the key. A part consists of their values at
//! one point, followed by the point. The key consists of their values at zero.
//!
//! Parity: sops: shamir/shamir.go, a copy of Vault's.

use crate::data_key::{DataKey, random};
use crate::error::ShamirError;

/// Multiplies in Rijndael's field.
fn multiply(left: u8, right: u8) -> u8 {
    let mut product = 0;
    for bit in (0..8).rev() {
        // Without branches, because the factors are secret.
        let carry = 0_u8.wrapping_sub(product >> 7) & 0x1b;
        let addend = 0_u8.wrapping_sub((right >> bit) & 1) & left;
        product = (product << 1) ^ carry ^ addend;
    }
    product
}

/// Returns the inverse in the same field: the 254th power.
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

/// Splits a key into parts, of which `needed` suffice.
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

/// Combines parts into a key. Too few parts yield a wrong key without an error.
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
    // Lagrange's basis at zero depends on the points only.
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
        // The example of the AES standard.
        assert_eq!(multiply(0x57, 0x83), 0xc1);
    }

    #[test]
    fn any_two_of_three_parts_yield_the_key() {
        let key = DataKey::generate();
        let parts = split(&key, 3, 2).unwrap();
        for pair in [[0, 1], [0, 2], [1, 2], [2, 0]] {
            let chosen = pair.map(|index| parts[index].clone());
            assert_eq!(combine(&chosen).unwrap(), key);
        }
        assert_eq!(combine(&parts).unwrap(), key);
    }

    #[test]
    fn too_few_parts_yield_another_key() {
        let key = DataKey::generate();
        let parts = split(&key, 4, 3).unwrap();
        assert_ne!(combine(&parts[..2]).unwrap(), key);
    }

    #[test]
    fn inconsistent_parts_are_rejected() {
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
    fn invalid_threshold_is_rejected() {
        let key = DataKey::generate();
        for (parts, needed) in [(2, 3), (2, 1), (1, 1), (256, 2)] {
            assert!(split(&key, parts, needed).is_err(), "{parts} {needed}");
        }
    }
}
