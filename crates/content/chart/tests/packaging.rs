//! Archives that `helm package` of Helm 4.2.4 made, in `tests/package`.
//!
//! Their folders have comments, a lock, a schema and a byte order mark. They also have long and
//! non-ASCII names, and a chart below `charts/`. All files are of one time. A loaded archive that
//! is packaged again must have the same bytes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use sluice_chart::{load, package};

#[test]
fn packaged_chart_has_the_bytes_of_helm() {
    for archive in [
        &include_bytes!("package/one-1.2.3.tgz")[..],
        &include_bytes!("package/old-0.1.0.tgz")[..],
    ] {
        let chart = load::archive(archive, &load::Limits::default()).unwrap();
        let packaged = package(&chart, Vec::new()).unwrap();
        assert_eq!(content(&packaged), content(archive));
        assert!(
            packaged == archive,
            "{} is compressed differently",
            chart.name()
        );
    }
}

/// The entries of an archive, for a readable difference.
fn content(archive: &[u8]) -> Vec<(String, Option<u64>, String)> {
    use std::io::Read as _;

    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(archive));
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        let path = entry.path().unwrap().display().to_string();
        (path, entry.header().mtime().ok(), text)
    });
    entries.collect()
}

#[test]
fn chart_without_times_has_one_archive() {
    let mut chart = load::archive(
        include_bytes!("package/one-1.2.3.tgz"),
        &load::Limits::default(),
    )
    .unwrap();
    chart.modified = None;
    chart.schema_modified = None;
    let packaged = package(&chart, Vec::new()).unwrap();
    assert!(packaged == package(&chart, Vec::new()).unwrap());
    assert_eq!(content(&packaged)[0].1, Some(0));
}

#[test]
fn schema_that_is_not_json_is_rejected() {
    let archive = include_bytes!("package/one-1.2.3.tgz");
    let mut chart = load::archive(archive, &load::Limits::default()).unwrap();
    chart.schema = Some(b"{".to_vec().into());
    let error = package(&chart, Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "invalid JSON in values.schema.json");
}
