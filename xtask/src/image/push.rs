//! Pushes the images of a layout to a registry and signs them as cosign does with a key.
//!
//! Each image has a repository of its name. A signature in cosign's simple signing format is a
//! statement about the digest. It is stored under the tag `sha256-<digest>.sig`, where `cosign
//! verify --key` and `verify` of a source find it.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use serde_json::{Value, json};
use sluice_dial::HttpClients;
use sluice_oci::client::Source;
use sluice_oci::{Client, Digest, Keychain, Login, Remote, Repository, Version};

use super::{CONFIG, MANIFEST};
use crate::signature::Signer;

/// The media type of the statement.
const PAYLOAD: &str = "application/vnd.dev.cosign.simplesigning.v1+json";
/// The annotation with the signature.
const SIGNATURE: &str = "dev.cosignproject.cosign/signature";

/// The destination.
pub(crate) struct Destination<'a> {
    pub(crate) registry: &'a str,
    pub(crate) tag: &'a str,
    pub(crate) creds: Option<&'a str>,
    pub(crate) plain: bool,
}

/// Pushes every image of a layout and returns their names by digest.
pub(crate) fn run(
    layout: &[u8],
    way: &Destination<'_>,
    signer: Option<&Signer>,
) -> anyhow::Result<Vec<String>> {
    // A second installation fails, and the first one stays.
    drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(push(layout, way, signer))
}

async fn push(
    layout: &[u8],
    way: &Destination<'_>,
    signer: Option<&Signer>,
) -> anyhow::Result<Vec<String>> {
    let client = Client::new(Arc::new(HttpClients::new("sluice/xtask")));
    let keychain = keychain()?;
    let mut files = files(layout)?;
    let index: Value = files
        .remove("index.json")
        .context("the layout has no index.json")
        .and_then(|bytes| Ok(serde_json::from_slice(&bytes)?))?;
    let mut pushed = Vec::new();
    for entry in index["manifests"].as_array().into_iter().flatten() {
        let name = entry["annotations"]["io.containerd.image.name"]
            .as_str()
            .and_then(|full| full.strip_prefix(way.registry)?.strip_prefix('/'))
            .and_then(|rest| rest.split_once(':'))
            .with_context(|| format!("an image of the layout is not below {}", way.registry))?
            .0;
        let repository = Repository::parse(&format!("{}/{name}", way.registry))?;
        let remote = Remote {
            login: match way.creds {
                Some(creds) => Login::from_credentials(creds)
                    .ok()
                    .context("--creds must be USER:PASSWORD or a token")?,
                None => keychain.resolve(&repository),
            },
            plain: way.plain,
            ..Remote::anonymous(repository)
        };
        let digest = image(&client, &remote, &files, entry, way.tag)
            .await
            .with_context(|| format!("push {}", remote.repository))?;
        if let Some(signer) = signer {
            sign(&client, &remote, &digest, signer)
                .await
                .with_context(|| format!("sign {}", remote.repository))?;
        }
        pushed.push(remote.repository.digest(digest).to_string());
    }
    Ok(pushed)
}

/// Path of Docker's credentials.
fn keychain() -> anyhow::Result<Keychain> {
    let mut keychain = Keychain::default();
    let folder = std::env::var_os("DOCKER_CONFIG")
        .map(std::path::PathBuf::from)
        .or_else(|| Some(std::path::PathBuf::from(std::env::var_os("HOME")?).join(".docker")));
    if let Some(path) = folder.map(|folder| folder.join("config.json"))
        && let Ok(json) = std::fs::read(&path)
    {
        keychain
            .add_config(&json)
            .with_context(|| format!("read {}", path.display()))?;
    }
    Ok(keychain)
}

fn files(layout: &[u8]) -> anyhow::Result<BTreeMap<String, Bytes>> {
    let mut files = BTreeMap::new();
    for entry in tar::Archive::new(layout).entries()? {
        let mut entry = entry?;
        let path = entry.path()?.display().to_string();
        let mut content = Vec::new();
        entry.read_to_end(&mut content)?;
        files.insert(path, Bytes::from(content));
    }
    Ok(files)
}

/// Returns the file that a descriptor names.
fn blob(files: &BTreeMap<String, Bytes>, descriptor: &Value) -> anyhow::Result<Bytes> {
    let digest = descriptor["digest"].as_str().unwrap_or_default();
    let path = format!("blobs/{}", digest.replacen(':', "/", 1));
    match files.get(&path) {
        Some(content) => Ok(content.clone()),
        None => bail!("the layout names {digest} and does not hold it"),
    }
}

/// Pushes one image: blobs first, the tag last.
async fn image(
    client: &Client,
    remote: &Remote,
    files: &BTreeMap<String, Bytes>,
    entry: &Value,
    tag: &str,
) -> anyhow::Result<Digest> {
    let manifest = blob(files, entry)?;
    let parsed: Value = serde_json::from_slice(&manifest)?;
    let layers = parsed["layers"].as_array().into_iter().flatten();
    for descriptor in layers.chain([&parsed["config"]]) {
        let content = blob(files, descriptor)?;
        let digest = Digest::of(&content);
        client
            .push_blob(remote, &digest, &Source::Bytes(content))
            .await?;
    }
    let digest = Digest::of(&manifest);
    client
        .push_manifest(remote, &Version::Tag(tag.to_owned()), MANIFEST, manifest)
        .await?;
    Ok(digest)
}

