//! Keys for what is encrypted: those that an object names, the operator's, and Vault's.
//!
//! Keys come from the Secret of `spec.decryption`, in the object's namespace; without one, from the
//! operator's Secret of age keys. A Vault server is asked with the token of that Secret, else with
//! one that a service account logs in for, at the servers that the operator lists, else with the
//! process's own. The identities of clouds are not there yet: files that need them say so by key.
//!
//! Parity: `internal/decryptor` of the reference, whose words are kept.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use sluice_api::kustomize::Decryption;
use sluice_apply::SecretValues;
use sluice_dial::{Dial, HttpClients, Sensitive};
use sluice_engine::reconcile::chain;
use sluice_engine::{Asker, Clusters, ObjectKey, SecretData, SecretError, Secrets};
use sluice_kustomize::Fs;
use sluice_kustomize::flux::Generated;
use sluice_kustomize::fs::{EntryKind, OverlayFs};
use sluice_object::{Object, Value};
use sluice_sops::import::{self, Imported};
use sluice_sops::keys::vault::{
    Allowlist, CONFIG_KEY, Client, Identity, Login, LoginPaths, StaticToken, TokenSource, Transit,
};
use sluice_sops::keys::{KeyError, Keyring};
use sluice_sops::{DecryptedFile, Decryptor, Entry, KeyType, MAX_FILE, SourceTree, TreeError};

use super::turn::Turn;
use crate::NAME;
use crate::args::Args;

/// The operation of Vault's tokens in the metrics of the cache.
const DECRYPT_WITH_VAULT: &str = "decrypt_with_vault";

/// What the operator decided about decryption, and what the environment gives.
#[derive(Debug, Clone)]
pub(super) struct Operator {
    /// Where the operator's own Secrets are.
    namespace: String,
    age_secret: Option<String>,
    vault_config: Option<String>,
    default_account: Option<String>,
    vault_token: Option<Sensitive<String>>,
    age_key: Option<Sensitive<String>>,
    age_key_file: Option<PathBuf>,
    vault: Client,
}

impl Operator {
    pub(super) fn of(args: &Args) -> Result<Self, KeyError> {
        let some = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        let http = HttpClients::new(format!("{NAME}/{}", env!("CARGO_PKG_VERSION")));
        let vault = Client::new(Arc::new(http), Dial::default())
            .in_namespace(some(&args.vault_namespace))
            .bounded_by(Allowlist::parse(&args.vault_allowlist)?);
        Ok(Self {
            namespace: args.shared.runtime_namespace.clone(),
            age_secret: some(&args.sops_age_secret),
            vault_config: some(&args.sops_vault_configmap),
            default_account: some(&args.default_decryption_service_account),
            vault_token: args.vault_token.clone(),
            age_key: args.age_key.clone(),
            age_key_file: some(&args.age_key_file).map(PathBuf::from),
            vault,
        })
    }
}

/// Who asks for keys, and where they are read.
pub(super) struct Reader<'a> {
    pub(super) operator: &'a Operator,
    pub(super) secrets: &'a Secrets,
    pub(super) clusters: &'a Clusters,
    pub(super) key: &'a ObjectKey,
}

