//! The X25519 identities of age.

use std::fmt;

use aws_lc_rs::agreement::{self, PrivateKey, UnparsedPublicKey, X25519, agree};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use sluice_dial::Sensitive;

use crate::data_key::random;
use crate::keys::age::bech32;
use crate::keys::age::file::{FileError, FileKey, Stanza, cipher, derive, opened, sealed};

pub(super) const SECRET: &str = "AGE-SECRET-KEY-";
pub(super) const PUBLIC: &str = "age";
const KIND: &str = "X25519";
const INFO: &[u8] = b"age-encryption.org/v1/X25519";

/// The sizes of a key and of a wrapped file key, in bytes.
const KEY: usize = 32;
const WRAPPED: usize = 32;

#[derive(Clone)]
pub(super) struct Identity {
    secret: Sensitive<Vec<u8>>,
    public: [u8; KEY],
}

pub(super) struct Recipient([u8; KEY]);

/// Creates a key pair from its secret half.
fn private(secret: &[u8]) -> Option<PrivateKey> {
    PrivateKey::from_private_key(&X25519, secret).ok()
}

/// Returns the public half of a secret key.
pub(super) fn public(secret: &[u8]) -> Option<[u8; KEY]> {
    let public = private(secret)?.compute_public_key().ok()?;
    public.as_ref().try_into().ok()
}

/// Computes the shared secret; `None` for a public key that makes it predictable.
pub(super) fn shared(secret: &[u8], public: &[u8]) -> Option<Sensitive<Vec<u8>>> {
    let public: UnparsedPublicKey<&[u8]> = agreement::UnparsedPublicKey::new(&X25519, public);
    let known = |shared: &[u8]| Ok(Sensitive::new(shared.to_vec()));
    agree(&private(secret)?, public, (), known).ok()
}

impl Identity {
    pub(super) fn new(secret: &[u8]) -> Option<Self> {
        let public = public(secret)?;
        Some(Self {
            secret: Sensitive::new(secret.to_vec()),
            public,
        })
    }

    pub(super) fn recipient(&self) -> Recipient {
        Recipient(self.public)
    }

    pub(super) fn unwrap(&self, stanza: &Stanza) -> Result<Option<FileKey>, FileError> {
        if stanza.kind != KIND {
            return Ok(None);
        }
        let refused = FileError::Header("a stanza of type X25519 is wrong");
        let [share] = stanza.arguments.as_slice() else {
            return Err(refused);
        };
        let share = STANDARD_NO_PAD.decode(share).map_err(|_| refused)?;
        if share.len() != KEY || stanza.body.len() != WRAPPED {
            return Err(refused);
        }
        let shared = shared(self.secret.expose(), &share).ok_or(refused)?;
        let key = wrapping(shared.expose(), &share, &self.public);
        let file_key = opened(&cipher(key.expose()), [0; 12], &stanza.body);
        Ok(file_key.and_then(FileKey::new))
    }
}

fn wrapping(shared: &[u8], share: &[u8], public: &[u8]) -> Sensitive<Vec<u8>> {
    derive(shared, &[share, public].concat(), INFO)
}

impl Recipient {
    pub(super) fn new(public: &[u8]) -> Option<Self> {
        public.try_into().ok().map(Self)
    }

    pub(super) fn wrap(&self, file_key: &FileKey) -> Option<Stanza> {
        let secret = Sensitive::new(random::<KEY>().to_vec());
        let share = public(secret.expose())?;
        let shared = shared(secret.expose(), &self.0)?;
        let key = wrapping(shared.expose(), &share, &self.0);
        Some(Stanza {
            kind: KIND.to_owned(),
            arguments: vec![STANDARD_NO_PAD.encode(share)],
            body: sealed(&cipher(key.expose()), [0; 12], file_key.expose()),
        })
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&bech32::encode(PUBLIC, &self.0))
    }
}
