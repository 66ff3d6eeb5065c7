//! Encrypts and decrypts a single value: `ENC[AES256_GCM,data:…,iv:…,tag:…,type:…]`.
//!
//! The cipher is AES-256 in Galois/counter mode with nonces of 32 bytes, as in upstream. The
//! path of the value is authenticated, so a moved value is rejected. Its type is not
//! authenticated. So the error about a text that does not fit its type must not quote it.
//!
//! Parity: sops: aes/cipher.go.

use aes_gcm::aead::consts::{U12, U16, U24, U32, U64};
use aes_gcm::aead::{Aead as _, KeyInit as _, Payload};
use aes_gcm::aes::Aes256;
use aes_gcm::{AesGcm, Nonce};
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use sluice_dial::{Sensitive, Wipe as _};
use sluice_golang::{boolean, number};

use crate::data_key::DataKey;
use crate::error::CipherError;
use crate::tree::{Comment, Text, Value};

/// Like Go, accepts stray bits in the last character.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// The length of a new nonce, in bytes.
const NONCE_BYTES: usize = 32;

/// The length of an authentication tag, in bytes.
const TAG_BYTES: usize = 16;

/// The content of an encrypted value.
#[derive(Debug, PartialEq)]
pub(crate) enum DecryptedValue {
    Value(Value),
    Comment(Comment),
}

/// Whether a text has the form of an encrypted value.
pub fn is_encrypted(text: &str) -> bool {
    split(text).is_some()
}

/// The parts of an encrypted value.
struct Parts<'a> {
    data: &'a str,
    nonce: &'a str,
    tag: &'a str,
    kind: &'a str,
}

fn split(text: &str) -> Option<Parts<'_>> {
    let rest = text.strip_prefix("ENC[AES256_GCM,data:")?;
    // Like upstream, ignores text after the last bracket.
    let (rest, _) = rest.rsplit_once(']')?;
    let (rest, kind) = rest.rsplit_once(",type:")?;
    let (rest, tag) = rest.rsplit_once(",tag:")?;
    let (data, nonce) = rest.rsplit_once(",iv:")?;
    let parts = [data, nonce, tag, kind];
    let is_sound = |part: &&str| !part.is_empty() && !part.contains('\n');
    parts.iter().all(is_sound).then_some(Parts {
        data,
        nonce,
        tag,
        kind,
    })
}

/// Decrypts a value. An empty text stays empty.
pub(crate) fn decrypt(
    text: &[u8],
    key: &DataKey,
    additional_data: &str,
) -> Result<DecryptedValue, CipherError> {
    if text.is_empty() {
        return Ok(DecryptedValue::Value(Value::text("")));
    }
    let text = str::from_utf8(text).map_err(|_| CipherError::Form)?;
    let parts = split(text).ok_or(CipherError::Form)?;
    let decode = |part: &str, name| BASE64.decode(part).map_err(|_| CipherError::Base64(name));
    let mut sealed = decode(parts.data, "data")?;
    let nonce = decode(parts.nonce, "iv")?;
    let tag = decode(parts.tag, "tag")?;
    if tag.len() != TAG_BYTES {
        return Err(CipherError::Authentication);
    }
    sealed.extend_from_slice(&tag);
    let plain = Sensitive::new(open(key, &nonce, &sealed, additional_data.as_bytes())?);
    typed(parts.kind, plain)
}

fn open(
    key: &DataKey,
    nonce: &[u8],
    sealed: &[u8],
    additional_data: &[u8],
) -> Result<Vec<u8>, CipherError> {
    let payload = Payload {
        msg: sealed,
        aad: additional_data,
    };
    let key = key.cipher_key()?;
    macro_rules! open {
        ($size:ty) => {
            AesGcm::<Aes256, $size>::new(key.into()).decrypt(Nonce::from_slice(nonce), payload)
        };
    }
    // The size of a nonce is a type parameter of the cipher. Upstream writes 32 bytes, and
    // reads the other sizes.
    let opened = match nonce.len() {
        12 => open!(U12),
        16 => open!(U16),
        24 => open!(U24),
        NONCE_BYTES => open!(U32),
        64 => open!(U64),
        other => return Err(CipherError::Nonce(other)),
    };
    opened.map_err(|_| CipherError::Authentication)
}

fn typed(kind: &str, plain: Text) -> Result<DecryptedValue, CipherError> {
    let text = |name| str::from_utf8(plain.expose()).map_err(|_| CipherError::Mismatch(name));
    let mismatch = CipherError::Mismatch;
    let value = match kind {
        "str" | "bytes" => Value::Text(plain),
        "int" => {
            let number = text("int")?.parse().map_err(|_| mismatch("int"))?;
            Value::Int(number)
        }
        "float" => {
            let number =
                number::parse_any_float(text("float")?).ok_or_else(|| mismatch("float"))?;
            Value::Float(number)
        }
        "bool" => {
            let value = boolean::parse(text("bool")?).map_err(|_| mismatch("bool"))?;
            Value::Bool(value)
        }
        "time" => {
            let time = text("time")?;
            if !crate::metadata::is_time(time) {
                return Err(mismatch("time"));
            }
            Value::Time(plain)
        }
        "comment" => {
            let text = plain;
            return Ok(DecryptedValue::Comment(Comment {
                text,
                inline: false,
            }));
        }
        _ => return Err(CipherError::Type),
    };
    Ok(DecryptedValue::Value(value))
}

