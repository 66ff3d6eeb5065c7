//! Decrypts with a key of a password. Pure.

mod rc2;

use std::num::NonZeroU32;

use aws_lc_rs::cipher::{
    AES_128, AES_256, Algorithm, DecryptionContext, PaddedBlockDecryptingKey, UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;
use aws_lc_rs::pbkdf2;
use des::TdesEde3;
use des::cipher::generic_array::GenericArray;
use des::cipher::{BlockDecrypt as _, KeyInit as _};
use sluice_dial::Sensitive;

use super::der::Der;
use super::derivation::{Hash, Password, Purpose};
use super::{Budget, Pkcs12Error};
use rc2::Rc2;

/// The older schemes: `1.2.840.113549.1.12.1.x`.
const OLDER: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x01];
const PBES2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d];
const PBKDF2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0c];
/// Functions of PBKDF2: `1.2.840.113549.2.x`.
const HMAC: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02];
/// AES: `2.16.840.1.101.3.4.1.x`.
const AES: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01];
const DES_EDE3: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x03, 0x07];
const NULL: u8 = 0x05;
const INTEGER: u8 = 0x02;

/// Length of a block of RC2 and DES in bytes.
const BLOCK: usize = 8;
const DES_KEY: usize = 24;
const UNKNOWN: Pkcs12Error = Pkcs12Error::Algorithm("a cipher");

/// Decrypts bytes by an algorithm with its parameters.
pub(super) fn decrypt(
    mut algorithm: Der<'_>,
    bytes: &[u8],
    password: &Password,
    budget: &mut Budget,
) -> Result<Sensitive<Vec<u8>>, Pkcs12Error> {
    let oid = algorithm.oid()?;
    let mut parameters = algorithm.sequence()?;
    if oid == PBES2 {
        return modern(parameters, bytes, password, budget);
    }
    let (salt, iterations) = (parameters.octets()?, parameters.integer()?);
    let mut derive = |purpose| {
        budget.take(iterations)?;
        Ok::<_, Pkcs12Error>(password.derive(Hash::Sha1, salt, iterations, purpose))
    };
    let mut rc2 = |length| Ok::<_, Pkcs12Error>(Rc2::new(derive(Purpose::Key(length))?.expose()));
    let cipher = match oid.strip_prefix(OLDER) {
        Some([3]) => Cipher::triple_des(derive(Purpose::Key(DES_KEY))?.expose())?,
        Some([5]) => Cipher::Rc2(rc2(16)?),
        Some([6]) => Cipher::Rc2(rc2(5)?),
        _ => return Err(UNKNOWN),
    };
    let vector = derive(Purpose::Vector(BLOCK))?;
    cipher.decrypt(vector.expose(), bytes)
}

/// Decrypts by PBES2.
fn modern(
    mut parameters: Der<'_>,
    bytes: &[u8],
    password: &Password,
    budget: &mut Budget,
) -> Result<Sensitive<Vec<u8>>, Pkcs12Error> {
    let mut function = parameters.sequence()?;
    if function.oid()? != PBKDF2 {
        return Err(Pkcs12Error::Algorithm("a key derivation"));
    }
    let mut settings = function.sequence()?;
    let (salt, iterations) = (settings.octets()?, settings.integer()?);
    let _length = settings.skip_if(INTEGER);
    let hash = if settings.is_empty() {
        pbkdf2::PBKDF2_HMAC_SHA1
    } else {
        let mut function = settings.sequence()?;
        let oid = function.oid()?;
        let _parameters = function.skip_if(NULL);
        match oid.strip_prefix(HMAC) {
            Some([7]) => pbkdf2::PBKDF2_HMAC_SHA1,
            Some([9]) => pbkdf2::PBKDF2_HMAC_SHA256,
            Some([10]) => pbkdf2::PBKDF2_HMAC_SHA384,
            Some([11]) => pbkdf2::PBKDF2_HMAC_SHA512,
            _ => return Err(Pkcs12Error::Algorithm("a hash function")),
        }
    };
    budget.take(iterations)?;
    let count = u32::try_from(iterations).ok().and_then(NonZeroU32::new);
    let count = count.ok_or(Pkcs12Error::Structure)?;
    let derive = |length: usize| {
        let mut key = vec![0; length];
        pbkdf2::derive(hash, count, salt, password.text(), &mut key);
        Sensitive::new(key)
    };
    let mut cipher = parameters.sequence()?;
    let oid = cipher.oid()?;
    let vector = cipher.octets()?;
    match (oid, oid.strip_prefix(AES)) {
        (DES_EDE3, _) => Cipher::triple_des(derive(DES_KEY).expose())?.decrypt(vector, bytes),
        (_, Some([2])) => aes(&AES_128, derive(16).expose(), vector, bytes),
        (_, Some([42])) => aes(&AES_256, derive(32).expose(), vector, bytes),
        _ => Err(UNKNOWN),
    }
}

fn aes(
    algorithm: &'static Algorithm,
    key: &[u8],
    vector: &[u8],
    bytes: &[u8],
) -> Result<Sensitive<Vec<u8>>, Pkcs12Error> {
    let vector: [u8; 16] = vector.try_into().map_err(|_| Pkcs12Error::Structure)?;
    let context = DecryptionContext::Iv128(FixedLength::from(vector));
    let mut plain = bytes.to_vec();
    let length = UnboundCipherKey::new(algorithm, key)
        .and_then(PaddedBlockDecryptingKey::cbc_pkcs7)
        .and_then(|key| key.decrypt(&mut plain, context).map(|text| text.len()));
    // The checksum holds, so the password is right.
    plain.truncate(length.map_err(|_| Pkcs12Error::Structure)?);
    Ok(Sensitive::new(plain))
}

/// A cipher with blocks of eight bytes.
enum Cipher {
    Rc2(Rc2),
    Des(Box<TdesEde3>),
}

impl Cipher {
    fn triple_des(key: &[u8]) -> Result<Self, Pkcs12Error> {
        let cipher = TdesEde3::new_from_slice(key).map_err(|_| Pkcs12Error::Structure)?;
        Ok(Self::Des(Box::new(cipher)))
    }

    fn block(&self, mut block: [u8; BLOCK]) -> [u8; BLOCK] {
        match self {
            Self::Rc2(cipher) => cipher.decrypt(block),
            Self::Des(cipher) => {
                cipher.decrypt_block(GenericArray::from_mut_slice(&mut block));
                block
            }
        }
    }

    /// Decrypts chained blocks, and removes the padding.
    fn decrypt(&self, vector: &[u8], bytes: &[u8]) -> Result<Sensitive<Vec<u8>>, Pkcs12Error> {
        let mut last: [u8; BLOCK] = vector.try_into().map_err(|_| Pkcs12Error::Structure)?;
        let (blocks, []) = bytes.as_chunks::<BLOCK>() else {
            return Err(Pkcs12Error::Structure);
        };
        let mut plain = Vec::with_capacity(bytes.len());
        for block in blocks {
            let decrypted = self.block(*block).into_iter().zip(last);
            plain.extend(decrypted.map(|(byte, before)| byte ^ before));
            last = *block;
        }
        let padding = plain.last().copied().unwrap_or_default();
        let length = usize::from(padding);
        let rest = plain.len().checked_sub(length);
        let rest = rest.filter(|rest| {
            (1..=BLOCK).contains(&length) && plain[*rest..].iter().all(|byte| *byte == padding)
        });
        plain.truncate(rest.ok_or(Pkcs12Error::Structure)?);
        Ok(Sensitive::new(plain))
    }
}
