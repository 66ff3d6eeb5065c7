//! Records beside those that Helm writes.
//!
//! `cargo xtask vectors --only helm` records the answers of the program in `oracle`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "oracle/charts.rs"]
mod charts;
#[path = "oracle/questions.rs"]
mod questions;

use charts::load;
use questions::vectors;
use sluice_chart::TemplateOptions;
use sluice_chart::values::{Json, Values};
use sluice_digest::Digest;
use sluice_helm::record::{Release, go_text, stored_chart};

#[test]
fn records_of_helm_decode_and_encode_the_same() {
    let mut count = 0;
    for vector in vectors("records") {
        let about = (&vector["chart"], &vector["helm3"]);
        let record = vector["result"].as_str().unwrap();
        let release = Release::from_json(record.as_bytes()).unwrap();
        assert_eq!(release.to_json(), vector["again"], "{about:?}");
        let observed = Digest::of(release.observation(None).as_bytes());
        assert_eq!(observed.to_string(), vector["observed"], "{about:?}");
        // Through the form that is stored.
        let stored = release.encode().unwrap();
        let read = Release::decode(stored.as_bytes()).unwrap();
        assert_eq!(read.to_json(), vector["again"], "{about:?}");
        count += 1;
    }
    assert!(count >= 30, "{count}");
}

#[test]
fn odd_records_are_read_as_helm_reads_them() {
    for vector in vectors("decode") {
        let record = vector["record"].as_str().unwrap();
        let read = Release::from_json(record.as_bytes());
        match vector["result"].as_str() {
            Some(expected) => assert_eq!(read.unwrap().to_json(), expected),
            None => assert!(read.is_err(), "{record}"),
        }
    }
}

#[test]
fn charts_are_stored_as_helm_stores_them() {
    let mut count = 0;
    for vector in vectors("records") {
        // Lists of files of a map are in random order in Helm.
        if vector["helm3"] == true || vector["upgrade"] == true {
            continue;
        }
        let record = vector["result"].as_str().unwrap();
        let expected = Release::from_json(record.as_bytes()).unwrap();
        let (chart, user) = load(&vector);
        let mut options = TemplateOptions::default();
        "rel".clone_into(&mut options.release.name);
        let rendered = sluice_chart::template(chart, &user, &options, None).unwrap();
        let manifest = go_text(&rendered.manifest());
        assert_eq!(manifest, expected.manifest, "{}", vector["chart"]);
        let ours = Release {
            chart: Some(sorted(stored_chart(&rendered.chart))),
            ..expected.clone()
        };
        let expected = Release {
            chart: expected.chart.map(sorted),
            ..ours.clone()
        };
        assert_eq!(ours.to_json(), expected.to_json(), "{}", vector["chart"]);
        count += 1;
    }
    assert!(count >= 15, "{count}");
}

/// A chart whose files are sorted by name.
fn sorted(mut chart: Values) -> Values {
    for list in ["templates", "files"] {
        if let Some(Json::Array(files)) = chart.get_mut(list) {
            files.sort_by_key(|file| file["name"].to_string());
        }
    }
    chart
}
