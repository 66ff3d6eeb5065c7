//! What was built, kept for the runs that would build the same again.
//!
//! A build is a function of its archive and of what its object says, and the digest of both says
//! whether it is the same. Refused are builds that are more than that, or that nobody should find
//! here: what came from another server may be other by the next run, and what was decrypted or
//! holds values of Secrets is made anew each time. Start at [`Memo::build`].

use std::io::{Read, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use sluice_apply::SecretValues;
use sluice_artifact::cache::{BoundedCache, CacheBounds};
use sluice_digest::{Algorithm, Digest};
use sluice_object::Object;
use sluice_render::{Node, Rendered};

use super::build::BuildError;

/// What an entry takes beside its manifests.
const OVERHEAD: usize = 256;

/// The digest of everything that a build reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Basis(Digest);

impl Basis {
    /// What a build of this archive rests on; `None` if it is not to be kept.
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

/// What was built of each basis. Kept as packed text: most of it is never asked for again.
#[derive(Debug)]
pub(super) struct Memo(Mutex<BoundedCache<Basis, Entry>>);

#[derive(Debug, Clone)]
struct Entry {
    packed: Vec<u8>,
    digest: String,
}

impl Memo {
    pub(super) fn within(bounds: CacheBounds) -> Self {
        Self(Mutex::new(BoundedCache::new(bounds)))
    }

    /// Gives what was built of the same archive by the same node, or builds it. A build that
    /// asked another server is not kept; whether it did is asked when it is done. Blocks.
    pub(super) fn build(
        &self,
        archive: &Digest,
        node: Node,
        build: impl FnOnce(Node) -> Result<Rendered, BuildError>,
        asked_elsewhere: impl FnOnce() -> bool,
    ) -> Result<Rendered, BuildError> {
        let Some(basis) = Basis::of(archive, &node) else {
            return build(node);
        };
        let found = self.kept().get(&basis).cloned();
        if let Some(built) = found.and_then(|entry| entry.unpack()) {
            return Ok(built);
        }
        let built = build(node)?;
        if !asked_elsewhere()
            && let Some(entry) = Entry::pack(&built)
        {
            let bytes = entry.packed.len() + OVERHEAD;
            self.kept().put(basis, entry, bytes as u64);
        }
        Ok(built)
    }

    fn kept(&self) -> MutexGuard<'_, BoundedCache<Basis, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    /// Packs what was built, if it comes out the same.
    fn pack(built: &Rendered) -> Option<Self> {
        let text = serde_json::to_vec(&built.objects).ok()?;
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&text).ok()?;
        let mut packed = encoder.finish().ok()?;
        packed.shrink_to_fit();
        let digest = built.digest.clone();
        let entry = Self { packed, digest };
        // A number's last digit may be lost in a text.
        (entry.unpack().as_ref() == Some(built)).then_some(entry)
    }

    fn unpack(&self) -> Option<Rendered> {
        let mut text = Vec::new();
        let mut decoder = DeflateDecoder::new(self.packed.as_slice());
        decoder.read_to_end(&mut text).ok()?;
        let objects: Vec<Object> = serde_json::from_slice(&text).ok()?;
        Some(Rendered {
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

    fn memo() -> Memo {
        Memo::within(CacheBounds {
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

    fn built(value: &Value) -> Rendered {
        Rendered {
            objects: vec![object(value)],
            digest: format!("sha256:{value}"),
            hidden: SecretValues::default(),
        }
    }

    fn archive(content: &str) -> Digest {
        Algorithm::Sha256.digest(content.as_bytes())
    }

    /// Asks for a build, and tells whether it was made anew.
    fn builds(memo: &Memo, archive: &Digest, node: &Node, outcome: &Rendered) -> bool {
        let has_built = Cell::new(false);
        let build = |_| {
            has_built.set(true);
            Ok(outcome.clone())
        };
        let given = memo.build(archive, node.clone(), build, || false);
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
    fn the_same_is_built_once_and_anything_else_anew() {
        let memo = memo();
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
                assert!(builds(&memo, &archive, node, &outcome), "{node:?}");
            }
            for (index, node) in recipes.iter().enumerate() {
                let outcome = built(&json!([content, index]));
                assert!(!builds(&memo, &archive, node, &outcome), "{node:?}");
            }
        }
    }

    #[test]
    fn nothing_secret_is_kept() {
        let mut node = variables("canary");
        node.hidden.add("canary");
        let (memo, outcome) = (memo(), built(&json!("canary")));
        assert!(builds(&memo, &archive("a"), &node, &outcome));
        assert!(builds(&memo, &archive("a"), &node, &outcome));
        let node = Node {
            decryptor: Some((
                Arc::new(Decryptor::new(Keyring::default())),
                Arc::new(NoWaiter),
            )),
            ..Node::default()
        };
        assert!(builds(&memo, &archive("a"), &node, &outcome));
        assert!(builds(&memo, &archive("a"), &node, &outcome));
    }

    #[test]
    fn what_another_server_gave_and_what_failed_is_built_again() {
        let (memo, archive) = (memo(), archive("a"));
        let outcome = built(&json!("b"));
        for _ in 0..2 {
            let failed = RenderError::Build("refused".to_owned()).into();
            let given = memo.build(&archive, Node::default(), |_| Err(failed), || false);
            assert!(given.is_err());
        }
        for _ in 0..2 {
            let build = |_| Ok(outcome.clone());
            let given = memo.build(&archive, Node::default(), build, || true);
            assert_eq!(given.unwrap(), outcome);
        }
        assert!(builds(&memo, &archive, &Node::default(), &outcome));
        assert!(!builds(&memo, &archive, &Node::default(), &outcome));
    }

    #[test]
    fn numbers_come_back_to_the_last_digit_or_are_not_kept() {
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
                let text = |built: &Rendered| serde_json::to_string(&built.objects).unwrap();
                assert_eq!(text(&entry.unpack().unwrap()), text(&built));
            }
        }
    }
}
