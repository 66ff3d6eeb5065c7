//! Metadata of The Update Framework: which `trusted_root.json` a Sigstore instance publishes.
//!
//! Each file is signed by enough keys of its role. The root file has the keys. A new root is also
//! signed by the keys of the last one. Versions never go back. The caller fetches the files
//! that [`Repository`] names, in order, and says the time.
//!
//! Parity: go-tuf v2: `metadata/trustedmetadata`. Only keys of ECDSA and Ed25519 are supported, as
//! the public instance has no others.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use rustls_pki_types::pem::{PemObject as _, SectionKind};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::key::{Hash, PublicKey, sha256};

/// The root file of the public instance that updates begin with:
/// `metadata/root_history/15.root.json` of the repository `sigstore/root-signing`.
pub const PUBLIC_METADATA: &[u8] = include_bytes!("public_metadata.json");
/// The versions of the other files of the public instance at that time: timestamp, snapshot,
/// targets.
const PUBLIC_VERSIONS: [i64; 3] = [762, 165, 14];
/// The roles that sign the versions of others.
const VERSION_ROLES: [&str; 2] = ["timestamp", "snapshot"];
/// Maximum size of a file.
pub const MAX_METADATA_BYTES: usize = 1 << 20;
/// The file that an update is about.
const TARGET: &str = "trusted_root.json";
/// The bytes before the 32 of an Ed25519 key in its `SubjectPublicKeyInfo`.
const ED25519_PREFIX: &[u8] = b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00";
/// Maximum number of signatures of a file.
const MAX_SIGNATURES: usize = 64;

/// Metadata is refused. The message names the file and the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{role}: {why}")]
pub struct InvalidMetadata {
    role: &'static str,
    why: String,
}

/// A file to fetch, with its expected length and hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetFile {
    /// The path below the mirror.
    pub path: String,
    length: usize,
    sha256: Vec<u8>,
}

/// The trusted state of a repository.
#[derive(Debug, Clone)]
pub struct Repository {
    root: Root,
    timestamp: i64,
    snapshot: Meta,
    targets: Meta,
}

#[derive(Debug, Clone, Deserialize)]
struct Root {
    version: i64,
    expires: Timestamp,
    keys: BTreeMap<String, Key>,
    roles: BTreeMap<String, Role>,
}

#[derive(Debug, Clone, Deserialize)]
struct Key {
    keytype: String,
    keyval: KeyValue,
}

#[derive(Debug, Clone, Deserialize)]
struct KeyValue {
    public: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Role {
    keyids: BTreeSet<String>,
    threshold: usize,
}

/// A timestamp or a snapshot.
#[derive(Deserialize)]
struct Versions {
    version: i64,
    expires: Timestamp,
    meta: BTreeMap<String, Meta>,
}

/// The properties that a file must have.
#[derive(Debug, Clone, Default, Deserialize)]
struct Meta {
    version: i64,
    #[serde(default)]
    length: usize,
    #[serde(default)]
    hashes: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct TargetsMetadata {
    version: i64,
    expires: Timestamp,
    targets: BTreeMap<String, Target>,
}

#[derive(Deserialize)]
struct Target {
    length: usize,
    hashes: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Envelope {
    signatures: Vec<Signature>,
    signed: Value,
}

#[derive(Deserialize)]
struct Signature {
    keyid: String,
    sig: String,
}

impl Repository {
    /// Begins with the files of the public instance that this version knows. No older ones follow.
    pub fn public() -> Result<Self, InvalidMetadata> {
        let [timestamp, snapshot, targets] = PUBLIC_VERSIONS;
        Ok(Self {
            timestamp,
            snapshot: Meta::of(snapshot),
            targets: Meta::of(targets),
            ..Self::begin(PUBLIC_METADATA)?
        })
    }

    /// Begins with a trusted root file. It may have expired, because a newer one follows.
    pub fn begin(root: &[u8]) -> Result<Self, InvalidMetadata> {
        let envelope = Envelope::parse("root", root)?;
        let parsed: Root = envelope.signed("root")?;
        parsed.check("root", &envelope)?;
        Ok(Self {
            root: parsed,
            timestamp: 0,
            snapshot: Meta::default(),
            targets: Meta::default(),
        })
    }

    /// The path of the next root file. Without one, the current root is the newest.
    pub fn next_root(&self) -> String {
        format!("{}.root.json", self.root.version.saturating_add(1))
    }

