//! Decrypts objects of a build: encrypted objects, and Secrets with encrypted entries.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use crate::decryptor::Decryptor;
use crate::document::Document;
use crate::error::Error;
use crate::format::Format;

/// The annotation that disables decryption of an object.
pub const ANNOTATION: &str = "kustomize.toolkit.fluxcd.io/decrypt";

/// The value that disables decryption.
const DISABLED: &str = "disabled";

/// Why an object cannot be decrypted.
#[derive(Debug, thiserror::Error)]
pub enum ObjectError {
    /// The object is encrypted as a whole.
    #[error("failed to decrypt and format '{namespace}/{name}' {kind} data")]
    Whole {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
        /// Its kind.
        kind: String,
        /// The cause.
        source: Error,
    },
    /// An entry of a Secret is encrypted.
    #[error("failed to decrypt and format '{namespace}/{name}' Secret field '{entry}'")]
    Entry {
        /// The namespace of the Secret.
        namespace: String,
        /// Its name.
        name: String,
        /// The entry.
        entry: String,
        /// The cause.
        source: Error,
    },
}

/// The fields of an object.
type Fields = Map<String, Value>;

/// Whether the annotation disables decryption of an object.
pub fn is_decryption_disabled(object: &Fields) -> bool {
    text(object, &["metadata", "annotations", ANNOTATION]).eq_ignore_ascii_case(DISABLED)
}

/// Whether an object is a Secret that is still encrypted.
pub fn is_encrypted_secret(object: &Fields) -> bool {
    text(object, &["apiVersion"]) == "v1"
        && text(object, &["kind"]) == "Secret"
        && object.contains_key("sops")
}

/// Whether an object is encrypted as a whole.
pub fn is_encrypted_object(object: &Fields) -> bool {
    match object.get("sops").and_then(|sops| sops.get("mac")) {
        None | Some(Value::Null) => false,
        Some(Value::String(mac)) => !mac.is_empty(),
        Some(_) => true,
    }
}

/// Returns the text at a path, or an empty text.
fn text<'a>(object: &'a Fields, path: &[&str]) -> &'a str {
    let Some((first, rest)) = path.split_first() else {
        return "";
    };
    rest.iter()
        .try_fold(object.get(*first), |value, field| {
            value.map(|value| value.get(field))
        })
        .flatten()
        .and_then(Value::as_str)
        .unwrap_or_default()
}

impl Decryptor {
    /// Decrypts an object, if it is encrypted and decryption is not disabled. Returns whether
    /// it changed.
    pub async fn decrypt_object(&self, object: &mut Fields) -> Result<bool, ObjectError> {
        if is_decryption_disabled(object) {
            return Ok(false);
        }
        if is_encrypted_object(object) {
            *object = self.whole(object).await?;
            return Ok(true);
        }
        if text(object, &["kind"]) != "Secret" {
            return Ok(false);
        }
        self.entries(object).await
    }

    async fn whole(&self, object: &Fields) -> Result<Fields, ObjectError> {
        let decrypted = async {
            let document = Document::from_object(object.clone().into())?;
            let key = self.data_key(document.metadata()).await?;
            document.decrypt(&key)?.to_object()
        };
        decrypted.await.map_err(|source| ObjectError::Whole {
            namespace: text(object, &["metadata", "namespace"]).to_owned(),
            name: text(object, &["metadata", "name"]).to_owned(),
            kind: text(object, &["kind"]).to_owned(),
            source,
        })
    }

    async fn entries(&self, object: &mut Fields) -> Result<bool, ObjectError> {
        let Some(Value::Object(data)) = object.get("data") else {
            return Ok(false);
        };
        let mut changes = Vec::new();
        for (entry, value) in data {
            // Invalid base64 is left for the API server to reject.
            let Some(bytes) = value.as_str().and_then(|text| STANDARD.decode(text).ok()) else {
                continue;
            };
            let Some(format) = Format::detect(&bytes) else {
                continue;
            };
            let plain = self.decrypt(&bytes, format, Format::from_path(entry)).await;
            let plain = plain.map_err(|source| ObjectError::Entry {
                namespace: text(object, &["metadata", "namespace"]).to_owned(),
                name: text(object, &["metadata", "name"]).to_owned(),
                entry: entry.clone(),
                source,
            })?;
            changes.push((entry.clone(), STANDARD.encode(plain.expose())));
        }
        let is_changed = !changes.is_empty();
        if let Some(Value::Object(data)) = object.get_mut("data") {
            for (entry, value) in changes {
                data.insert(entry, Value::String(value));
            }
        }
        Ok(is_changed)
    }
}

#[cfg(test)]
mod tests;
