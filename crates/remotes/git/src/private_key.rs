//! Reads private keys in any format that OpenSSH writes, all of them.
//!
//! OpenSSH writes the secret number of an ECDSA key without the zero bytes that it begins with.
//! The library that reads keys refuses a number that is shorter than the curve's where the curve is
//! P-256: one good key in 512. Such a key is written out in full length, and read again.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use russh::keys::{Error, PrivateKey, decode_secret_key};
use sluice_dial::Sensitive;

const MAGIC: &[u8] = b"openssh-key-v1\0";
const BEGIN: &str = "-----BEGIN OPENSSH PRIVATE KEY-----";
const END: &str = "-----END OPENSSH PRIVATE KEY-----";
const SHORT: &[u8] = b"ecdsa-sha2-nistp256";
/// Bytes of a number on that curve.
const FULL: usize = 32;
/// What a key that is not encrypted is padded to.
const BLOCK: usize = 8;

/// Reads a private key, with its passphrase if it has one.
pub(crate) fn read(secret: &str, passphrase: Option<&str>) -> Result<PrivateKey, Error> {
    decode_secret_key(secret, passphrase).or_else(|error| {
        let widened = widened(secret, passphrase);
        widened
            .and_then(|key| PrivateKey::from_bytes(key.expose()).ok())
            .ok_or(error)
    })
}

/// The same key, not encrypted, its number in full length; `None` if that was not what was amiss.
fn widened(secret: &str, passphrase: Option<&str>) -> Option<Sensitive<Vec<u8>>> {
    let (_, text) = secret.split_once(BEGIN)?;
    let (text, _) = text.split_once(END)?;
    let text: String = text.split_ascii_whitespace().collect();
    let container: Sensitive<Vec<u8>> = STANDARD.decode(text).ok()?.into();
    let mut rest = container.expose().strip_prefix(MAGIC)?;
    let cipher = field(&mut rest)?;
    let (_derivation, _options) = (field(&mut rest)?, field(&mut rest)?);
    let (_count, mut rest) = rest.split_at_checked(4)?;
    let (public, private) = (field(&mut rest)?, field(&mut rest)?);
    let private: Sensitive<Vec<u8>> = if cipher == b"none" {
        private.to_vec().into()
    } else {
        opened(secret, passphrase?)?
    };

    let section = private.expose().as_slice();
    let (checks, mut rest) = section.split_at_checked(8)?;
    let (kind, _curve, _point) = (field(&mut rest)?, field(&mut rest)?, field(&mut rest)?);
    let before = &section[..section.len() - rest.len()];
    let (number, comment) = (field(&mut rest)?, field(&mut rest)?);
    if checks[..4] != checks[4..] || kind != SHORT || number.len() >= FULL {
        return None;
    }
    let mut full = Sensitive::from(vec![0; FULL - number.len()]);
    full = [full.expose(), number].concat().into();
    // Never grown, which would leave a copy behind.
    let mut longer = Vec::with_capacity(section.len() + FULL + BLOCK);
    longer.extend_from_slice(before);
    put(&mut longer, full.expose());
    put(&mut longer, comment);
    let padding = longer.len().next_multiple_of(BLOCK) - longer.len();
    longer.extend((1..).take(padding));
    let longer = Sensitive::from(longer);

    let mut whole = Vec::with_capacity(container.expose().len() + longer.expose().len());
    whole.extend_from_slice(MAGIC);
    for unencrypted in ["none", "none", ""] {
        put(&mut whole, unencrypted.as_bytes());
    }
    whole.extend_from_slice(&1_u32.to_be_bytes());
    put(&mut whole, public);
    put(&mut whole, longer.expose());
    Some(whole.into())
}

/// The private part of an encrypted key.
fn opened(secret: &str, passphrase: &str) -> Option<Sensitive<Vec<u8>>> {
    let key = PrivateKey::from_openssh(secret).ok()?;
    let (cipher, encrypted) = (key.cipher(), key.key_data().encrypted()?);
    let (secret, start) = key.kdf().derive_key_and_iv(cipher, passphrase).ok()?;
    let mut private = encrypted.to_vec();
    // A cipher with a tag of its own is not met: OpenSSH does not choose one by itself.
    let opened = cipher.decrypt(&secret, &start, &mut private, None);
    let private = Sensitive::from(private);
    opened.ok().map(|()| private)
}

fn field<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, after) = rest.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (field, after) = after.split_at_checked(length)?;
    *rest = after;
    Some(field)
}

fn put(out: &mut Vec<u8>, field: &[u8]) {
    let length = u32::try_from(field.len()).expect("a part of a key is short");
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(field);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by ssh-keygen until it had one of 31 bytes; nobody trusts it.
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
    /// The same with the passphrase `open sesame`.
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
    fn a_number_that_begins_with_zeros_is_read() {
        for (secret, passphrase) in [(PLAIN, None), (LOCKED, Some("open sesame"))] {
            assert!(
                decode_secret_key(secret, passphrase).is_err(),
                "the library reads it by now: this module is not needed any more"
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
    fn what_is_wrong_with_others_is_told_as_before() {
        assert!(matches!(read(LOCKED, None), Err(Error::KeyIsEncrypted)));
        assert!(read(LOCKED, Some("wrong")).is_err());
        for cut in 0..PLAIN.len() / 2 {
            assert!(read(&PLAIN[..cut], None).is_err(), "{cut}");
        }
    }
}
