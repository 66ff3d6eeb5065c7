//! Caches build results by the digest of their inputs.
//!
//! A build depends on its archive and on the spec. Builds with remote bases are not cached, since a
//! remote can change between runs. Builds with decrypted or Secret values are not cached either, so
//! that no secret stays in memory. Start at [`BuildCache::build`].

use std::io::{Read, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use sluice_apply::SecretValues;
use sluice_artifact::cache::{BoundedCache, CacheBounds};
use sluice_digest::{Algorithm, Digest};
use sluice_object::Object;
use sluice_render::{Node, RenderedNode};

use super::build::BuildError;

/// Size of an entry beside its manifests.
const ENTRY_OVERHEAD_BYTES: usize = 256;

/// Digest of all inputs of a build.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct CacheKey(Digest);

impl CacheKey {
    /// Computes the key of a build; `None` if the build must not be cached.
    fn of(archive: &Digest, node: &Node) -> Option<Self> {
        if node.decryptor.is_some() || !node.hidden.is_empty() {
            return None;
        }
        let variables = match &node.variables {
            None => None,
            Some(Ok(variables)) => Some(variables.iter().collect::<Vec<_>>()),
            Some(Err(_)) => return None,
        };
        let read = (
            archive.to_string(),
            &node.directory,
            &node.spec,
            variables,
            (node.substitution.strict, node.substitution.always),
        );
        let text = serde_json::to_vec(&read).ok()?;
        Some(Self(Algorithm::Sha256.digest(&text)))
    }
}

/// Build results by key, compressed because most entries are never read again.
#[derive(Debug)]
pub(super) struct BuildCache(Mutex<BoundedCache<CacheKey, Entry>>);

#[derive(Debug, Clone)]
struct Entry {
    packed: Vec<u8>,
    digest: String,
}

impl BuildCache {
    pub(super) fn within(bounds: CacheBounds) -> Self {
        Self(Mutex::new(BoundedCache::new(bounds)))
    }

    /// Returns the cached result, or builds and caches it. `asked_elsewhere` is called after the
    /// build; a build that used a remote base is not cached. Blocks.
    pub(super) fn build(
        &self,
        archive: &Digest,
        node: Node,
        build: impl FnOnce(Node) -> Result<RenderedNode, BuildError>,
        used_remotes: impl FnOnce() -> bool,
    ) -> Result<RenderedNode, BuildError> {
        let Some(key) = CacheKey::of(archive, &node) else {
            return build(node);
        };
        let found = self.lock().get(&key).cloned();
        if let Some(built) = found.and_then(|entry| entry.unpack()) {
            return Ok(built);
        }
        let built = build(node)?;
        if !used_remotes()
            && let Some(entry) = Entry::pack(&built)
        {
            let bytes = entry.packed.len() + ENTRY_OVERHEAD_BYTES;
            self.lock().put(key, entry, bytes as u64);
        }
        Ok(built)
    }

    fn lock(&self) -> MutexGuard<'_, BoundedCache<CacheKey, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    /// Compresses a result, unless it would decompress to different objects.
    fn pack(built: &RenderedNode) -> Option<Self> {
        let text = serde_json::to_vec(&built.objects).ok()?;
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&text).ok()?;
        let mut packed = encoder.finish().ok()?;
        packed.shrink_to_fit();
        let digest = built.digest.clone();
        let entry = Self { packed, digest };
        // Serialization can lose the last digit of a number.
        (entry.unpack().as_ref() == Some(built)).then_some(entry)
    }

    fn unpack(&self) -> Option<RenderedNode> {
        let mut text = Vec::new();
        let mut decoder = DeflateDecoder::new(self.packed.as_slice());
        decoder.read_to_end(&mut text).ok()?;
        let objects: Vec<Object> = serde_json::from_slice(&text).ok()?;
        Some(RenderedNode {
            objects,
            digest: self.digest.clone(),
            hidden: SecretValues::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::pin::Pin;
    use std::sync::Arc;
    use std::time::Duration;

    use serde_json::{Value, json};
    use sluice_kustomize::flux::Spec;
    use sluice_kustomize::substitute;
    use sluice_render::{RenderError, Waiter};
    use sluice_sops::Decryptor;
    use sluice_sops::keys::Keyring;

    use super::*;

    #[derive(Debug)]
    struct NoWaiter;

    impl Waiter for NoWaiter {
        fn wait(&self, _: Pin<&mut dyn Future<Output = ()>>) {
            unreachable!("nothing is built")
        }
    }

    fn build_cache() -> BuildCache {
        BuildCache::within(CacheBounds {
            bytes: 1 << 20,
            age: Duration::from_hours(1),
        })
    }

    fn object(value: &Value) -> Object {
        let map = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"b": value},
        });
        Object::try_from(map).unwrap()
    }

    fn built(value: &Value) -> RenderedNode {
        RenderedNode {
            objects: vec![object(value)],
            digest: format!("sha256:{value}"),
            hidden: SecretValues::default(),
        }
    }

    fn archive(content: &str) -> Digest {
        Algorithm::Sha256.digest(content.as_bytes())
    }

    /// Requests a build and returns whether the cache ran it.
    fn builds(
        build_cache: &BuildCache,
        archive: &Digest,
        node: &Node,
        outcome: &RenderedNode,
    ) -> bool {
        let has_built = Cell::new(false);
        let build = |_| {
            has_built.set(true);
            Ok(outcome.clone())
        };
        let given = build_cache.build(archive, node.clone(), build, || false);
        assert_eq!(given.unwrap(), *outcome);
        has_built.get()
    }

    fn variables(value: &str) -> Node {
        Node {
            variables: Some(Ok([("v", value)].into_iter().collect())),
            ..Node::default()
        }
    }

    #[test]
    fn build_is_cached_by_all_inputs() {
        let build_cache = build_cache();
        let path = |path: &str| Node {
            directory: path.into(),
            ..Node::default()
        };
        let overlay = |spec: Value| Node {
            spec: Spec::from_value(&spec),
            ..Node::default()
        };
        let strict = Node {
            substitution: substitute::Options {
                strict: true,
                always: false,
            },
            ..variables("1")
        };
        let always = Node {
            substitution: substitute::Options {
                strict: false,
                always: true,
            },
            ..variables("1")
        };
        let none = Node {
            variables: Some(Ok(substitute::Variables::default())),
            ..Node::default()
        };
        let recipes = [
            Node::default(),
            path("a"),
            path("b"),
            overlay(json!({"targetNamespace": "a"})),
            overlay(json!({"namePrefix": "a"})),
            overlay(json!({"nameSuffix": "a"})),
            overlay(json!({"patches": [{"patch": "a"}]})),
            overlay(json!({"images": [{"name": "a", "newTag": "b"}]})),
            overlay(json!({"components": ["a"]})),
            overlay(json!({"components": ["a"], "ignoreMissingComponents": true})),
            overlay(json!({"buildMetadata": ["originAnnotations"]})),
            none,
            variables("1"),
            variables("2"),
            strict,
            always,
        ];
        for content in ["one", "two"] {
            let archive = archive(content);
            for (index, node) in recipes.iter().enumerate() {
                let outcome = built(&json!([content, index]));
                assert!(builds(&build_cache, &archive, node, &outcome), "{node:?}");
            }
            for (index, node) in recipes.iter().enumerate() {
                let outcome = built(&json!([content, index]));
                assert!(!builds(&build_cache, &archive, node, &outcome), "{node:?}");
            }
        }
    }

    #[test]
    fn builds_with_secrets_are_not_cached() {
        let mut node = variables("canary");
        node.hidden.add("canary");
        let (build_cache, outcome) = (build_cache(), built(&json!("canary")));
        assert!(builds(&build_cache, &archive("a"), &node, &outcome));
        assert!(builds(&build_cache, &archive("a"), &node, &outcome));
        let node = Node {
            decryptor: Some((
                Arc::new(Decryptor::new(Keyring::default())),
                Arc::new(NoWaiter),
            )),
            ..Node::default()
        };
        assert!(builds(&build_cache, &archive("a"), &node, &outcome));
        assert!(builds(&build_cache, &archive("a"), &node, &outcome));
    }

    #[test]
    fn remote_and_failed_builds_are_not_cached() {
        let (build_cache, archive) = (build_cache(), archive("a"));
        let outcome = built(&json!("b"));
        for _ in 0..2 {
            let failed =
                RenderError::Build("refused".to_owned(), sluice_kustomize::Code::Io).into();
            let given = build_cache.build(&archive, Node::default(), |_| Err(failed), || false);
            assert!(given.is_err());
        }
        for _ in 0..2 {
            let build = |_| Ok(outcome.clone());
            let given = build_cache.build(&archive, Node::default(), build, || true);
            assert_eq!(given.unwrap(), outcome);
        }
        assert!(builds(&build_cache, &archive, &Node::default(), &outcome));
        assert!(!builds(&build_cache, &archive, &Node::default(), &outcome));
    }

    #[test]
    fn cached_numbers_keep_every_digit() {
        let numbers = [
            json!(-0.0),
            json!(0.1 + 0.2),
            json!(1.797_693_134_862_315_7e308),
            json!(5e-324),
            json!(8.41e21),
            json!(2.638_344_616_030_823e-256),
            json!(u64::MAX),
            json!(i64::MIN),
            json!(1.0),
        ];
        for number in numbers {
            let built = built(&number);
            if let Some(entry) = Entry::pack(&built) {
                let text = |built: &RenderedNode| serde_json::to_string(&built.objects).unwrap();
                assert_eq!(text(&entry.unpack().unwrap()), text(&built));
            }
        }
    }
}
