//! Keys of a password. Pure.
//!
//! Specification: RFC 7292, appendix B.

use aws_lc_rs::{digest, hmac};
use sluice_dial::Sensitive;

use super::Pkcs12Error;

const SHA1: &[u8] = &[0x2b, 0x0e, 0x03, 0x02, 0x1a];
/// `2.16.840.1.101.3.4.2.x`.
const SHA2: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02];

/// A hash function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hash {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

/// The use of a derived key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A key with its length.
    Key(usize),
    /// The initial vector of a block cipher with its length.
    Vector(usize),
    /// The key of a checksum.
    Checksum,
}

impl Hash {
    /// Returns the hash function of an object identifier.
    pub(super) fn of_digest(oid: &[u8]) -> Result<Self, Pkcs12Error> {
        match (oid, oid.strip_prefix(SHA2)) {
            (SHA1, _) => Ok(Self::Sha1),
            (_, Some([1])) => Ok(Self::Sha256),
            (_, Some([2])) => Ok(Self::Sha384),
            (_, Some([3])) => Ok(Self::Sha512),
            _ => Err(Pkcs12Error::Algorithm("a hash function")),
        }
    }

    fn algorithm(self) -> &'static digest::Algorithm {
        match self {
            Self::Sha1 => &digest::SHA1_FOR_LEGACY_USE_ONLY,
            Self::Sha256 => &digest::SHA256,
            Self::Sha384 => &digest::SHA384,
            Self::Sha512 => &digest::SHA512,
        }
    }

    /// Whether a checksum is that of a message.
    pub(super) fn is_authentic(self, key: &[u8], message: &[u8], expected: &[u8]) -> bool {
        let algorithm = match self {
            Self::Sha1 => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
            Self::Sha256 => hmac::HMAC_SHA256,
            Self::Sha384 => hmac::HMAC_SHA384,
            Self::Sha512 => hmac::HMAC_SHA512,
        };
        hmac::verify(&hmac::Key::new(algorithm, key), message, expected).is_ok()
    }
}

/// A password, as the file's functions read it.
pub(super) struct Password {
    text: Sensitive<Vec<u8>>,
    /// UTF-16 with a zero at its end.
    wide: Sensitive<Vec<u8>>,
}

impl Password {
    pub(super) fn new(text: &str) -> Self {
        let wide = text.encode_utf16().chain([0]);
        let wide: Vec<u8> = wide.flat_map(u16::to_be_bytes).collect();
        Self {
            text: Sensitive::new(text.as_bytes().to_vec()),
            wide: Sensitive::new(wide),
        }
    }

    /// The empty password without a zero at its end.
    pub(super) fn without_end(text: &str) -> Option<Self> {
        let none = || Sensitive::new(Vec::new());
        text.is_empty().then(|| Self {
            text: none(),
            wide: none(),
        })
    }

    /// The bytes of the text, for the functions that read UTF-8.
    pub(super) fn text(&self) -> &[u8] {
        self.text.expose()
    }

    /// Derives bytes. The caller limits the iterations.
    pub(super) fn derive(
        &self,
        hash: Hash,
        salt: &[u8],
        iterations: u64,
        purpose: Purpose,
    ) -> Sensitive<Vec<u8>> {
        let algorithm = hash.algorithm();
        let (output, block) = (algorithm.output_len(), algorithm.block_len());
        let (id, length) = match purpose {
            Purpose::Key(length) => (1, length),
            Purpose::Vector(length) => (2, length),
            Purpose::Checksum => (3, output),
        };
        let mut input = repeated(salt, block);
        input.extend(repeated(self.wide.expose(), block));
        let mut derived = Vec::new();
        while derived.len() < length {
            let first = [vec![id; block], input.clone()].concat();
            let mut hashed = digest::digest(algorithm, &first);
            for _ in 1..iterations {
                hashed = digest::digest(algorithm, hashed.as_ref());
            }
            derived.extend_from_slice(hashed.as_ref());
            let added = repeated(hashed.as_ref(), block);
            for part in input.chunks_mut(block) {
                add(part, &added);
            }
        }
        derived.truncate(length);
        Sensitive::new(derived)
    }
}

/// Repeats bytes up to a multiple of a length.
fn repeated(bytes: &[u8], length: usize) -> Vec<u8> {
    let whole = bytes.len().div_ceil(length) * length;
    bytes.iter().copied().cycle().take(whole).collect()
}

/// Adds a number and one to a number, without the carry at the end.
fn add(sum: &mut [u8], number: &[u8]) {
    let mut carry = 1;
    for (byte, other) in sum.iter_mut().zip(number).rev() {
        carry += u16::from(*byte) + u16::from(*other);
        let [high, low] = carry.to_be_bytes();
        *byte = low;
        carry = u16::from(high);
    }
}
