//! Verifies OpenPGP signatures by the rules of Flux's library. The key must be a signing key, and
//! neither it nor its primary key may be revoked or expired.
//!
//! Unlike in Flux, signatures over SHA-1, MD5 or RIPEMD-160 are invalid. Other commits with the
//! same digest can be made.

use std::time::{Duration, SystemTime};

use pgp::composed::{
    CleartextSignedMessage, Deserializable as _, DetachedSignature, SignedPublicKey,
    SignedPublicSubKey,
};
use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{Signature, SignatureType};
use pgp::types::{KeyDetails, KeyId, PublicParams, Tag, Timestamp};

use super::VerificationError;

const KIND: &str = "OpenPGP";
const BEGIN: &str = "-----BEGIN PGP ";
/// How far the clock of a signer may be ahead of ours.
const MAX_CLOCK_SKEW: Duration = Duration::from_mins(5);

/// Verifies a signature, and returns the ID of the primary key.
pub(super) fn verify(
    rings: &[String],
    payload: &[u8],
    signature: &str,
    now: SystemTime,
) -> Result<String, VerificationError> {
    let malformed = |error: pgp::errors::Error| malformed(&error);
    let (signatures, _) = DetachedSignature::from_string_many(signature).map_err(malformed)?;
    let signatures: Vec<Signature> = signatures
        .map(|one| one.map(|one| one.signature))
        .collect::<Result<_, _>>()
        .map_err(malformed)?;
    let mut unreadable = None;
    let mut tried = false;
    let mut refusal = None;
    for ring in rings {
        match keys(ring) {
            Err(reason) => unreadable = unreadable.or(Some(reason)),
            Ok(keys) => {
                tried = true;
                match check_keys(&keys, &signatures, payload, now) {
                    Some(Ok(key)) => return Ok(key),
                    Some(Err(error)) => refusal = refusal.or(Some(error)),
                    None => {}
                }
            }
        }
    }
    match (refusal, unreadable) {
        (Some(refusal), _) => Err(refusal),
        (None, Some(reason)) if !tried => {
            Err(VerificationError::UnreadableKeys { kind: KIND, reason })
        }
        _ => Err(VerificationError::NoMatch { keys: "key rings" }),
    }
}

/// Verifies a message in the cleartext signature framework. The key ring is binary or armored.
/// Returns the text without the signature.
pub(super) fn verify_cleartext(
    ring: &[u8],
    message: &str,
    now: SystemTime,
) -> Result<String, VerificationError> {
    let (message, _) =
        CleartextSignedMessage::from_string(message).map_err(|error| malformed(&error))?;
    let unreadable = |reason| VerificationError::UnreadableKeys { kind: KIND, reason };
    let keys = match str::from_utf8(ring) {
        Ok(text) if text.contains(BEGIN) => keys(text).map_err(unreadable)?,
        _ => binary_keys(ring).map_err(unreadable)?,
    };
    let text = message.signed_text();
    let verified = check_keys(&keys, message.signatures(), text.as_bytes(), now);
    verified.unwrap_or(Err(VerificationError::NoMatch { keys: "key rings" }))?;
    Ok(text.replace("\r\n", "\n"))
}

fn malformed(error: &pgp::errors::Error) -> VerificationError {
    VerificationError::Malformed {
        kind: KIND,
        reason: first_line(error),
    }
}

/// Looks for the key of one of these signatures. Returns the ID of its primary key, or why the key
/// is not valid.
fn check_keys(
    keys: &[SignedPublicKey],
    signatures: &[Signature],
    payload: &[u8],
    now: SystemTime,
) -> Option<Result<String, VerificationError>> {
    let mut refusal = None;
    for key in keys {
        let found = signatures
            .iter()
            .find_map(|one| check_signature(key, one, payload, now));
        let id = || identifier(key.primary_key.legacy_key_id());
        match found {
            Some(Ok(())) => return Some(Ok(id())),
            Some(Err(reason)) => {
                refusal = refusal.or_else(|| {
                    let key = id();
                    Some(VerificationError::Invalid { key, reason })
                });
            }
            None => {}
        }
    }
    refusal.map(Err)
}

