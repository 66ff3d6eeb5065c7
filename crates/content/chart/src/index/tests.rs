//! Expectations are the answers of Helm 4.2.4's `repo.IndexFile` to the same texts. It prints them
//! with `json.MarshalIndent` and two spaces, as source-controller does.

use std::io::Cursor;

use super::*;

fn rewritten(text: &str) -> Result<String, String> {
    let mut out = Vec::new();
    rewrite(text.as_bytes(), &mut Cursor::new(Vec::new()), &mut out)
        .map_err(|error| error.to_string())?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn rewritten_index_has_the_bytes_of_go() {
    for (text, expected) in [
        (
            include_str!("../../tests/index/full.yaml"),
            include_str!("../../tests/index/full.stored.json"),
        ),
        (
            include_str!("../../tests/index/many.yaml"),
            include_str!("../../tests/index/many.stored.json"),
        ),
        (
            include_str!("../../tests/index/plain.json"),
            include_str!("../../tests/index/plain.stored.json"),
        ),
    ] {
        let found = rewritten(text).unwrap();
        assert_eq!(found, expected);
        assert_eq!(rewritten(&found).unwrap(), expected, "it is stable");
    }
}

#[test]
fn invalid_index_is_rejected_in_the_words_of_go() {
    let decoding = |error: &str| format!("error unmarshaling JSON: while decoding JSON: {error}");
    let field = "Go struct field IndexFile.entries of type";
    for (text, expected) in [
        ("", "empty index.yaml file".to_owned()),
        ("entries: {}", "no API version specified".to_owned()),
        ("{}", "no API version specified".to_owned()),
        (
            "apiVersion: v1\nfoo: bar",
            decoding("json: unknown field \"foo\""),
        ),
        (
            "apiVersion: v1\nentries:\n  nginx: []\n  nginx: []",
            "error converting YAML to JSON: yaml: unmarshal errors:\n  line 4: key \"nginx\" \
             already set in map"
                .to_owned(),
        ),
        (
            "apiVersion: v1\nentries:\n  a:\n    - {name: a, version: 1.0.0, surprise: 1}",
            decoding("json: unknown field \"surprise\""),
        ),
        (
            "apiVersion: v1\nentries: {a: [{name: a, version: 1.0.0, maintainers: [{who: x}]}]}",
            decoding("json: unknown field \"who\""),
        ),
        (
            "apiVersion: v1\nentries: []",
            decoding(&format!(
                "json: cannot unmarshal array into {field} map[string]repo.ChartVersions"
            )),
        ),
        (
            "apiVersion: v1\nentries: {a: {}}",
            decoding(&format!(
                "json: cannot unmarshal object into {field} repo.ChartVersions"
            )),
        ),
        (
            "apiVersion: v1\nentries: {a: text}",
            decoding(&format!(
                "json: cannot unmarshal string into {field} repo.ChartVersions"
            )),
        ),
        (
            "- a",
            decoding("json: cannot unmarshal array into Go value of type repo.IndexFile"),
        ),
        (
            "<html></html>",
            decoding("json: cannot unmarshal string into Go value of type repo.IndexFile"),
        ),
        (
            "apiVersion: [",
            "error converting YAML to JSON: yaml: line 1: did not find expected node content"
                .to_owned(),
        ),
        (
            "apiVersion: v1\nentries: {a: [{name: a, version: 1.0.0, created: yesterday}]}",
            decoding(
                "parsing time \"yesterday\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \
                 \"yesterday\" as \"2006\"",
            ),
        ),
        (
            "apiVersion: v1\ngenerated: now",
            decoding(
                "parsing time \"now\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"now\" as \
                 \"2006\"",
            ),
        ),
    ] {
        assert_eq!(rewritten(text).unwrap_err(), expected, "{text}");
    }
}

#[test]
fn version_with_many_nodes_is_rejected() {
    let bomb = "[],".repeat(200_000);
    let yaml = format!("apiVersion: v1\nentries: {{a: [{{name: a, urls: [{bomb}]}}]}}");
    let json = format!(r#"{{"apiVersion":"v1","entries":{{"a":[{{"urls":[{bomb}1]}}]}}}}"#);
    for text in [yaml, json] {
        let error = rewritten(&text).unwrap_err();
        assert!(error.contains("more than 100000 nodes"), "{error}");
    }
}

/// The table of source-controller's `TestChartRepository_GetChartVersion`, with its test index.
#[test]
fn selection_follows_flux() {
    let index = "apiVersion: v1
entries:
  chart:
    - {name: chart, version: 0.0.1, urls: [a], created: 2020-01-01T00:00:00Z}
    - {name: chart, version: 0.1.0, urls: [b], created: 2020-01-02T00:00:00Z}
    - {name: chart, version: 0.1.1, urls: [c], created: 2020-01-03T00:00:00Z}
    - {name: chart, version: 0.1.5+b.min.minute, urls: [d], created: 2020-01-01T00:01:00Z}
    - {name: chart, version: 0.1.5+a.min.hour, urls: [e], created: 2020-01-01T01:00:00Z}
    - {name: chart, version: 0.1.5+c.now, urls: [f], created: 2020-01-02T00:00:00Z}
    - {name: chart, version: 0.2.0, urls: [g], created: 2020-01-04T00:00:00Z}
    - {name: chart, version: 1.0.0, urls: [h], created: 2020-01-05T00:00:00Z}
    - {name: chart, version: 1.1.0-rc.1, urls: [i], created: 2020-01-06T00:00:00Z}
  loose:
    - {name: loose, version: '1.2', urls: [j]}
  none: []
";
    for (name, wanted, expected) in [
        ("chart", "0.1.0", Ok("0.1.0")),
        ("chart", "*", Ok("1.0.0")),
        ("chart", "", Ok("1.0.0")),
        ("chart", "<0.2.0", Ok("0.1.5+c.now")),
        ("chart", ">=0.1.0-0", Ok("1.1.0-rc.1")),
        ("chart", "0.1.5+a.min.hour", Ok("0.1.5+a.min.hour")),
        (
            "chart",
            ">2.0.0",
            Err("no 'chart' chart with version matching '>2.0.0' found"),
        ),
        ("chart", "non", Err("improper constraint: \"non\"")),
        ("none", "*", Err("no chart version found")),
        ("missing", "*", Err("no chart name found")),
        // A range considers three-part versions only.
        ("loose", "1.2", Ok("1.2")),
        (
            "loose",
            "^1.0",
            Err("no 'loose' chart with version matching '^1.0' found"),
        ),
    ] {
        let stored = rewritten(index).unwrap();
        for versions in [
            find(index.as_bytes(), name).unwrap(),
            find_stored(stored.as_bytes(), name).unwrap(),
        ] {
            let found = select(versions.as_deref(), name, wanted);
            let found = found
                .map(ChartVersion::version)
                .map_err(|error| error.to_string());
            assert_eq!(found, expected.map_err(str::to_owned), "{name} {wanted}");
        }
    }
}

/// By the code of Helm's `IndexFile.Get`.
#[test]
fn pick_follows_helm() {
    let index = "apiVersion: v1
entries:
  chart:
    - {name: chart, version: 0.1.0, urls: [a]}
    - {name: chart, version: 1.0.0, urls: [b]}
    - {name: chart, version: 1.1.0-rc.1, urls: [c]}
    - {name: chart, version: '1.2', urls: [d]}
";
    let versions = find(index.as_bytes(), "chart").unwrap().unwrap();
    for (wanted, expected) in [
        ("", Some("1.2")),
        ("1.0.0", Some("1.0.0")),
        ("1.0", Some("1.0.0")),
        ("^1.1", Some("1.2")),
        ("<1.2-0", Some("1.1.0-rc.1")),
        ("1.1.0-rc.1", Some("1.1.0-rc.1")),
        ("~0.1", Some("0.1.0")),
        (">2", None),
        ("one", None),
    ] {
        let picked = pick(&versions, wanted).map(ChartVersion::version);
        assert_eq!(picked, expected, "{wanted}");
    }
}
