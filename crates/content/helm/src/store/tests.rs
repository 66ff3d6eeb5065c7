//! The store names, lists, prunes and finds releases like Helm.

use std::sync::Arc;

use sluice_system::clock::ManualClock;

use super::{Driver as _, MemoryDriver, Record, StorageKind, Store, StoreError, record_name};
use crate::record::{Labels, Release, Status};

fn release(version: i64, status: Status) -> Release {
    let mut release = Release {
        name: "web".to_owned(),
        namespace: "apps".to_owned(),
        version,
        ..Release::default()
    };
    release.set_status(status, "");
    release
}

fn store() -> (Store, Arc<MemoryDriver>) {
    let driver = Arc::new(MemoryDriver::default());
    let clock = ManualClock::at("2024-05-06T07:08:09Z".parse().unwrap());
    (Store::new(driver.clone(), Arc::new(clock)), driver)
}

async fn filled(statuses: &[Status]) -> (Store, Arc<MemoryDriver>) {
    let (store, driver) = store();
    for (version, status) in (1..).zip(statuses) {
        store
            .create(&release(version, status.clone()))
            .await
            .unwrap();
    }
    (store, driver)
}

async fn versions(store: &Store) -> Vec<i64> {
    let history = store.history("web").await.unwrap();
    history.iter().map(|release| release.version).collect()
}

#[tokio::test]
async fn record_has_the_name_and_labels_of_helm() {
    let (store, driver) = store();
    let mut first = release(1, Status::PENDING_INSTALL);
    first.labels.insert("team".to_owned(), "blue".to_owned());
    store.create(&first).await.unwrap();
    let record = driver.get("sh.helm.release.v1.web.v1").await.unwrap();
    let labels = [
        ("createdAt", "1714979289"),
        ("name", "web"),
        ("owner", "helm"),
        ("status", "pending-install"),
        ("team", "blue"),
        ("version", "1"),
    ];
    let labels = labels.map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(record.labels, Labels::from(labels));
}

#[tokio::test]
async fn read_release_has_the_labels_of_users_only() {
    let (store, _) = store();
    let mut first = release(1, Status::DEPLOYED);
    first.labels.insert("team".to_owned(), "blue".to_owned());
    store.create(&first).await.unwrap();
    assert_eq!(store.get("web", 1).await.unwrap().labels, first.labels);
    let listed = store.last("web").await.unwrap();
    assert_eq!(listed.labels["owner"], "helm");
}

#[tokio::test]
async fn update_of_a_listed_release_keeps_its_creation() {
    let (store, driver) = filled(&[Status::DEPLOYED]).await;
    let name = record_name("web", 1);
    let listed = store.last("web").await.unwrap();
    store.update(&listed).await.unwrap();
    let labels = driver.get(&name).await.unwrap().labels;
    assert!(labels.contains_key("createdAt") && labels.contains_key("modifiedAt"));
    let read = store.get("web", 1).await.unwrap();
    store.update(&read).await.unwrap();
    let labels = driver.get(&name).await.unwrap().labels;
    assert!(!labels.contains_key("createdAt") && labels.contains_key("modifiedAt"));
}

#[tokio::test]
async fn pruning_keeps_the_last_deployed_revision() {
    let statuses = [
        Status::SUPERSEDED,
        Status::DEPLOYED,
        Status::FAILED,
        Status::FAILED,
    ];
    let (mut store, _) = filled(&statuses).await;
    store.max_history = 3;
    store
        .create(&release(5, Status::PENDING_UPGRADE))
        .await
        .unwrap();
    assert_eq!(versions(&store).await, [2, 4, 5]);
    store.max_history = 1;
    store
        .create(&release(6, Status::PENDING_UPGRADE))
        .await
        .unwrap();
    assert_eq!(versions(&store).await, [2, 6]);
}

#[tokio::test]
async fn last_and_deployed_count_by_number() {
    let mut statuses = vec![Status::SUPERSEDED; 8];
    statuses.extend([Status::DEPLOYED, Status::FAILED]);
    let (store, _) = filled(&statuses).await;
    assert_eq!(store.last("web").await.unwrap().version, 10);
    assert_eq!(store.deployed("web").await.unwrap().version, 9);
    assert_eq!(store.list().await.unwrap()[0].version, 10);
    assert_eq!(store.list().await.unwrap().len(), 1);
}

#[tokio::test]
async fn missing_release_fails_in_helms_words() {
    let (store, _) = store();
    let message = |error: StoreError| error.to_string();
    assert_eq!(
        message(store.get("web", 1).await.unwrap_err()),
        "release: not found"
    );
    assert_eq!(
        message(store.last("web").await.unwrap_err()),
        "release: not found"
    );
    let error = store.deployed("web").await.unwrap_err();
    assert_eq!(message(error), "\"web\" has no deployed releases");
    store.create(&release(1, Status::FAILED)).await.unwrap();
    let error = store.create(&release(1, Status::FAILED)).await.unwrap_err();
    assert_eq!(message(error), "release: already exists");
}

#[tokio::test]
async fn broken_record_is_skipped_in_lists_and_named_alone() {
    let (store, driver) = filled(&[Status::DEPLOYED, Status::FAILED]).await;
    let mut broken = driver.get(&record_name("web", 2)).await.unwrap();
    broken.data = "*".to_owned();
    driver.insert(broken);
    assert_eq!(versions(&store).await, [1]);
    assert_eq!(store.last("web").await.unwrap().version, 1);
    let error = store.get("web", 2).await.unwrap_err().to_string();
    let expected = "get: failed to decode data \"sh.helm.release.v1.web.v2\": illegal base64";
    assert!(error.starts_with(expected), "{error}");
}

#[tokio::test]
async fn version_label_does_not_name_the_revision() {
    let (store, driver) = filled(&[Status::SUPERSEDED, Status::DEPLOYED]).await;
    let mut odd = driver.get(&record_name("web", 2)).await.unwrap();
    odd.labels.insert("version".to_owned(), "7".to_owned());
    driver.insert(odd);
    // As in Helm, the record itself has the number.
    assert_eq!(versions(&store).await, [1, 2]);
    assert_eq!(store.last("web").await.unwrap().version, 2);
    assert_eq!(store.deployed("web").await.unwrap().version, 2);
}

#[test]
fn secret_and_config_map_hold_the_same_record() {
    let record = Record {
        name: record_name("web", 1),
        labels: Labels::from([("owner".to_owned(), "helm".to_owned())]),
        data: release(1, Status::DEPLOYED).encode().unwrap(),
    };
    for kind in [StorageKind::Secret, StorageKind::ConfigMap] {
        let object = kind.to_object(&record, "apps");
        assert_eq!(object["kind"], kind.as_str());
        assert_eq!(kind.from_object(&object), record);
    }
    let secret = StorageKind::Secret.to_object(&record, "apps");
    assert_eq!(secret["type"], "helm.sh/release.v1");
    // base64 of base64 of gzip.
    assert!(
        secret["data"]["release"]
            .as_str()
            .unwrap()
            .starts_with("SDRzS")
    );
}

#[test]
fn driver_names_choose_the_kind() {
    assert_eq!(StorageKind::from_driver(""), Ok(StorageKind::Secret));
    assert_eq!(
        StorageKind::from_driver("configmaps"),
        Ok(StorageKind::ConfigMap)
    );
    let error = StorageKind::from_driver("sql").unwrap_err().to_string();
    assert!(error.starts_with("unknown driver \"sql\""), "{error}");
}