impl Reader<'_> {
    /// Brings together the keys for one run.
    pub(super) async fn decryptor(&self, wanted: &Decryption) -> Result<Decryptor, String> {
        let Imported {
            mut age,
            pgp,
            vault_token,
            ..
        } = self.imported(wanted).await?;
        if age.is_empty() {
            self.add_of_environment(&mut age)?;
        }
        let mut keyring = Keyring::default();
        keyring.age = age;
        keyring.pgp = pgp;
        if let Some(tokens) = self.vault_tokens(wanted, vault_token).await? {
            let transit = Transit::new(self.operator.vault.clone(), tokens);
            keyring = keyring.with(KeyType::Vault, Arc::new(transit));
        }
        Ok(Decryptor::new(keyring))
    }

    async fn imported(&self, wanted: &Decryption) -> Result<Imported, String> {
        let operator = self.operator;
        if let Some(reference) = &wanted.secret_ref {
            let key = ObjectKey::new(self.key.namespace(), &reference.name);
            let secret = self.secret(&key, "decryption Secret").await?;
            return import::import(entries(&secret), &key.to_string())
                .map_err(|error| chain(&error));
        }
        match &operator.age_secret {
            Some(name) => {
                let key = ObjectKey::new(&operator.namespace, name);
                let secret = self.secret(&key, "SOPS age decryption Secret").await?;
                import::import_age(entries(&secret), &key.to_string())
                    .map_err(|error| chain(&error))
            }
            None => Ok(Imported::default()),
        }
    }

    async fn secret(&self, key: &ObjectKey, what: &str) -> Result<SecretData, String> {
        let found = self.secrets.get(key.namespace(), key.name()).await;
        found.map_err(|error| match error {
            SecretError::NotFound { .. } => format!("secrets \"{}\" not found", key.name()),
            error => format!("cannot get sops {what} '{key}': {}", chain(&error)),
        })
    }

    /// The keys that the process itself was given.
    fn add_of_environment(
        &self,
        age: &mut sluice_sops::keys::age::Identities,
    ) -> Result<(), String> {
        let operator = self.operator;
        if let Some(key) = &operator.age_key {
            age.import(key.expose())
                .map_err(|error| format!("SOPS_AGE_KEY: {}", chain(&error)))?;
        }
        if let Some(path) = &operator.age_key_file {
            let text = sluice_system::fs::read_to_string(path)
                .map_err(|error| format!("SOPS_AGE_KEY_FILE: {}", chain(&error)))?;
            let text = Sensitive::new(text);
            age.import(text.expose())
                .map_err(|error| format!("SOPS_AGE_KEY_FILE: {}", chain(&error)))?;
        }
        Ok(())
    }

    async fn vault_tokens(
        &self,
        wanted: &Decryption,
        imported: Option<Sensitive<String>>,
    ) -> Result<Option<Arc<dyn TokenSource>>, String> {
        let operator = self.operator;
        if let Some(token) = imported {
            return Ok(Some(Arc::new(StaticToken(token))));
        }
        if let Some(name) = &operator.vault_config {
            let key = ObjectKey::new(&operator.namespace, name);
            let config = self.secrets.config(key.namespace(), key.name()).await;
            let config = config.map_err(|error| {
                format!("failed to get Vault ConfigMap '{key}': {}", chain(&error))
            })?;
            let text = config.data.get(CONFIG_KEY).map(String::as_str);
            let paths = LoginPaths::parse(text.unwrap_or_default(), key.to_string())
                .map_err(|error| chain(&error))?;
            let own = wanted.service_account_name.clone();
            let account = Account {
                clusters: self.clusters.clone(),
                key: self.key.clone(),
                name: own
                    .filter(|name| !name.is_empty())
                    .or_else(|| operator.default_account.clone()),
            };
            let login = Login::new(operator.vault.clone(), paths, Arc::new(account));
            return Ok(Some(Arc::new(login)));
        }
        let own = operator.vault_token.clone();
        Ok(own.map(|token| Arc::new(StaticToken(token)) as Arc<dyn TokenSource>))
    }
}

fn entries(secret: &SecretData) -> impl Iterator<Item = (&str, &[u8])> {
    secret
        .names()
        .map(|name| (name, secret.entry(name).unwrap_or_default()))
}

/// The service account that logs in.
struct Account {
    clusters: Clusters,
    key: ObjectKey,
    name: Option<String>,
}

#[async_trait]
impl Identity for Account {
    async fn token(&self, audience: &str) -> Result<Sensitive<String>, KeyError> {
        let asker = Asker {
            kind: "Kustomization",
            key: &self.key,
        };
        let token = self
            .clusters
            .token(asker, self.name.as_deref(), audience, DECRYPT_WITH_VAULT)
            .await
            .map_err(|error| KeyError::new(error.to_string()))?;
        Ok(token.expose().into())
    }
}

