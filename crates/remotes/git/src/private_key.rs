//! Reads private keys in all formats of OpenSSH.
//!
//! OpenSSH writes the secret scalar of an ECDSA key without leading zero bytes. The library rejects
//! a P-256 scalar of fewer than 32 bytes, which affects one key in 512. This module pads
//! such a scalar and reads the key again.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use russh::keys::{Error, PrivateKey, decode_secret_key};
use sluice_dial::Sensitive;

const MAGIC: &[u8] = b"openssh-key-v1\0";
const BEGIN: &str = "-----BEGIN OPENSSH PRIVATE KEY-----";
const END: &str = "-----END OPENSSH PRIVATE KEY-----";
const KEY_TYPE: &[u8] = b"ecdsa-sha2-nistp256";
/// Bytes of a scalar on the curve P-256.
const SCALAR_BYTES: usize = 32;
/// Block size of the padding of an unencrypted key.
const PADDING_BLOCK: usize = 8;

/// Reads a private key with an optional passphrase.
pub(crate) fn read(secret: &str, passphrase: Option<&str>) -> Result<PrivateKey, Error> {
    decode_secret_key(secret, passphrase).or_else(|error| {
        let pad_scalar = pad_scalar(secret, passphrase);
        pad_scalar
            .and_then(|key| PrivateKey::from_bytes(key.expose()).ok())
            .ok_or(error)
    })
}

/// Returns the unencrypted key with a padded scalar, or `None` if the scalar is not the problem.
fn pad_scalar(secret: &str, passphrase: Option<&str>) -> Option<Sensitive<Vec<u8>>> {
    let (_, text) = secret.split_once(BEGIN)?;
    let (text, _) = text.split_once(END)?;
    let text: String = text.split_ascii_whitespace().collect();
    let container: Sensitive<Vec<u8>> = STANDARD.decode(text).ok()?.into();
    let mut rest = container.expose().strip_prefix(MAGIC)?;
    let cipher = read_field(&mut rest)?;
    let (_derivation, _options) = (read_field(&mut rest)?, read_field(&mut rest)?);
    let (_count, mut rest) = rest.split_at_checked(4)?;
    let (public, private) = (read_field(&mut rest)?, read_field(&mut rest)?);
    let private: Sensitive<Vec<u8>> = if cipher == b"none" {
        private.to_vec().into()
    } else {
        decrypt_section(secret, passphrase?)?
    };

    let section = private.expose().as_slice();
    let (checks, mut rest) = section.split_at_checked(8)?;
    let (kind, _curve, _point) = (
        read_field(&mut rest)?,
        read_field(&mut rest)?,
        read_field(&mut rest)?,
    );
    let before = &section[..section.len() - rest.len()];
    let (number, comment) = (read_field(&mut rest)?, read_field(&mut rest)?);
    if checks[..4] != checks[4..] || kind != KEY_TYPE || number.len() >= SCALAR_BYTES {
        return None;
    }
    let mut full = Sensitive::from(vec![0; SCALAR_BYTES - number.len()]);
    full = [full.expose(), number].concat().into();
    // The capacity suffices. Reallocation would leave a copy of the secret in memory.
    let mut longer = Vec::with_capacity(section.len() + SCALAR_BYTES + PADDING_BLOCK);
    longer.extend_from_slice(before);
    write_field(&mut longer, full.expose());
    write_field(&mut longer, comment);
    let padding = longer.len().next_multiple_of(PADDING_BLOCK) - longer.len();
    longer.extend((1..).take(padding));
    let longer = Sensitive::from(longer);

    let mut whole = Vec::with_capacity(container.expose().len() + longer.expose().len());
    whole.extend_from_slice(MAGIC);
    for unencrypted in ["none", "none", ""] {
        write_field(&mut whole, unencrypted.as_bytes());
    }
    whole.extend_from_slice(&1_u32.to_be_bytes());
    write_field(&mut whole, public);
    write_field(&mut whole, longer.expose());
    Some(whole.into())
}

