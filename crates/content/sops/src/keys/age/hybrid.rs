//! The post-quantum identities of age 1.3. They combine X25519 and ML-KEM-768, so breaking
//! one of them is not enough.
//!
//! Parity: the key encapsulation is X-Wing, that is MLKEM768-X25519 of
//! draft-ietf-hpke-pq. Around it is HPKE in base mode (RFC 9180) with HKDF-SHA256 and
//! ChaCha20-Poly1305.

use std::fmt;

use aws_lc_rs::{hmac, kem};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use ml_kem::kem::{Decapsulate as _, KeyExport as _};
use ml_kem::ml_kem_768::{Ciphertext, DecapsulationKey};
use sha3::digest::{ExtendableOutput as _, Update as _, XofReader as _};
use sha3::{Digest as _, Sha3_256, Shake256};
use sluice_dial::Sensitive;

use crate::data_key::random;
use crate::keys::age::bech32;
use crate::keys::age::file::{FileError, FileKey, Stanza, cipher, opened, sealed};
use crate::keys::age::x25519;

pub(super) const SECRET: &str = "AGE-SECRET-KEY-PQ-";
pub(super) const PUBLIC: &str = "age1pq";
const KIND: &str = "mlkem768x25519";
const INFO: &[u8] = b"age-encryption.org/mlkem768x25519";

/// The domain separator of X-Wing.
const LABEL: &[u8] = b"\\.//^\\";

/// The HPKE identifiers of the key encapsulation, HKDF-SHA256 and ChaCha20-Poly1305.
const SUITE: &[u8] = b"HPKE\x64\x7a\x00\x01\x00\x03";

/// The sizes of a seed, the parts of a public key, a ciphertext and a wrapped key, in bytes.
const SEED: usize = 32;
const ENCAPSULATION_KEY: usize = 1184;
const CURVE_POINT: usize = 32;
const CIPHERTEXT: usize = 1088;
const WRAPPED: usize = 32;

#[derive(Clone)]
pub(super) struct Identity {
    key: Box<DecapsulationKey>,
    curve: Sensitive<Vec<u8>>,
    curve_point: [u8; CURVE_POINT],
}

pub(super) struct Recipient {
    encapsulation_key: Vec<u8>,
    curve_point: [u8; CURVE_POINT],
}

impl Identity {
    pub(super) fn new(seed: &[u8]) -> Option<Self> {
        if seed.len() != SEED {
            return None;
        }
        let mut expanded = vec![0; 96];
        let mut shake = Shake256::default();
        shake.update(seed);
        shake.finalize_xof().read(&mut expanded);
        let expanded = Sensitive::new(expanded);
        let (lattice, curve) = expanded.expose().split_at(64);
        let key = DecapsulationKey::from_seed(lattice.try_into().ok()?);
        Some(Self {
            key: Box::new(key),
            curve_point: x25519::public(curve)?,
            curve: Sensitive::new(curve.to_vec()),
        })
    }

    pub(super) fn recipient(&self) -> Recipient {
        Recipient {
            encapsulation_key: self.key.encapsulation_key().to_bytes().to_vec(),
            curve_point: self.curve_point,
        }
    }

    pub(super) fn unwrap(&self, stanza: &Stanza) -> Result<Option<FileKey>, FileError> {
        if stanza.kind != KIND {
            return Ok(None);
        }
        let refused = FileError::Header("a stanza of type mlkem768x25519 is wrong");
        let [share] = stanza.arguments.as_slice() else {
            return Err(refused);
        };
        let share = STANDARD_NO_PAD.decode(share).map_err(|_| refused)?;
        if share.len() != CIPHERTEXT + CURVE_POINT || stanza.body.len() != WRAPPED {
            return Err(refused);
        }
        let (ciphertext, point) = share.split_at(CIPHERTEXT);
        let curve_secret = x25519::shared(self.curve.expose(), point).ok_or(refused)?;
        let ciphertext: &Ciphertext = ciphertext.try_into().map_err(|_| refused)?;
        // A ciphertext for another key yields a different secret, and then decryption fails.
        let lattice_secret = Sensitive::new(self.key.decapsulate(ciphertext).to_vec());
        let secret = combined(
            lattice_secret.expose(),
            curve_secret.expose(),
            point,
            &self.curve_point,
        );
        let (key, nonce) = schedule(secret.expose());
        let file_key = opened(&cipher(key.expose()), nonce, &stanza.body);
        Ok(file_key.and_then(FileKey::new))
    }
}