    /// Takes the next root file.
    pub fn update_root(&mut self, json: &[u8]) -> Result<(), InvalidMetadata> {
        let envelope = Envelope::parse("root", json)?;
        let next: Root = envelope.signed("root")?;
        self.root.check("root", &envelope)?;
        next.check("root", &envelope)?;
        if Some(next.version) != self.root.version.checked_add(1) {
            return Err(refused("root", "it is not the next version"));
        }
        let roles = |root: &Root| VERSION_ROLES.map(|role| root.roles.get(role).cloned());
        if roles(&self.root) != roles(&next) {
            // An owner of the old keys may have signed a version that nothing can follow.
            self.timestamp = 0;
            (self.snapshot, self.targets) = (Meta::default(), Meta::default());
        }
        self.root = next;
        Ok(())
    }

    /// Takes the timestamp, after the newest root. Returns the path of the snapshot.
    pub fn update_timestamp(
        &mut self,
        json: &[u8],
        now: Timestamp,
    ) -> Result<String, InvalidMetadata> {
        check_time("root", self.root.expires, now)?;
        let next: Versions = self.verified("timestamp", json)?;
        check_time("timestamp", next.expires, now)?;
        let snapshot = next.meta_of("timestamp", "snapshot.json")?;
        if next.version < self.timestamp || snapshot.version < self.snapshot.version {
            return Err(refused("timestamp", "it is older than the last one"));
        }
        let path = format!("{}.snapshot.json", snapshot.version);
        (self.timestamp, self.snapshot) = (next.version, snapshot);
        Ok(path)
    }

    /// Takes the snapshot, after its timestamp. Returns the path of the targets.
    pub fn update_snapshot(
        &mut self,
        json: &[u8],
        now: Timestamp,
    ) -> Result<String, InvalidMetadata> {
        self.snapshot.check("snapshot", json)?;
        let next: Versions = self.verified("snapshot", json)?;
        check_time("snapshot", next.expires, now)?;
        let targets = next.meta_of("snapshot", "targets.json")?;
        if next.version != self.snapshot.version {
            return Err(refused(
                "snapshot",
                "it is not the version of the timestamp",
            ));
        }
        if targets.version < self.targets.version {
            return Err(refused("snapshot", "it is older than the last one"));
        }
        let path = format!("{}.targets.json", targets.version);
        self.targets = targets;
        Ok(path)
    }

    /// Takes the targets, after their snapshot. Returns the file with the trusted root.
    pub fn update_targets(
        &self,
        json: &[u8],
        now: Timestamp,
    ) -> Result<TargetFile, InvalidMetadata> {
        self.targets.check("targets", json)?;
        let next: TargetsMetadata = self.verified("targets", json)?;
        check_time("targets", next.expires, now)?;
        if next.version != self.targets.version {
            return Err(refused("targets", "it is not the version of the snapshot"));
        }
        let target = next.targets.get(TARGET);
        let target = target.ok_or_else(|| refused("targets", "it has no trusted_root.json"))?;
        let hash = target.hashes.get("sha256");
        let hash = hash.filter(|hash| hash.len() == 64);
        let hash = hash.and_then(|hash| Some((hash, hex::decode(hash).ok()?)));
        let (text, hash) = hash.ok_or_else(|| refused("targets", "a file has no SHA-256"))?;
        Ok(TargetFile {
            path: format!("targets/{text}.{TARGET}"),
            length: target.length,
            sha256: hash,
        })
    }

    fn verified<T: DeserializeOwned>(
        &self,
        role: &'static str,
        json: &[u8],
    ) -> Result<T, InvalidMetadata> {
        let envelope = Envelope::parse(role, json)?;
        self.root.check(role, &envelope)?;
        envelope.signed(role)
    }
}

impl TargetFile {
    /// Whether these bytes are the file.
    pub fn matches(&self, bytes: &[u8]) -> bool {
        bytes.len() == self.length && sha256(bytes) == *self.sha256
    }
}

impl Versions {
    fn meta_of(&self, role: &'static str, file: &str) -> Result<Meta, InvalidMetadata> {
        let meta = self.meta.get(file).cloned();
        meta.ok_or_else(|| refused(role, format!("it does not name {file}")))
    }
}

impl Meta {
    fn of(version: i64) -> Self {
        Self {
            version,
            ..Self::default()
        }
    }