/// Decrypts the private section of a key.
fn decrypt_section(secret: &str, passphrase: &str) -> Option<Sensitive<Vec<u8>>> {
    let key = PrivateKey::from_openssh(secret).ok()?;
    let (cipher, encrypted) = (key.cipher(), key.key_data().encrypted()?);
    let (secret, start) = key.kdf().derive_key_and_iv(cipher, passphrase).ok()?;
    let mut private = encrypted.to_vec();
    // OpenSSH does not choose ciphers with an authentication tag by default.
    let decrypt_section = cipher.decrypt(&secret, &start, &mut private, None);
    let private = Sensitive::from(private);
    decrypt_section.ok().map(|()| private)
}

fn read_field<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, after) = rest.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (field, after) = after.split_at_checked(length)?;
    *rest = after;
    Some(field)
}

fn write_field(out: &mut Vec<u8>, field: &[u8]) {
    let length = u32::try_from(field.len()).expect("a field of a key is short");
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(field);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A test key of ssh-keygen with a scalar of 31 bytes.
    const PLAIN: &str = "\
-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAaAAAABNlY2RzYS
1zaGEyLW5pc3RwMjU2AAAACG5pc3RwMjU2AAAAQQTg9YFy0qHAYY6awZ9J/eCLUX5ugVun
nzdKE4n4Zz2jneC8wUqvBCrzYtIu5UzRCOpf4t2tmBmSd8WwyDUsOXJ2AAAAmBufurcbn7
q3AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBOD1gXLSocBhjprB
n0n94ItRfm6BW6efN0oTifhnPaOd4LzBSq8EKvNi0i7lTNEI6l/i3a2YGZJ3xbDINSw5cn
YAAAAfJF6Xbtm9xWNnyqvcY/UBHI/blvxgNFTAXcjJH1kxIQAAAAAB
-----END OPENSSH PRIVATE KEY-----
";
    /// The same key with the passphrase `open sesame`.
    const LOCKED: &str = "\
-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABDZ6/18Vj
dno+FKDnuZE6hyAAAAAQAAAAEAAABoAAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlz
dHAyNTYAAABBBOD1gXLSocBhjprBn0n94ItRfm6BW6efN0oTifhnPaOd4LzBSq8EKvNi0i
7lTNEI6l/i3a2YGZJ3xbDINSw5cnYAAACgNRSL+PMdipEr5y9MBrQANjBZ4/k7FZL/pt+G
Wt0fqwogtKRAblsE2a1Bvbwr1+gEfIXTZAEf4Q/89p0dVaH6o0NKmj9dAw1I8mv55aT3bi
lO9PjIwcObs2ER3Xb7JrY0T4jypCTzxHI6/RtebzuPaxNjHv2I3+OyTuoD0TnT7FXwSrsz
RxcTDay7Ie/GXzACJKf0r+zKAQDgc2FxMMTWzA==
-----END OPENSSH PRIVATE KEY-----
";
    const PUBLIC: &str = "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBOD1gXLSocBhjprBn0n94ItRfm6BW6efN0oTifhnPaOd4LzBSq8EKvNi0i7lTNEI6l/i3a2YGZJ3xbDINSw5cnY=";

    #[test]
    fn scalar_with_leading_zeros_is_read() {
        for (secret, passphrase) in [(PLAIN, None), (LOCKED, Some("open sesame"))] {
            assert!(
                decode_secret_key(secret, passphrase).is_err(),
                "the library reads the key: this module can be removed"
            );
            let key = read(secret, passphrase).unwrap();
            assert_eq!(key.public_key().to_openssh().unwrap().trim(), PUBLIC);
            let signature = key
                .sign("git", russh::keys::HashAlg::Sha512, b"text")
                .unwrap();
            key.public_key().verify("git", b"text", &signature).unwrap();
        }
    }

    #[test]
    fn other_errors_are_unchanged() {
        assert!(matches!(read(LOCKED, None), Err(Error::KeyIsEncrypted)));
        assert!(read(LOCKED, Some("wrong")).is_err());
        for cut in 0..PLAIN.len() / 2 {
            assert!(read(&PLAIN[..cut], None).is_err(), "{cut}");
        }
    }
}
