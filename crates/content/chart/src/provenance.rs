//! The provenance of an archive: a signed text with its metadata and its digest.
//!
//! Parity: Helm 4.2: `pkg/provenance/sign.go`.

use serde_json::Value;
use sluice_digest::Algorithm;
use sluice_golang::quote::quote;

use crate::values;

/// The line between the metadata and the digests.
const SEPARATOR: &str = "\n...\n";

/// Why an archive does not have this provenance, in Helm's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProvenanceError {
    /// The text has no digests.
    #[error("message block must have at least two parts")]
    NoDigests,
    /// The digests are not YAML.
    #[error("{0}")]
    Content(String),
    /// The digest of this file is missing.
    #[error("provenance does not contain a SHA for a file named {}", quote(.0))]
    NoDigest(String),
    /// The archive has another digest.
    #[error(
        "sha256 sum does not match for {name}: {} != {}",
        quote(expected),
        quote(found)
    )]
    Mismatch {
        /// The name of the archive.
        name: String,
        /// The digest in the text.
        expected: String,
        /// The digest of the archive.
        found: String,
    },
}

/// Checks an archive with the text of its provenance. The signature of the text is verified
/// elsewhere.
pub fn check_provenance(text: &str, name: &str, archive: &[u8]) -> Result<(), ProvenanceError> {
    let mut parts = text.split(SEPARATOR);
    let digests = parts.nth(1).ok_or(ProvenanceError::NoDigests)?;
    let digests = values::read(digests.as_bytes()).map_err(ProvenanceError::Content)?;
    let expected = digests.get("files").and_then(|files| files.get(name));
    let expected = expected
        .and_then(Value::as_str)
        .ok_or_else(|| ProvenanceError::NoDigest(name.to_owned()))?;
    let found = format!("sha256:{}", Algorithm::Sha256.digest(archive).hex());
    if expected != found {
        return Err(ProvenanceError::Mismatch {
            name: name.to_owned(),
            expected: expected.to_owned(),
            found,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check_provenance;

    /// SHA-256 of the empty text.
    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn archive_matches_the_digest_of_its_name() {
        let text = format!("name: a\n...\nfiles:\n  a-1.tgz: sha256:{EMPTY}\n");
        let check = |name, archive| {
            let checked = check_provenance(&text, name, archive);
            checked.map_err(|error| error.to_string())
        };
        assert_eq!(check("a-1.tgz", b""), Ok(()));
        let missing = "provenance does not contain a SHA for a file named \"b-1.tgz\"";
        assert_eq!(check("b-1.tgz", b""), Err(missing.to_owned()));
        let changed = check("a-1.tgz", b"x").unwrap_err();
        let start = format!("sha256 sum does not match for a-1.tgz: \"sha256:{EMPTY}\" != ");
        assert!(changed.starts_with(&start), "{changed}");
    }

    #[test]
    fn text_without_digests_is_rejected() {
        let error = check_provenance("name: a\n", "a-1.tgz", b"").unwrap_err();
        let expected = "message block must have at least two parts";
        assert_eq!(error.to_string(), expected);
        let malformed = check_provenance("a\n...\n\t", "a-1.tgz", b"").unwrap_err();
        assert!(malformed.to_string().contains("yaml"), "{malformed}");
    }
}
