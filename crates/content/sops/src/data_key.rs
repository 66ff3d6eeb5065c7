//! The data key of a document, and random bytes.

use aws_lc_rs::rand;
use sluice_dial::Sensitive;

use crate::error::CipherError;

/// The key that encrypts the values of a document, or one part of it if key groups share it.
/// Debug output hides it, and it is overwritten when dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataKey(Sensitive<Vec<u8>>);

impl DataKey {
    /// Creates a key from bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(Sensitive::new(bytes))
    }

    /// Generates a random key.
    pub fn generate() -> Self {
        Self::new(random::<32>().to_vec())
    }

    /// Returns the bytes. The name marks places for reviews.
    pub fn expose(&self) -> &[u8] {
        self.0.expose()
    }

    pub(crate) fn cipher_key(&self) -> Result<&[u8; 32], CipherError> {
        let bytes = self.expose();
        bytes.try_into().map_err(|_| CipherError::Key(bytes.len()))
    }
}

/// Returns random bytes.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rand::fill(&mut bytes).expect("the system provides random bytes");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_hides_the_key() {
        let shown = format!("{:?}", DataKey::new(b"canary".to_vec()));
        assert_eq!(shown, "DataKey([redacted])");
    }

    #[test]
    fn key_of_wrong_length_is_rejected() {
        let key = DataKey::new(vec![0; 16]);
        assert_eq!(key.cipher_key(), Err(CipherError::Key(16)));
    }
}
