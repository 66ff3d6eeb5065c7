//! The key of a document, and its parts.

use aws_lc_rs::rand;
use sluice_dial::Sensitive;

use crate::cipher::CipherError;

/// The key that encrypts the values of a document, or one part of it where groups
/// of master keys share it. It prints as nothing and is overwritten when dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataKey(Sensitive<Vec<u8>>);

impl DataKey {
    /// Takes the bytes of a key.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(Sensitive::new(bytes))
    }

    /// Makes a key.
    pub fn generate() -> Self {
        Self::new(random::<32>().to_vec())
    }

    /// Gives the bytes; the name marks the places to look at in a review.
    pub fn expose(&self) -> &[u8] {
        self.0.expose()
    }

    pub(crate) fn cipher_key(&self) -> Result<&[u8; 32], CipherError> {
        let bytes = self.expose();
        bytes.try_into().map_err(|_| CipherError::Key(bytes.len()))
    }
}

/// Random bytes.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rand::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_not_shown() {
        let shown = format!("{:?}", DataKey::new(b"canary".to_vec()));
        assert_eq!(shown, "DataKey([redacted])");
    }

    #[test]
    fn a_key_of_another_length_is_refused() {
        let key = DataKey::new(vec![0; 16]);
        assert_eq!(key.cipher_key(), Err(CipherError::Key(16)));
    }
}