    /// Checks the length and the hashes of a file, as far as they are named.
    fn check(&self, role: &'static str, bytes: &[u8]) -> Result<(), InvalidMetadata> {
        if self.length != 0 && self.length != bytes.len() {
            return Err(refused(
                role,
                "it has another length than its metadata says",
            ));
        }
        for (algorithm, expected) in &self.hashes {
            let hash = match &**algorithm {
                "sha256" => Hash::Sha256,
                "sha512" => Hash::Sha512,
                _ => return Err(refused(role, "its hash is of an unknown algorithm")),
            };
            if hex::decode(expected).ok() != Some(hash.of(bytes)) {
                return Err(refused(role, "it has another hash than its metadata says"));
            }
        }
        Ok(())
    }
}

impl Root {
    /// Checks that enough keys of a role signed a file.
    fn check(&self, role: &'static str, envelope: &Envelope) -> Result<(), InvalidMetadata> {
        let rule = self.roles.get(role);
        let rule = rule.ok_or_else(|| refused(role, "the root does not name this role"))?;
        let signed = canonical(&envelope.signed).ok_or_else(|| unreadable(role))?;
        let mut signers = BTreeSet::new();
        for signature in envelope.signatures.iter().take(MAX_SIGNATURES) {
            let id = &signature.keyid;
            if !rule.keyids.contains(id) || signers.contains(id) {
                continue;
            }
            let key = self.keys.get(id).and_then(Key::parse);
            let bytes = hex::decode(&signature.sig).ok();
            if let (Some(key), Some(bytes)) = (key, bytes)
                && key.verify(key.hash(), &signed, &bytes)
            {
                signers.insert(id);
            }
        }
        if rule.threshold == 0 || signers.len() < rule.threshold {
            let (count, threshold) = (signers.len(), rule.threshold);
            let why = format!("it has {count} of {threshold} signatures");
            return Err(refused(role, why));
        }
        Ok(())
    }
}

impl Key {
    fn parse(&self) -> Option<PublicKey> {
        let text = &self.keyval.public;
        match &*self.keytype {
            "ecdsa" | "ecdsa-sha2-nistp256" => {
                let mut blocks = <(SectionKind, Vec<u8>)>::pem_slice_iter(text.as_bytes());
                let (kind, der) = blocks.next()?.ok()?;
                matches!(kind, SectionKind::PublicKey).then(|| PublicKey::from_spki(&der))?
            }
            "ed25519" => {
                let bytes = hex::decode(text).ok().filter(|bytes| bytes.len() == 32)?;
                PublicKey::from_spki(&[ED25519_PREFIX, &bytes].concat())
            }
            _ => None,
        }
    }
}

impl Envelope {
    fn parse(role: &'static str, json: &[u8]) -> Result<Self, InvalidMetadata> {
        if json.len() > MAX_METADATA_BYTES {
            return Err(refused(role, "it is too large"));
        }
        serde_json::from_slice(json).map_err(|_| unreadable(role))
    }

    /// The signed part, of this role.
    fn signed<T: DeserializeOwned>(&self, role: &'static str) -> Result<T, InvalidMetadata> {
        if self.signed.get("_type").and_then(Value::as_str) != Some(role) {
            return Err(refused(role, "it is of another role"));
        }
        T::deserialize(&self.signed).map_err(|_| unreadable(role))
    }
}

fn refused(role: &'static str, why: impl Into<String>) -> InvalidMetadata {
    InvalidMetadata {
        role,
        why: why.into(),
    }
}

fn unreadable(role: &'static str) -> InvalidMetadata {
    refused(role, "it cannot be read")
}

fn check_time(
    role: &'static str,
    expires: Timestamp,
    now: Timestamp,
) -> Result<(), InvalidMetadata> {
    if now < expires {
        Ok(())
    } else {
        Err(refused(role, format!("it expired at {expires}")))
    }
}

/// Writes the canonical JSON that signatures cover: sorted keys, no spaces, and only quotes and
/// backslashes escaped. Returns `None` for a number that is not whole.
fn canonical(value: &Value) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    write(value, &mut out)?;
    Some(out)
}

fn write(value: &Value, out: &mut Vec<u8>) -> Option<()> {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(value) => out.extend_from_slice(value.to_string().as_bytes()),
        Value::Number(number) if number.is_f64() => return None,
        Value::Number(number) => out.extend_from_slice(number.to_string().as_bytes()),
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write(item, out)?;
            }
            out.push(b']');
        }
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort();
            out.push(b'{');
            for (index, name) in names.into_iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_text(name, out);
                out.push(b':');
                write(fields.get(name)?, out)?;
            }
            out.push(b'}');
        }
    }
    Some(())
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in text.bytes() {
        if matches!(byte, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests;
