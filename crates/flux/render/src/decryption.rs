//! Decrypts the files and objects of a render and hides the values that were encrypted.
//!
//! Parity: `internal/decryptor` of the reference; its messages are the same.

use std::fmt;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::{Pin, pin};

use futures::{StreamExt as _, TryStreamExt as _, stream};
use serde_json::Value;
use sluice_apply::SecretValues;
use sluice_kustomize::Fs;
use sluice_kustomize::flux::GeneratedKustomization;
use sluice_kustomize::fs::{EntryKind, OverlayFs};
use sluice_object::Object;
use sluice_sops::{DecryptedFile, Decryptor, MAX_FILE_BYTES, SourceEntry, SourceTree, TreeError};

use sluice_golang::error::chain;

/// Objects that request keys at the same time. A key service may be slow.
const MAX_CONCURRENT_OBJECTS: usize = 16;

/// Runs the asynchronous work of a render on the blocking thread of the render.
///
/// The controllers' implementation gives its build permit back while the work waits.
pub trait Waiter: fmt::Debug + Send + Sync {
    /// Runs the work to its end. Blocks.
    fn wait(&self, work: Pin<&mut dyn Future<Output = ()>>);
}

fn block_on<F: Future>(waiter: &dyn Waiter, work: F) -> F::Output {
    let mut output = None;
    {
        let work = pin!(async {
            output = Some(work.await);
        });
        waiter.wait(work);
    }
    output.expect("a waiter runs the work to its end")
}

/// The tree of a build, as the search for encrypted files reads it.
struct Tree<'t>(&'t dyn Fs);

impl SourceTree for Tree<'_> {
    fn entry(&self, path: &Path) -> Result<Option<SourceEntry>, TreeError> {
        let kind = self
            .0
            .kind(path)
            .map_err(|error| TreeError(error.to_string()))?;
        Ok(kind.map(|kind| match kind {
            EntryKind::File => SourceEntry::File,
            EntryKind::Directory => SourceEntry::Directory,
            EntryKind::Other => SourceEntry::Other,
        }))
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, TreeError> {
        self.0
            .resolve(path)
            .map_err(|error| TreeError(error.to_string()))
    }

    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, TreeError> {
        self.0
            .read(path, limit)
            .map_err(|error| TreeError(error.to_string()))
    }
}

/// Decrypts the files that a build reads and lays them over the tree. Blocks.
pub(crate) fn decrypt_sources<'t>(
    decryptor: &Decryptor,
    waiter: &dyn Waiter,
    tree: &'t dyn Fs,
    generated: &GeneratedKustomization,
    directory: &Path,
    hidden: &mut SecretValues,
) -> Result<OverlayFs<'t>, String> {
    let with_file = OverlayFs::new(tree).with(generated.path.clone(), generated.manifest.clone());
    let search = Tree(&with_file);
    let decryption = decryptor.decrypt_sources(&search, directory);
    let files: Vec<DecryptedFile> = block_on(waiter, decryption)
        .map_err(|error| format!("error decrypting sources: {}", chain(&error)))?;
    for file in &files {
        let before = with_file
            .read(&file.path, MAX_FILE_BYTES)
            .unwrap_or_default();
        hide_file(hidden, &before, file.content.expose());
    }
    Ok(files.into_iter().fold(OverlayFs::new(tree), |tree, file| {
        tree.with(file.path, file.content.expose().clone())
    }))
}

/// Decrypts the encrypted objects of a build. Blocks.
///
/// Decrypted values of objects other than Secrets are hidden from messages. Secrets are
/// masked everywhere already.
pub(crate) fn decrypt_objects(
    decryptor: &Decryptor,
    waiter: &dyn Waiter,
    objects: Vec<Object>,
    hidden: &mut SecretValues,
) -> Result<Vec<Object>, String> {
    let decryption = objects
        .into_iter()
        .map(|object| decrypt_object(decryptor, object));
    let decryption = stream::iter(decryption)
        .buffered(MAX_CONCURRENT_OBJECTS)
        .try_collect();
    let decrypted: Vec<DecryptedObject> = block_on(waiter, decryption)?;
    let objects = decrypted.into_iter().map(|decrypted| {
        let DecryptedObject { object, before } = decrypted;
        if let Some(before) = before {
            hide_values(hidden, &before, &object.to_value());
        }
        object
    });
    Ok(objects.collect())
}

struct DecryptedObject {
    object: Object,
    /// The encrypted object, if its decrypted values have to be hidden.
    before: Option<Value>,
}

async fn decrypt_object(
    decryptor: &Decryptor,
    mut object: Object,
) -> Result<DecryptedObject, String> {
    let kind = sluice_kustomize::flux::format_gvk(&object);
    let name = object.name().to_owned();
    let failed = |reason: String| format!("decryption failed for '{kind}/{name}': {reason}");
    let is_hidden = !object.is("", "Secret") && sluice_sops::is_encrypted_object(object.as_map());
    let before = is_hidden.then(|| object.to_value());
    let is_changed = decryptor
        .decrypt_object(object.as_map_mut())
        .await
        .map_err(|error| failed(chain(&error)))?;
    if !is_changed {
        return Ok(DecryptedObject {
            object,
            before: None,
        });
    }
    let object =
        Object::try_from(object.into_value()).map_err(|error| failed(error.to_string()))?;
    Ok(DecryptedObject { object, before })
}

