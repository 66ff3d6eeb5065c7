//! Tests of document formats: encrypted values are found and restored.

use super::*;

#[test]
fn format_is_derived_from_the_file_name() {
    for (path, format) in [
        ("a.yaml", Format::Yaml),
        ("b/a.yml", Format::Yaml),
        ("a.json", Format::Json),
        (".dockerconfigjson", Format::Json),
        ("a.env", Format::Dotenv),
        (".env", Format::Dotenv),
        ("a.ini", Format::Ini),
        ("a.yaml.enc", Format::Binary),
        ("password", Format::Binary),
    ] {
        assert_eq!(Format::from_path(path), format, "{path}");
    }
}

#[test]
fn format_marks_are_checked_in_a_fixed_order() {
    let detected = |text: &str| Format::detect(text.as_bytes());
    assert_eq!(detected("sops_mac=ENC[x"), Some(Format::Dotenv));
    assert_eq!(detected("[sops]\nmac = ENC[x"), Some(Format::Ini));
    assert_eq!(detected("sops:\n    mac: ENC[x"), Some(Format::Yaml));
    assert_eq!(detected("{\"mac\": \"ENC[x\"}"), Some(Format::Json));
    assert_eq!(detected("password"), None);
    assert_eq!(detected("[sops]\nsops_mac=ENC["), Some(Format::Dotenv));
}

#[track_caller]
fn unchanged(format: Format, text: &str) {
    let branches = format.load_plain(text.as_bytes()).unwrap();
    let printed = format.emit(&branches).unwrap();
    assert_eq!(String::from_utf8(printed).unwrap(), text);
}

#[test]
fn output_of_upstream_is_reproduced() {
    unchanged(
        Format::Yaml,
        "# head\n# of a\na: 1 # inline\nb:\n    # of c\n    c: \"true\"\n    d:\n        - x\n        # of k\n        - k: |\n            two\n            lines\n    e: []\n    f: {}\n# foot\n",
    );
    unchanged(Format::Yaml, "a: null\n---\nb: 1.5\n");
    unchanged(
        Format::Json,
        "{\n\t\"a\": 1,\n\t\"b\": {\n\t\t\"c\": [\n\t\t\ttrue,\n\t\t\tnull\n\t\t]\n\t},\n\t\"d\": {},\n\t\"e\": \"\\u003c\"\n}\n",
    );
    unchanged(Format::Dotenv, "# comment\nA=b\nC=d\\ne\nF=\n");
    unchanged(
        Format::Ini,
        "a = b\n\n; of the section\n[section]\n; of the key\nkey    = value\nlonger = `a#b`\nlines  = \"\"\"a\nb\"\"\"\nspace  = \" a \"\n\n[empty]\n",
    );
    unchanged(Format::Binary, "anything\0at all");
}

#[test]
fn ini_dialect_is_parsed() {
    let text = "; c1\n# c2\na: 'x' ; inline\nb = \"\"\"one\ntwo\"\"\" # after\nc = x \\\n  y\n`d=` = `z`\na = again\n[s] # of s\n- = first\n";
    let branches = Format::Ini.load_plain(text.as_bytes()).unwrap();
    let printed = Format::Ini.emit(&branches).unwrap();
    assert_eq!(
        String::from_utf8(printed).unwrap(),
        "a    = again\n; after\nb    = \"\"\"one\ntwo\"\"\"\nc    = x y\n`d=` = z\n\n; of s\n[s]\n#1 = first\n"
    );
}

#[test]
fn aliases_are_expanded_within_a_limit() {
    let branches = Format::Yaml.load_plain(b"a: &a {x: 1}\nb: *a\n").unwrap();
    let printed = Format::Yaml.emit(&branches).unwrap();
    assert_eq!(
        String::from_utf8(printed).unwrap(),
        "a:\n    x: 1\nb:\n    x: 1\n"
    );
    let mut lines = vec!["a0: &a0 [x, x, x, x, x, x, x, x, x, x]".to_owned()];
    for level in 1..9 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        lines.push(format!("a{level}: &a{level} [{aliases}]"));
    }
    let bomb = lines.join("\n");
    assert!(Format::Yaml.load_plain(bomb.as_bytes()).is_err());
    assert!(Format::Yaml.load_plain(b"a: &a [*a]\n").is_err());
}

#[test]
fn errors_do_not_quote_values() {
    for (format, text) in [
        (Format::Yaml, "a: !!int canary\n"),
        (Format::Yaml, "- canary\n"),
        (Format::Yaml, "a: [canary\n"),
        (Format::Json, "[\"canary\"]"),
        (Format::Json, "{\"a\": canary}"),
        (Format::Dotenv, "canary"),
        (Format::Ini, "canary"),
        (Format::Ini, "a = \"\"\"canary"),
        (Format::Ini, "[canary"),
    ] {
        let error = format.load_plain(text.as_bytes()).unwrap_err();
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("canary"), "{format}: {shown}");
    }
}

#[test]
fn flat_formats_reject_nesting() {
    let branches = Format::Yaml.load_plain(b"a: {b: 1}\n").unwrap();
    let error = Format::Dotenv.emit(&branches).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot use complex value in dotenv file; offending key a"
    );
    let flat = Format::Yaml.load_plain(b"a: 1\n").unwrap();
    assert!(Format::Ini.emit(&flat).is_err());
    assert!(Format::Binary.emit(&flat).is_err());
    assert!(Format::Json.emit(&[]).is_err());
}