/// Parses the keys of a binary key ring. Keys of unknown algorithms are left out, as in Go.
fn binary_keys(ring: &[u8]) -> Result<Vec<SignedPublicKey>, String> {
    let keys = SignedPublicKey::from_bytes_many(ring).map_err(|error| first_line(&error))?;
    let keys: Vec<_> = keys.filter_map(Result::ok).collect();
    if keys.is_empty() {
        return Err("the key ring has no public key".to_owned());
    }
    Ok(keys)
}

/// Parses all keys of a text, which may contain several armored blocks.
fn keys(text: &str) -> Result<Vec<SignedPublicKey>, String> {
    let mut keys = Vec::new();
    let mut starts: Vec<usize> = text.match_indices(BEGIN).map(|(at, _)| at).collect();
    if starts.is_empty() {
        return Err("there is no armored key".to_owned());
    }
    starts.push(text.len());
    for block in starts.windows(2) {
        let block = &text[block[0]..block[1]];
        let (found, _) =
            SignedPublicKey::from_string_many(block).map_err(|error| first_line(&error))?;
        for key in found {
            keys.push(key.map_err(|error| first_line(&error))?);
        }
    }
    Ok(keys)
}

/// Checks a signature with one key. Returns `None` if the key did not make it.
fn check_signature(
    key: &SignedPublicKey,
    signature: &Signature,
    payload: &[u8],
    now: SystemTime,
) -> Option<Result<(), &'static str>> {
    if !matches!(
        signature.typ(),
        Some(SignatureType::Binary | SignatureType::Text)
    ) {
        return None;
    }
    let primary = &key.primary_key;
    if let Some(reason) = unsupported_reason(key, signature) {
        return Some(Err(reason));
    }
    if signature.verify(primary, payload).is_ok() {
        return Some(check_primary_key(key, signature, now).and_then(|own| {
            if own.key_flags().sign() {
                Ok(())
            } else {
                Err("the key is not meant for signing")
            }
        }));
    }
    let subkey = key
        .public_subkeys
        .iter()
        .find(|subkey| signature.verify(&subkey.key, payload).is_ok())?;
    Some(check_primary_key(key, signature, now).and_then(|_| check_subkey(key, subkey, now)))
}

fn check_strength(signature: &Signature) -> Result<(), &'static str> {
    let weak = [
        HashAlgorithm::Md5,
        HashAlgorithm::Sha1,
        HashAlgorithm::Ripemd160,
    ];
    if signature.hash_alg().is_none_or(|hash| weak.contains(&hash)) {
        return Err("its hash algorithm can be forged");
    }
    Ok(())
}

/// The reason why a signature that names this key cannot be verified. An attacker may omit the
/// name.
fn unsupported_reason(key: &SignedPublicKey, signature: &Signature) -> Option<&'static str> {
    let unknown = |parameters: &PublicParams| {
        matches!(parameters, PublicParams::Unknown { .. })
            || matches!(parameters, PublicParams::ECDSA(curve) if !curve.is_supported())
    };
    let parts = key.public_subkeys.iter();
    let parts = parts.map(|part| (part.key.legacy_key_id(), part.key.public_params()));
    let primary = &key.primary_key;
    let named = std::iter::once((primary.legacy_key_id(), primary.public_params()))
        .chain(parts)
        .find(|(id, _)| signature.issuer_key_id().contains(&id))?;
    if let Err(reason) = check_strength(signature) {
        Some(reason)
    } else if unknown(named.1) {
        Some("the algorithm of the key, or its curve, is not supported")
    } else {
        None
    }
}

/// Checks everything except for the cryptographic signature, and returns the self-signature of the
/// primary key.
fn check_primary_key<'a>(
    key: &'a SignedPublicKey,
    signature: &Signature,
    now: SystemTime,
) -> Result<&'a Signature, &'static str> {
    check_strength(signature)?;
    let primary = &key.primary_key;
    let revoked = |one: &Signature| {
        one.typ() == Some(SignatureType::KeyRevocation) && one.verify_key(primary).is_ok()
    };
    if key.details.revocation_signatures.iter().any(revoked) {
        return Err("the key is revoked");
    }
    let own = self_signature(key)?;
    if is_future(primary.created_at(), now) {
        return Err("the key was made in the future");
    }
    if expired(primary.created_at(), own.key_expiration_time(), now) {
        return Err("the key has expired");
    }
    for one in [signature, own] {
        let created = one.created().ok_or("it does not say when it was made")?;
        if is_future(created, now) {
            return Err("the signature was made in the future");
        }
        if expired(created, one.signature_expiration_time(), now) {
            return Err("the signature has expired");
        }
    }
    Ok(own)
}

