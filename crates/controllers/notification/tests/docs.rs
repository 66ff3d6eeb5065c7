//! Walks the pages about Providers and Receivers: every type has an example that works, in ten
//! lines, and the name of a test.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "a test reads pages of the repository"
)]

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use sluice_api::notification::{Alert, Provider, ProviderType, Receiver, ReceiverType};
use sluice_notification_controller::alert::commit_status;
use sluice_notification_controller::config::{ProviderConfig, Secrets};
use sluice_notification_controller::event::decode;
use sluice_notification_controller::provider::request;
use sluice_notification_controller::receiver::check;

/// Maximum lines of the command and the object of an example.
const MAX_LINES: usize = 10;

fn page(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs");
    std::fs::read_to_string(root.join(name)).unwrap()
}

/// An example of a page.
struct Example {
    secret: Option<Secret>,
    object: Value,
    test: String,
}

/// The Secret that the command creates.
struct Secret {
    name: String,
    keys: BTreeMap<String, Vec<u8>>,
}

/// Returns the example of a type.
fn example(page: &str, type_: &str) -> Example {
    let heading = format!("\n## {type_}\n");
    let (_, rest) = page
        .split_once(&heading)
        .unwrap_or_else(|| panic!("no section {type_}"));
    let section = rest.split("\n## ").next().unwrap();
    let block = |language: &str| {
        let (_, rest) = section.split_once(&format!("```{language}\n"))?;
        rest.split_once("```").map(|(block, _)| block)
    };
    let object = block("yaml").unwrap_or_else(|| panic!("{type_} has no object"));
    let command = block("sh").unwrap_or_default();
    let lines = object.lines().count() + command.lines().count();
    assert!(lines <= MAX_LINES, "{type_}: {lines} lines");
    let documents = sluice_yaml::v2::documents(object).unwrap();
    let test = section
        .split_once("Test: `")
        .and_then(|it| it.1.split_once('`'));
    Example {
        secret: (!command.is_empty()).then(|| secret(command)),
        object: documents.into_iter().next().unwrap(),
        test: test
            .unwrap_or_else(|| panic!("{type_} names no test"))
            .0
            .into(),
    }
}

/// Reads the command that creates a Secret.
fn secret(command: &str) -> Secret {
    let command = command.replace("\\\n", " ");
    let start = "kubectl -n flux-system create secret generic ";
    let rest = command.strip_prefix(start).unwrap().trim();
    let (name, literals) = rest.split_once(' ').unwrap();
    let mut keys = BTreeMap::new();
    for literal in literals.split("--from-literal=").skip(1) {
        let (key, value) = literal.trim().split_once('=').unwrap();
        let value = value.trim_matches('\'');
        keys.insert(key.to_owned(), value.as_bytes().to_vec());
    }
    Secret {
        name: name.to_owned(),
        keys,
    }
}

/// Checks that the crate has a test of a name.
fn assert_test(type_: &str, test: &str) {
    fn contains(folder: &Path, text: &str) -> bool {
        std::fs::read_dir(folder).unwrap().any(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() {
                return contains(&path, text);
            }
            let is_source = path.extension().is_some_and(|it| it == "rs");
            is_source && std::fs::read_to_string(&path).unwrap().contains(text)
        })
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = format!("fn {test}(");
    let found = ["src", "tests"]
        .iter()
        .any(|folder| contains(&root.join(folder), &text));
    assert!(found, "{type_}: no test {test}");
}

#[test]
fn example_of_every_provider_works() {
    let page = page("providers.md");
    let event = json!({
        "involvedObject": {
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "namespace": "apps", "name": "apps", "uid": "7e2c",
        },
        "severity": "error", "timestamp": "2026-01-02T03:04:05Z", "message": "failed",
        "reason": "BuildFailed", "reportingController": "kustomize-controller",
        "metadata": {
            "revision": "main@sha1:0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
            "change_request": "42",
        },
    });
    let event = decode(event.to_string().as_bytes()).unwrap();
    assert_eq!(page.matches("\n## ").count(), ProviderType::WORDS.len());
    for type_ in ProviderType::WORDS {
        let example = example(&page, type_);
        let provider: Provider = serde_json::from_value(example.object).unwrap();
        assert_eq!(provider.spec.type_.as_str(), *type_);
        let reference = provider.spec.secret_ref.as_ref().map(|it| it.name.clone());
        let created = example.secret.as_ref().map(|it| it.name.clone());
        assert_eq!(reference, created, "{type_}");
        let keys = example.secret.map(|secret| secret.keys);
        let secrets = Secrets {
            credentials: keys.as_ref().map(|keys| keys as &dyn sluice_dial::Keys),
            ..Secrets::default()
        };
        let alert = Alert::default();
        let (mut config, warnings) = ProviderConfig::resolve(&provider, &alert, secrets).unwrap();
        assert!(warnings.is_empty(), "{type_}: {warnings:?}");
        config.commit_status = commit_status(&provider, &alert, &event).unwrap();
        let requests = request(&config, &event).unwrap_or_else(|error| panic!("{type_}: {error}"));
        assert!(!requests.is_empty(), "{type_}");
        assert_test(type_, &example.test);
    }
}

#[test]
fn example_of_every_receiver_is_valid() {
    let page = page("receivers.md");
    assert_eq!(page.matches("\n## ").count(), ReceiverType::WORDS.len());
    for type_ in ReceiverType::WORDS {
        let example = example(&page, type_);
        let receiver: Receiver = serde_json::from_value(example.object).unwrap();
        assert_eq!(receiver.spec.type_.as_str(), *type_);
        check(&receiver.spec).unwrap_or_else(|error| panic!("{type_}: {error:?}"));
        let reference = receiver.spec.secret_ref.as_ref().map(|it| it.name.clone());
        let created = example.secret.as_ref().map(|it| it.name.clone());
        assert_eq!(reference, created, "{type_}");
        if let Some(secret) = example.secret {
            assert!(secret.keys.contains_key("token"), "{type_}");
        }
        assert_test(type_, &example.test);
    }
}
