//! Keys of NATS users: Ed25519 seeds in base32, with a checksum.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use super::super::{SendError, permanent};

/// First byte of the public key of a user.
pub(super) const USER_PREFIX: u8 = 20 << 3;
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The key of a user.
pub(super) struct UserKey {
    pair: Ed25519KeyPair,
    pub(super) public: String,
}

impl UserKey {
    /// Parses a seed in base32: a prefix of two bytes, the key of 32 bytes, and a checksum of two.
    pub(super) fn parse(seed: &[u8]) -> Result<Self, SendError> {
        let invalid = || permanent("the NATS key is not a valid seed");
        let bytes = decode(seed.trim_ascii()).ok_or_else(invalid)?;
        let (body, sum) = bytes.split_last_chunk::<2>().ok_or_else(invalid)?;
        if body.len() != 34 || checksum(body) != u16::from_le_bytes(*sum) {
            return Err(invalid());
        }
        let pair = Ed25519KeyPair::from_seed_unchecked(&body[2..]).map_err(|_| invalid())?;
        let mut public = vec![USER_PREFIX];
        public.extend_from_slice(pair.public_key().as_ref());
        public.extend_from_slice(&checksum(&public).to_le_bytes());
        Ok(Self {
            pair,
            public: encode(&public),
        })
    }

    pub(super) fn sign(&self, nonce: &str) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(self.pair.sign(nonce.as_bytes()))
    }
}

/// CRC-16 with the polynomial of XMODEM.
pub(super) fn checksum(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |sum, byte| {
        (0..8).fold(sum ^ (u16::from(*byte) << 8), |sum, _| {
            let is_set = sum & 0x8000 != 0;
            (sum << 1) ^ if is_set { 0x1021 } else { 0 }
        })
    })
}

/// Decodes base32 without padding.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let (mut bytes, mut buffer, mut bits) = (Vec::new(), 0_u32, 0);
    for character in text {
        let value = BASE32.iter().position(|known| known == character)?;
        buffer = (buffer << 5) | u32::try_from(value).ok()?;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from((buffer >> bits) & 0xff).ok()?);
        }
    }
    Some(bytes)
}

/// Encodes base32 without padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    let (mut text, mut buffer, mut bits) = (String::new(), 0_u32, 0);
    for byte in bytes {
        buffer = (buffer << 8) | u32::from(*byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            text.push(char::from(BASE32[((buffer >> bits) & 31) as usize]));
        }
    }
    if bits > 0 {
        text.push(char::from(BASE32[((buffer << (5 - bits)) & 31) as usize]));
    }
    text
}