/// Returns the self-signature of the primary user, or else the latest one.
fn self_signature(key: &SignedPublicKey) -> Result<&Signature, &'static str> {
    let primary = &key.primary_key;
    let mut best: Option<(&Signature, bool)> = None;
    for user in &key.details.users {
        let own = user.signatures.iter().filter(|one| {
            one.verify_certification(primary, Tag::UserId, &user.id)
                .is_ok()
        });
        let mut latest: Option<&Signature> = None;
        let mut revoked = false;
        for one in own {
            if one.typ() == Some(SignatureType::CertRevocation) {
                revoked = true;
            } else if latest.is_none_or(|latest| latest.created() <= one.created()) {
                latest = Some(one);
            }
        }
        if let Some(latest) = latest {
            let rank = |one: &Signature| (one.is_primary(), one.created());
            if best.is_none_or(|(best, _)| rank(best) < rank(latest)) {
                best = Some((latest, revoked));
            }
        }
    }
    match best {
        Some((_, true)) => Err("the primary user of the key is revoked"),
        Some((own, false)) => Ok(own),
        None => key
            .details
            .direct_signatures
            .iter()
            .rfind(|one| one.verify_key(primary).is_ok())
            .ok_or("the key has no self-signature"),
    }
}

fn check_subkey(
    key: &SignedPublicKey,
    subkey: &SignedPublicSubKey,
    now: SystemTime,
) -> Result<(), &'static str> {
    let primary = &key.primary_key;
    let own = subkey
        .signatures
        .iter()
        .filter(|one| one.verify_subkey_binding(primary, &subkey.key).is_ok());
    let mut latest: Option<&Signature> = None;
    for one in own {
        match one.typ() {
            Some(SignatureType::SubkeyRevocation) => return Err("the subkey is revoked"),
            _ if latest.is_none_or(|latest| latest.created() <= one.created()) => {
                latest = Some(one);
            }
            _ => {}
        }
    }
    let binding = latest.ok_or("nothing binds the subkey to the key")?;
    if !binding.key_flags().sign() {
        return Err("the subkey is not meant for signing");
    }
    // Without the back signature, an attacker could adopt the signing key of another person.
    let back = binding
        .embedded_signature()
        .ok_or("the subkey does not know the key")?;
    if back
        .verify_primary_key_binding(&subkey.key, primary)
        .is_err()
    {
        return Err("the subkey does not know the key");
    }
    if is_future(subkey.key.created_at(), now) {
        return Err("the subkey was made in the future");
    }
    if expired(subkey.key.created_at(), binding.key_expiration_time(), now) {
        return Err("the subkey has expired");
    }
    let created = binding
        .created()
        .ok_or("the subkey's binding has no time")?;
    if expired(created, binding.signature_expiration_time(), now) {
        return Err("the subkey's binding has expired");
    }
    Ok(())
}

fn is_future(created: Timestamp, now: SystemTime) -> bool {
    now + MAX_CLOCK_SKEW < SystemTime::UNIX_EPOCH + Duration::from_secs(created.as_secs().into())
}

/// A lifetime of zero seconds is unlimited.
fn expired(created: Timestamp, life: Option<pgp::types::Duration>, now: SystemTime) -> bool {
    let Some(life) = life
        .map(pgp::types::Duration::as_secs)
        .filter(|life| *life > 0)
    else {
        return false;
    };
    let end = u64::from(created.as_secs()) + u64::from(life);
    now > SystemTime::UNIX_EPOCH + Duration::from_secs(end)
}

fn identifier(id: KeyId) -> String {
    id.to_string().to_uppercase()
}

/// Errors of the library may have several lines.
fn first_line(error: &pgp::errors::Error) -> String {
    let text = error.to_string();
    crate::error::printable(text.lines().next().unwrap_or_default().as_bytes())
}