/// Encrypts a value. An empty text stays empty.
pub(crate) fn encrypt(
    value: &Value,
    key: &DataKey,
    additional_data: &str,
) -> Result<String, CipherError> {
    let kind = match value {
        Value::Bool(_) => "bool",
        Value::Int(_) => "int",
        Value::Float(_) => "float",
        Value::Time(_) => "time",
        Value::Text(_) | Value::Null | Value::List(_) | Value::Branch(_) => "str",
    };
    let mut plain = value.to_bytes().unwrap_or_default();
    let sealed = seal(&plain, kind, key, additional_data);
    plain.wipe();
    sealed
}

/// Encrypts a comment.
pub(crate) fn encrypt_comment(
    comment: &Comment,
    key: &DataKey,
    additional_data: &str,
) -> Result<String, CipherError> {
    seal(comment.text.expose(), "comment", key, additional_data)
}

fn seal(
    plain: &[u8],
    kind: &str,
    key: &DataKey,
    additional_data: &str,
) -> Result<String, CipherError> {
    if plain.is_empty() {
        return Ok(String::new());
    }
    let nonce: [u8; NONCE_BYTES] = crate::data_key::random();
    let cipher = AesGcm::<Aes256, U32>::new(key.cipher_key()?.into());
    let payload = Payload {
        msg: plain,
        aad: additional_data.as_bytes(),
    };
    let sealed = cipher
        .encrypt(Nonce::from_slice(&nonce), payload)
        .map_err(|_| CipherError::Authentication)?;
    let (data, tag) = sealed.split_at(sealed.len() - TAG_BYTES);
    Ok(format!(
        "ENC[AES256_GCM,data:{},iv:{},tag:{},type:{kind}]",
        BASE64.encode(data),
        BASE64.encode(nonce),
        BASE64.encode(tag),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> DataKey {
        DataKey::new(vec![7; 32])
    }

    #[track_caller]
    fn assert_round_trip(value: &Value) {
        let sealed = encrypt(value, &key(), "a:b:").unwrap();
        assert!(is_encrypted(&sealed), "{sealed}");
        let opened = decrypt(sealed.as_bytes(), &key(), "a:b:").unwrap();
        assert_eq!(opened, DecryptedValue::Value(value.clone()));
    }

    #[test]
    fn every_type_survives_a_round_trip() {
        assert_round_trip(&Value::text("canary"));
        assert_round_trip(&Value::text([0xff, 0x00]));
        assert_round_trip(&Value::Int(i64::MIN));
        assert_round_trip(&Value::Float(1234.5));
        assert_round_trip(&Value::Bool(true));
        assert_round_trip(&Value::Bool(false));
        assert_round_trip(&Value::Time(Sensitive::new(
            b"2024-01-02T03:04:05Z".to_vec(),
        )));
    }

    #[test]
    fn empty_text_stays_empty() {
        assert_eq!(encrypt(&Value::text(""), &key(), "a:").unwrap(), "");
        assert_eq!(
            decrypt(b"", &key(), "a:").unwrap(),
            DecryptedValue::Value(Value::text(""))
        );
    }

    #[test]
    fn moved_or_changed_value_is_rejected() {
        let sealed = encrypt(&Value::text("canary"), &key(), "a:").unwrap();
        let refused = |text: &str, path| decrypt(text.as_bytes(), &key(), path).unwrap_err();
        assert_eq!(refused(&sealed, "b:"), CipherError::Authentication);
        let other = DataKey::new(vec![8; 32]);
        assert_eq!(
            decrypt(sealed.as_bytes(), &other, "a:").unwrap_err(),
            CipherError::Authentication
        );
        let (before, after) = sealed.split_once("tag:").unwrap();
        let flipped = if after.starts_with('A') { "B" } else { "A" };
        let changed = format!("{before}tag:{flipped}{}", &after[1..]);
        assert_eq!(refused(&changed, "a:"), CipherError::Authentication);
    }

    #[test]
    fn errors_do_not_quote_values() {
        for text in [
            "canary",
            "ENC[AES256_GCM,data:canary]",
            "ENC[AES256_GCM,data:c@nary,iv:AA==,tag:AA==,type:str]",
            "ENC[AES256_GCM,data:AAAA,iv:c@nary,tag:AA==,type:str]",
            "ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:canary]",
        ] {
            let error = decrypt(text.as_bytes(), &key(), "a:").unwrap_err();
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains("nary"), "{shown}");
        }
        // The type is not authenticated, so it can be changed in the file.
        let sealed = encrypt(&Value::text("canary"), &key(), "a:").unwrap();
        for kind in ["int", "float", "bool", "time", "canary"] {
            let changed = sealed.replace("type:str", &format!("type:{kind}"));
            let error = decrypt(changed.as_bytes(), &key(), "a:").unwrap_err();
            assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
        }
    }

    #[test]
    fn nonce_of_twelve_bytes_is_accepted() {
        let cipher = AesGcm::<Aes256, U12>::new(&[7; 32].into());
        let payload = Payload {
            msg: b"text",
            aad: b"a:",
        };
        let sealed = cipher
            .encrypt(Nonce::from_slice(&[1; 12]), payload)
            .unwrap();
        let (data, tag) = sealed.split_at(4);
        let text = format!(
            "ENC[AES256_GCM,data:{},iv:{},tag:{},type:str]",
            BASE64.encode(data),
            BASE64.encode([1; 12]),
            BASE64.encode(tag)
        );
        let opened = decrypt(text.as_bytes(), &key(), "a:").unwrap();
        assert_eq!(opened, DecryptedValue::Value(Value::text("text")));
    }
}