impl Recipient {
    pub(super) fn new(public: &[u8]) -> Option<Self> {
        let (encapsulation_key, point) = public.split_at_checked(ENCAPSULATION_KEY)?;
        kem::EncapsulationKey::new(&kem::ML_KEM_768, encapsulation_key).ok()?;
        Some(Self {
            encapsulation_key: encapsulation_key.to_vec(),
            curve_point: point.try_into().ok()?,
        })
    }

    pub(super) fn wrap(&self, file_key: &FileKey) -> Option<Stanza> {
        let public = kem::EncapsulationKey::new(&kem::ML_KEM_768, &self.encapsulation_key).ok()?;
        let (ciphertext, lattice_secret) = public.encapsulate().ok()?;
        let ephemeral = Sensitive::new(random::<CURVE_POINT>().to_vec());
        let point = x25519::public(ephemeral.expose())?;
        let curve_secret = x25519::shared(ephemeral.expose(), &self.curve_point)?;
        let secret = combined(
            lattice_secret.as_ref(),
            curve_secret.expose(),
            &point,
            &self.curve_point,
        );
        let (key, nonce) = schedule(secret.expose());
        let share = [ciphertext.as_ref(), &point].concat();
        Some(Stanza {
            kind: KIND.to_owned(),
            arguments: vec![STANDARD_NO_PAD.encode(share)],
            body: sealed(&cipher(key.expose()), nonce, file_key.expose()),
        })
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [self.encapsulation_key.as_slice(), &self.curve_point].concat();
        f.write_str(&bech32::encode(PUBLIC, &bytes))
    }
}

/// Combines the secrets of both encapsulations.
fn combined(lattice: &[u8], curve: &[u8], share: &[u8], point: &[u8]) -> Sensitive<Vec<u8>> {
    let mut hash = Sha3_256::new();
    for part in [lattice, curve, share, point, LABEL] {
        sha3::Digest::update(&mut hash, part);
    }
    Sensitive::new(hash.finalize().to_vec())
}

/// Derives the key and nonce of the only message, with the key schedule of HPKE.
fn schedule(secret: &[u8]) -> (Sensitive<Vec<u8>>, [u8; 12]) {
    let extract = |salt: &[u8], label: &[u8], material: &[u8]| {
        let salt = hmac::Key::new(hmac::HMAC_SHA256, salt);
        let parts: [&[u8]; 4] = [b"HPKE-v1", SUITE, label, material];
        let parts = parts.concat();
        hmac::sign(&salt, &parts)
    };
    let expand = |secret: &hmac::Tag, label: &[u8], context: &[u8], length: u8| {
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_ref());
        // Each output fits into one block of HKDF-Expand.
        let parts: [&[u8]; 6] = [&[0, length], b"HPKE-v1", SUITE, label, context, &[1]];
        let parts = parts.concat();
        let mut out = hmac::sign(&key, &parts).as_ref().to_vec();
        out.truncate(usize::from(length));
        Sensitive::new(out)
    };
    let mut context = vec![0];
    context.extend_from_slice(extract(b"", b"psk_id_hash", b"").as_ref());
    context.extend_from_slice(extract(b"", b"info_hash", INFO).as_ref());
    let secret = extract(secret, b"secret", b"");
    let key = expand(&secret, b"key", &context, 32);
    let nonce = expand(&secret, b"base_nonce", &context, 12);
    let nonce = nonce
        .expose()
        .as_slice()
        .try_into()
        .expect("the nonce has 12 bytes");
    (key, nonce)
}