/// A tree of a build, as the search for encrypted files sees it.
struct Tree<'t>(&'t dyn Fs);

impl SourceTree for Tree<'_> {
    fn entry(&self, path: &Path) -> Result<Option<Entry>, TreeError> {
        let kind = self
            .0
            .kind(path)
            .map_err(|error| TreeError(error.to_string()))?;
        Ok(kind.map(|kind| match kind {
            EntryKind::File => Entry::File,
            EntryKind::Directory => Entry::Directory,
            EntryKind::Other => Entry::Other,
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

/// Decrypts the files that a build of a folder reads, and lays them over the tree; what was
/// encrypted in them is hidden from then on. Blocks; the turn is given back while a key service
/// is waited for.
pub(super) fn open_sources<'t>(
    decryptor: &Decryptor,
    turn: Option<&Turn>,
    tree: &'t dyn Fs,
    generated: &Generated,
    directory: &Path,
    hidden: &mut SecretValues,
) -> Result<OverlayFs<'t>, String> {
    let with_file = OverlayFs::new(tree).with(generated.path.clone(), generated.manifest.clone());
    let search = Tree(&with_file);
    let searching = decryptor.decrypt_sources(&search, directory);
    let files: Vec<DecryptedFile> = block_on(turn, searching)
        .map_err(|error| format!("error decrypting sources: {}", chain(&error)))?;
    for file in &files {
        let before = with_file.read(&file.path, MAX_FILE).unwrap_or_default();
        hide(hidden, &before, file.content.expose());
    }
    Ok(files.into_iter().fold(OverlayFs::new(tree), |tree, file| {
        tree.with(file.path, file.content.expose().clone())
    }))
}

/// Hides what was encrypted in a file: of each document its values, or, if it is none, all of it.
fn hide(hidden: &mut SecretValues, before: &[u8], after: &[u8]) {
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

/// Hides the values of a document that were encrypted before. What has no counterpart was inside
/// of something that was: a file that was encrypted whole.
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

/// Documents whose keys are asked for at a time: a key service is far away.
const AT_ONCE: usize = 16;

/// Decrypts what is encrypted of the objects of a build. What was encrypted in others than
/// Secrets, which everybody handles as such, is hidden from then on. Blocks; the turn is given
/// back while a key service is waited for.
pub(super) fn open_objects(
    decryptor: &Decryptor,
    turn: Option<&Turn>,
    objects: Vec<Object>,
    hidden: &mut SecretValues,
) -> Result<Vec<Object>, String> {
    let opening = objects.into_iter().map(|object| open(decryptor, object));
    let opened = stream::iter(opening).buffered(AT_ONCE).try_collect();
    let opened: Vec<Opened> = block_on(turn, opened)?;
    let shown = opened.into_iter().map(|Opened { object, before }| {
        if let Some(before) = before {
            hide_values(hidden, &before, &object.to_value());
        }
        object
    });
    Ok(shown.collect())
}

/// Does work that may have to wait, as a build that has a turn or as one that needs none.
fn block_on<F: Future>(turn: Option<&Turn>, work: F) -> F::Output {
    match turn {
        Some(turn) => turn.block_on(work),
        None => tokio::runtime::Handle::current().block_on(work),
    }
}

/// An object that is as it was before somebody encrypted it.
struct Opened {
    object: Object,
    /// What it looked like encrypted, if what was encrypted is to be hidden.
    before: Option<Value>,
}

async fn open(decryptor: &Decryptor, mut object: Object) -> Result<Opened, String> {
    let kind = sluice_kustomize::flux::kind_of(&object);
    let name = object.name().to_owned();
    let failed = |reason: String| format!("decryption failed for '{kind}/{name}': {reason}");
    let is_hidden = !object.is("", "Secret") && sluice_sops::is_encrypted_object(object.as_map());
    let before = is_hidden.then(|| object.to_value());
    let is_changed = decryptor
        .decrypt_object(object.as_map_mut())
        .await
        .map_err(|error| failed(chain(&error)))?;
    if !is_changed {
        return Ok(Opened {
            object,
            before: None,
        });
    }
    let object =
        Object::try_from(object.into_value()).map_err(|error| failed(error.to_string()))?;
    Ok(Opened { object, before })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use sluice_api::gaps::{DECRYPTION_KEYS, When};
    use sluice_sops::DataKey;
    use sluice_sops::keys::KeyService;
    use sluice_sops::{MasterKey, Recipient};
    use tokio::sync::Barrier;

    use super::*;

    /// Answers when it was asked for two keys.
    struct Pair(Barrier);

    #[async_trait]
    impl KeyService for Pair {
        async fn unwrap(&self, _: &MasterKey) -> Result<DataKey, KeyError> {
            self.0.wait().await;
            Err(KeyError::new("asked for both"))
        }

        async fn wrap(&self, _: &Recipient, _: &DataKey) -> Result<String, KeyError> {
            Err(KeyError::new("it only unwraps"))
        }
    }

    #[test]
    fn whatever_was_encrypted_in_a_file_is_hidden() {
        let encrypted = "ENC[AES256_GCM,data:YQ==,iv:YQ==,tag:YQ==,type:str]";
        let two = format!("plain: shown\n---\ndata:\n- {encrypted}\n");
        let whole = format!("{{\"data\": \"{encrypted}\", \"sops\": {{}}}}");
        for (before, after) in [
            (
                format!("a: {encrypted}\nplain: shown\n"),
                "a: canary-1\nplain: shown\n",
            ),
            (two, "plain: shown\n---\ndata:\n- canary-1\n"),
            // Encrypted as no document at all, whatever it is.
            (whole.clone(), "spec:\n  password: canary-1\n"),
            (whole.clone(), "data: canary-1\n"),
            (whole.clone(), "- canary-1\n"),
            (whole.clone(), "a: 1\n---\nb: canary-1\n"),
            (whole, "{canary-1"),
        ] {
            let mut hidden = SecretValues::default();
            hide(&mut hidden, before.as_bytes(), after.as_bytes());
            let told = hidden.mask("map[a:canary-1 b:shown]".to_owned());
            assert_eq!(told, "map[a:*** b:shown]", "{after}");
        }
    }

    #[tokio::test]
    async fn the_keys_of_several_objects_are_asked_for_side_by_side() {
        let service = Arc::new(Pair(Barrier::new(2)));
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
            Object::try_from(Value::from(object)).unwrap()
        };
        let objects = vec![object("one"), object("two")];
        let work = move || open_objects(&decryptor, None, objects, &mut SecretValues::default());
        let opened = tokio::task::spawn_blocking(work).await.unwrap();
        let said = opened.unwrap_err();
        assert!(said.contains("/one'"), "{said}");
        assert!(said.contains("asked for both"), "{said}");
    }

    #[tokio::test]
    async fn the_table_of_what_is_not_served_has_the_entries_of_the_keys_that_are_not() {
        let text = String::new;
        let aws = Recipient::AwsKms {
            arn: text(),
            role: text(),
            context: Vec::new(),
            profile: text(),
        };
        let azure = Recipient::AzureKeyVault {
            vault_url: text(),
            name: text(),
            version: text(),
        };
        let gcp = Recipient::GcpKms {
            resource_id: text(),
        };
        let mut refused = Vec::new();
        for (entry, recipient) in [
            ("sops.aws-kms", aws),
            ("sops.azure-kv", azure),
            ("sops.gcp-kms", gcp),
        ] {
            let key = MasterKey {
                recipient,
                wrapped: text(),
                created_at: None,
            };
            let error = Keyring::default().unwrap(&key).await.unwrap_err();
            if error.to_string().contains("not served yet") {
                refused.push(entry);
            }
        }
        let When::SecretWith(entries) = DECRYPTION_KEYS.when else {
            panic!("{DECRYPTION_KEYS:?}");
        };
        assert_eq!(entries, refused);
    }
}