/// Hides the decrypted values of a file, or the whole file if it is not YAML.
fn hide_file(hidden: &mut SecretValues, before: &[u8], after: &[u8]) {
    let read = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).ok()?;
        sluice_yaml::v2::documents(text).ok()
    };
    match (read(before), read(after)) {
        (Some(before), Some(after)) if before.len() == after.len() => {
            for pair in before.iter().zip(&after) {
                match pair {
                    (before @ Value::Object(_), after @ Value::Object(_)) => {
                        hide_values(hidden, before, after);
                    }
                    (_, after) => hide_all(hidden, after),
                }
            }
        }
        _ => hidden.add(String::from_utf8_lossy(after)),
    }
}

/// Hides the values of a document that were encrypted. A value without a counterpart was
/// part of a value that was encrypted as a whole.
fn hide_values(hidden: &mut SecretValues, before: &Value, after: &Value) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            for (key, after) in after {
                match before.get(key) {
                    Some(before) => hide_values(hidden, before, after),
                    None => hide_all(hidden, after),
                }
            }
        }
        (Value::Array(before), Value::Array(after)) => {
            for (index, after) in after.iter().enumerate() {
                match before.get(index) {
                    Some(before) => hide_values(hidden, before, after),
                    None => hide_all(hidden, after),
                }
            }
        }
        (Value::String(before), after) if sluice_sops::is_encrypted(before) => {
            hide_all(hidden, after);
        }
        _ => {}
    }
}

/// Hides every text and number of a value.
fn hide_all(hidden: &mut SecretValues, value: &Value) {
    match value {
        Value::Object(fields) => {
            for value in fields.values() {
                hide_all(hidden, value);
            }
        }
        Value::Array(items) => {
            for value in items {
                hide_all(hidden, value);
            }
        }
        Value::String(text) => hidden.add(text),
        Value::Number(number) => hidden.add(number.to_string()),
        Value::Bool(_) | Value::Null => {}
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use async_trait::async_trait;
    use serde_json::json;
    use sluice_sops::keys::{KeyError, KeyService, Keyring};
    use sluice_sops::{DataKey, KeyType, MasterKey, Recipient};
    use tokio::runtime::Handle;
    use tokio::sync::Barrier;

    use super::*;

    /// Answers when both keys are requested.
    struct TwoRequests(Barrier);

    #[async_trait]
    impl KeyService for TwoRequests {
        async fn unwrap(&self, _: &MasterKey) -> Result<DataKey, KeyError> {
            self.0.wait().await;
            Err(KeyError::new("two requests"))
        }

        async fn wrap(&self, _: &Recipient, _: &DataKey) -> Result<String, KeyError> {
            Err(KeyError::new("it only unwraps"))
        }
    }

    #[derive(Debug)]
    struct RuntimeWaiter(Handle);

    impl Waiter for RuntimeWaiter {
        fn wait(&self, work: Pin<&mut dyn Future<Output = ()>>) {
            self.0.block_on(work);
        }
    }

    #[test]
    fn encrypted_values_of_a_file_are_hidden() {
        let encrypted = "ENC[AES256_GCM,data:YQ==,iv:YQ==,tag:YQ==,type:str]";
        let two = format!("plain: shown\n---\ndata:\n- {encrypted}\n");
        let whole = format!("{{\"data\": \"{encrypted}\", \"sops\": {{}}}}");
        for (before, after) in [
            (
                format!("a: {encrypted}\nplain: shown\n"),
                "a: canary-1\nplain: shown\n",
            ),
            (two, "plain: shown\n---\ndata:\n- canary-1\n"),
            // A file that was encrypted as a whole, of any format.
            (whole.clone(), "spec:\n  password: canary-1\n"),
            (whole.clone(), "data: canary-1\n"),
            (whole.clone(), "- canary-1\n"),
            (whole.clone(), "a: 1\n---\nb: canary-1\n"),
            (whole, "{canary-1"),
        ] {
            let mut hidden = SecretValues::default();
            hide_file(&mut hidden, before.as_bytes(), after.as_bytes());
            let masked = hidden.mask("map[a:canary-1 b:shown]".to_owned());
            assert_eq!(masked, "map[a:*** b:shown]", "{after}");
        }
    }

    #[tokio::test]
    async fn keys_of_several_objects_are_requested_concurrently() {
        let service = Arc::new(TwoRequests(Barrier::new(2)));
        let decryptor = Decryptor::new(Keyring::default().with(KeyType::GcpKms, service));
        let object = |name: &str| {
            let object = json!({
                "apiVersion": "v1", "kind": "Secret", "metadata": { "name": name },
                "data": { "a": "ENC[AES256_GCM,data:AA==,iv:AA==,tag:AA==,type:str]" },
                "sops": {
                    "gcp_kms": [{ "resource_id": name, "created_at": "2026-01-01T00:00:00Z", "enc": name }],
                    "lastmodified": "2026-01-01T00:00:00Z", "mac": "ENC[]", "version": "3.13.0",
                },
            });
            Object::try_from(object).unwrap()
        };
        let objects = vec![object("one"), object("two")];
        let waiter = RuntimeWaiter(Handle::current());
        let work =
            move || decrypt_objects(&decryptor, &waiter, objects, &mut SecretValues::default());
        let decrypted = tokio::task::spawn_blocking(work).await.unwrap();
        let error = decrypted.unwrap_err();
        assert!(error.contains("/one'"), "{error}");
        assert!(error.contains("two requests"), "{error}");
    }
}