/// Pushes the signature of a digest.
async fn sign(
    client: &Client,
    remote: &Remote,
    digest: &Digest,
    signer: &Signer,
) -> anyhow::Result<()> {
    let payload = Bytes::from(serde_json::to_vec(&json!({
        "critical": {
            "identity": { "docker-reference": remote.repository.to_string() },
            "image": { "docker-manifest-digest": digest.to_string() },
            "type": "cosign container image signature",
        },
        "optional": null,
    }))?);
    let signature = BASE64_STANDARD.encode(signer.sign(&payload)?);
    let payload_digest = Digest::of(&payload);
    let config = Bytes::from(serde_json::to_vec(&json!({
        "architecture": "",
        "os": "",
        "config": {},
        "rootfs": { "type": "layers", "diff_ids": [payload_digest.to_string()] },
    }))?);
    let manifest = serde_json::to_vec(&json!({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": {
            "mediaType": CONFIG,
            "digest": Digest::of(&config).to_string(),
            "size": config.len(),
        },
        "layers": [{
            "mediaType": PAYLOAD,
            "digest": payload_digest.to_string(),
            "size": payload.len(),
            "annotations": { SIGNATURE: signature },
        }],
    }))?;
    for content in [payload, config] {
        let digest = Digest::of(&content);
        client
            .push_blob(remote, &digest, &Source::Bytes(content))
            .await?;
    }
    let tag = Version::Tag(format!("{}-{}.sig", digest.algorithm(), digest.hex()));
    client
        .push_manifest(remote, &tag, MANIFEST, manifest.into())
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::input;
    use super::super::{Input, layout};
    use super::*;
    use crate::signature::tests::throw_away;
    use sluice_attest::sigstore::{KeyVerifier, LegacySignature, PublicKey};
    use sluice_oci::Digest;
    use sluice_oci::cosign::{Attachment, Judge, Refusal, TaggedSignature, verify};
    use sluice_system::budget::Budget;
    use sluice_testkit::{Registry, RegistryOptions};

    fn remote(host: &str, name: &str, login: Login) -> Remote {
        Remote {
            login,
            plain: true,
            ..Remote::anonymous(Repository::parse(&format!("{host}/sluice/{name}")).unwrap())
        }
    }

    /// Accepts signatures of a key under the older tag.
    struct Key(KeyVerifier);

    impl Key {
        fn new(signer: &Signer) -> Self {
            let pem = signer.public_key().unwrap();
            let key = PublicKey::from_pem(pem.as_bytes()).unwrap();
            Self(KeyVerifier::new(vec![key]))
        }
    }

    impl Judge for Key {
        async fn judge(&self, attachment: Attachment, digest: &Digest) -> Result<(), Refusal> {
            let Attachment::Tagged(tagged) = attachment else {
                return Err(Refusal::Unreadable("a bundle".to_owned()));
            };
            let signature = LegacySignature {
                payload: &tagged.payload,
                signature: tagged.annotation(TaggedSignature::SIGNATURE),
                certificate: "",
                bundle: "",
            };
            let verified = self
                .0
                .verify_legacy(signature, digest, &Budget::new(1 << 20, 1 << 20));
            verified.map_err(|refusal| Refusal::Invalid(refusal.to_string()))
        }
    }

    #[tokio::test]
    async fn pushed_images_verify_with_signing_key() {
        let registry = Registry::start_with(RegistryOptions {
            basic: true,
            ..RegistryOptions::default()
        })
        .await;
        let below = format!("{}/sluice", registry.host());
        let creds = format!("{}:{}", Registry::USER, Registry::PASSWORD);
        let layout = layout(&Input {
            registry: &below,
            ..input(true)
        })
        .unwrap();
        let signer = Signer::from_pem(&throw_away()).unwrap();
        let way = Destination {
            registry: &below,
            tag: "v1",
            creds: Some(&creds),
            plain: true,
        };
        drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
        let pushed = push(&layout, &way, Some(&signer)).await.unwrap();
        assert_eq!(pushed, push(&layout, &way, Some(&signer)).await.unwrap());

        let client = Client::new(Arc::new(HttpClients::new("test")));
        let stranger = Signer::from_pem(&throw_away()).unwrap();
        for (name, pushed) in super::super::names().zip(&pushed) {
            let login = Login::from_credentials(&creds).unwrap();
            let remote = remote(registry.host(), name, login);
            let digest = client
                .resolve(&remote, &Version::Tag("v1".to_owned()))
                .await
                .unwrap();
            assert_eq!(*pushed, format!("{below}/{name}@{digest}"));
            client.manifest(&remote, &digest).await.unwrap();
            let budget = Budget::new(0, 1 << 20);
            verify(&client, &remote, &digest, &Key::new(&signer), &budget)
                .await
                .unwrap();
            verify(&client, &remote, &digest, &Key::new(&stranger), &budget)
                .await
                .unwrap_err();
        }
    }

    #[tokio::test]
    async fn rejection_names_image_without_password() {
        let registry = Registry::start_with(RegistryOptions {
            basic: true,
            ..RegistryOptions::default()
        })
        .await;
        let below = format!("{}/sluice", registry.host());
        let layout = layout(&Input {
            registry: &below,
            ..input(true)
        })
        .unwrap();
        drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
        let way = Destination {
            registry: &below,
            tag: "v1",
            creds: Some("sluice:wrong-password"),
            plain: true,
        };
        let error = push(&layout, &way, None).await.unwrap_err();
        let error = format!("{error:#}");
        assert!(
            error.starts_with(&format!("push {below}/sluice: ")),
            "{error}"
        );
        assert!(!error.contains("wrong-password"), "{error}");
    }
}
