//! Parses the "simple signing" payload of signatures under the older tag.

use serde::Deserialize;

use sluice_digest::Digest;

#[derive(Deserialize)]
struct Payload {
    critical: Critical,
}

#[derive(Deserialize)]
struct Critical {
    image: Image,
}

#[derive(Deserialize)]
struct Image {
    #[serde(rename = "docker-manifest-digest")]
    digest: String,
}

/// Whether a signed payload is about a digest. Its repository name is ignored, because images are
/// mirrored.
pub(super) fn claims(payload: &[u8], digest: &Digest) -> Result<(), String> {
    let payload: Payload = serde_json::from_slice(payload)
        .map_err(|_| "a signed payload is not one of cosign's".to_owned())?;
    let signed = payload.critical.image.digest;
    if signed == digest.to_string() {
        Ok(())
    } else {
        Err(format!("a signature is for another digest: {signed}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payload_is_valid_for_its_digest_only() {
        let (this, other) = (Digest::of(b"this"), Digest::of(b"other"));
        let payload = format!(
            r#"{{"critical":{{"identity":{{"docker-reference":"x"}},"image":{{"docker-manifest-digest":"{this}"}},"type":"cosign container image signature"}},"optional":null}}"#
        );
        assert_eq!(claims(payload.as_bytes(), &this), Ok(()));
        assert!(
            claims(payload.as_bytes(), &other)
                .unwrap_err()
                .contains("another digest")
        );
        for bad in ["", "{}", r#"{"critical":{"image":{}}}"#] {
            assert!(claims(bad.as_bytes(), &this).is_err());
        }
    }
}
