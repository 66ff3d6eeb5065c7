//! Charts: no archive, values, schema, index or record makes the readers and the renderer panic,
//! hang or use unbounded memory.

use std::io::{Cursor, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value as Json;
use sluice_chart::load::{self, IgnoreRules, Limits};
use sluice_chart::{Budget, Chart, File, TemplateOptions, Values};
use sluice_chart::{coalesce, dependency, index, strvals, template, values};
use sluice_helm::Release;

use super::Target;
use super::archive::{compressed, repaired};

/// Precedes the path of a file in an input.
const FILE: &str = "%%% ";

/// The file of an input whose content are the values of the user.
const USER: &str = "user.yaml";

/// Limits of a chart in a test.
const LIMITS: Limits = Limits {
    total: 4 << 20,
    file: 1 << 20,
    files: 1_000,
};

/// Loads an archive, unchanged and with corrected checksums.
pub(super) const ARCHIVES: Target = Target {
    name: "chart-archive",
    run: |bytes| {
        let is_compressed = bytes.starts_with(&[0x1f, 0x8b]);
        let archives = if is_compressed {
            vec![bytes.to_vec()]
        } else {
            vec![compressed(bytes), compressed(&repaired(bytes))]
        };
        for archive in archives {
            let metadata = load::archive_metadata(Cursor::new(&archive), &LIMITS);
            match load::archive(&archive, &LIMITS) {
                Ok(chart) => {
                    // In an archive, a backslash of the name is a slash, as in Helm.
                    let name = chart.name();
                    let is_plain = !name.contains('\\') && !name.contains("..");
                    if let (true, Ok(packed)) =
                        (is_plain, sluice_chart::package(&chart, Vec::new()))
                    {
                        let again =
                            load::archive(&packed, &LIMITS).map(|chart| chart.name().to_owned());
                        assert_eq!(
                            again.ok().as_deref(),
                            Some(chart.name()),
                            "a package is refused"
                        );
                    }
                }
                Err(error) => drop((error.to_string(), metadata.is_ok())),
            }
        }
    },
    seeds: || {
        let charts = ["subcharts", "files", "library", "values", "hooks"];
        charts.into_iter().flat_map(archives).collect()
    },
    words: &[
        "ustar\u{0}00",
        "../",
        "..",
        "./",
        "/",
        "\\",
        "C:",
        "web/Chart.yaml",
        "web/charts/a.tgz",
        "web/charts/a/Chart.yaml",
        "web/charts/_a",
        "web/values.yaml",
        "web/templates/a.yaml",
        "00000000010\u{0}",
        "77777777777\u{0}",
        "\u{0}\u{0}\u{0}\u{0}",
        "0",
        "1",
        "2",
        "5",
        "L",
        "x",
        "g",
        "\u{feff}",
        "apiVersion: v2\n",
        "name: web\n",
        "version: 1.0.0\n",
        "dependencies:\n- name: a\n",
        "  condition: a.b\n",
        "  alias: b\n",
    ],
};

/// Renders a chart with values of a user.
pub(super) const RENDER: Target = Target {
    name: "chart-render",
    run: |bytes| {
        let Ok(text) = str::from_utf8(bytes) else {
            return;
        };
        let (files, user) = parts(text);
        let Ok(user) = values::parse(user.as_bytes()) else {
            return;
        };
        let Ok(chart) = load::files(files, &LIMITS) else {
            return;
        };
        coalesced(&chart, &user);
        let options = TemplateOptions {
            budget: Budget {
                steps: 1_000_000,
                bytes: 32 << 20,
                value_bytes: 8 << 20,
                depth: 100,
                deadline: None,
            },
            ..TemplateOptions::default()
        };
        match template(chart, &user, &options, None) {
            Ok(rendered) => drop(rendered.to_text()),
            Err(error) => drop(error.to_string()),
        }
    },
    seeds: || chart_seeds(&["fails-", "schema-"], false),
    words: &[
        "\n%%% templates/a.yaml\n",
        "\n%%% values.yaml\n",
        "\n%%% user.yaml\n",
        "\n%%% charts/a/Chart.yaml\n",
        "\n%%% values.schema.json\n",
        "\n%%% templates/NOTES.txt\n",
        "{{ include \"x\" . }}",
        "{{ tpl .Values.t . }}",
        "{{ toYaml .Values }}",
        "{{ .Files.Get \"a\" }}",
        "{{ range $k, $v := .Values }}",
        "{{ define \"x\" }}",
        "{{ end }}",
        "{{ lookup \"v1\" \"Pod\" \"\" \"\" }}",
        "{{ .Files.Glob \"**\" }}",
        "{{ (.Files.Glob \"*\").AsConfig }}",
        "{{ fromYaml .Values.t }}",
        "{{ toToml .Values }}",
        "{{ fromToml .Values.t }}",
        "{{ fail \"x\" }}",
        "{{ required \"x\" .Values.a }}",
        "{{ .Capabilities.APIVersions.Has \"v1\" }}",
        "{{ .Subcharts }}",
        "---\n",
        "null",
        "{}",
        "[]",
        "global: {a: b}\n",
        "a: &a [*a]\n",
        "condition: a.b\n",
        "import-values: [{child: a, parent: b}]\n",
        "tags: [x]\n",
        "alias: b\n",
        "type: library\n",
        "helm.sh/hook: pre-install\n",
        "\n  ",
        ": ",
        "- ",
    ],
};

/// Checks values against the schema of a chart.
pub(super) const SCHEMA: Target = Target {
    name: "chart-schema",
    run: RENDER.run,
    seeds: || chart_seeds(&["schema-"], true),
    words: &[
        "\"$ref\": \"#\"",
        "\"$ref\": \"#/$defs/a\"",
        "\"$dynamicRef\": \"#\"",
        "\"$id\": \"x\"",
        "\"$ref\": \"https://example.com/a.json\"",
        "\"$ref\": \"file:///etc/passwd\"",
        "\"type\": \"object\"",
        "\"type\": [\"string\", \"null\"]",
        "\"allOf\": [{}]",
        "\"anyOf\": [{\"$ref\": \"#\"}]",
        "\"oneOf\": [true, false]",
        "\"not\": {\"$ref\": \"#\"}",
        "\"if\": {}, \"then\": {}, \"else\": false",
        "\"pattern\": \"(a+)+$\"",
        "\"patternProperties\": {\".*\": {}}",
        "\"additionalProperties\": false",
        "\"unevaluatedProperties\": false",
        "\"unevaluatedItems\": {\"$ref\": \"#\"}",
        "\"items\": {\"$ref\": \"#\"}",
        "\"prefixItems\": [{}]",
        "\"uniqueItems\": true",
        "\"multipleOf\": 1e-300",
        "\"minimum\": 1e308",
        "\"maxLength\": 0",
        "\"format\": \"email\"",
        "\"format\": \"regex\"",
        "\"enum\": [1, \"a\", null]",
        "\"const\": {}",
        "\"dependentSchemas\": {}",
        "\"$schema\": \"http://json-schema.org/draft-04/schema#\"",
        "\n%%% user.yaml\n",
        "a: 1\n",
        "{",
        "}",
        "[",
        "]",
        ",",
        ": ",
    ],
};

/// Sets values by lines of `--set` and its relatives.
pub(super) const STRVALS: Target = Target {
    name: "strvals",
    run: |bytes| {
        let Ok(text) = str::from_utf8(bytes) else {
            return;
        };
        for set in [
            strvals::set,
            strvals::set_string,
            strvals::set_literal,
            strvals::set_json,
        ] {
            let mut values = Values::new();
            drop(set(text, &mut values).map_err(|error| error.to_string()));
            drop(serde_json::to_vec(&values));
        }
    },
    seeds: || {
        let path = "crates/content/chart/tests/vectors/strvals.jsonl";
        let lines = recorded(path).into_iter();
        lines
            .filter_map(|case| case["line"].as_str().map(|text| text.as_bytes().to_vec()))
            .collect()
    },
    words: &[
        "=",
        ",",
        ".",
        "[",
        "]",
        "[0]",
        "[65536]",
        "[9223372036854775807]",
        "[-1]",
        "{",
        "}",
        "{a,b}",
        "\\",
        "\\,",
        "\\.",
        "null",
        "true",
        "0x1",
        "1e5",
        "a.b.c.d.e.f",
        "[0][0][0][0]",
        "\"",
        "{\"a\":1}",
    ],
};

/// Reads an index of a repository, and the compact form that is stored.
pub(super) const INDEX: Target = Target {
    name: "chart-index",
    run: |bytes| {
        let found = index::find(bytes, "web");
        let mut stored = Vec::new();
        let rewritten = index::rewrite(bytes, &mut Cursor::new(Vec::new()), &mut stored);
        if rewritten.is_ok() {
            let again = index::find_stored(stored.as_slice(), "web");
            assert!(again.is_ok(), "the stored index is not readable");
        }
        if let Ok(found) = found {
            for range in ["", "1.2.3", ">=0.0.0-0"] {
                drop(
                    index::select(found.as_deref(), "web", range)
                        .map_err(|error| error.to_string()),
                );
            }
        }
        drop(index::find_stored(bytes, "web").map_err(|error| error.to_string()));
    },
    seeds: || {
        let folder = crate::repository().join("crates/content/chart/tests/index");
        let files = [
            "full.yaml",
            "full.stored.json",
            "plain.json",
            "plain.stored.json",
        ];
        let files = files.map(|file| std::fs::read(folder.join(file)).expect("it is a test's"));
        let many = std::fs::read(folder.join("many.yaml")).expect("it is a test's");
        let start = many[..many.len().min(16 << 10)].to_vec();
        files.into_iter().chain([start]).collect()
    },
    words: &[
        "apiVersion: v1\n",
        "entries:\n",
        "  web:\n",
        "  - name: web\n",
        "    version: 1.2.3\n",
        "    urls: [web.tgz]\n",
        "    digest: x\n",
        "    created: 2024-01-02T03:04:05Z\n",
        "    dependencies: []\n",
        "    annotations: {a: b}\n",
        "generated: x\n",
        "null",
        "{}",
        "[]",
        "&a ",
        "*a",
        "<<: *a",
        "\n  ",
        "- ",
        ": ",
        "\"",
        "{\"entries\":{\"web\":[",
    ],
};

/// Reads the record of a release, prints it and reads it again.
pub(super) const RECORDS: Target = Target {
    name: "release-record",
    run: |bytes| {
        if let Err(error) = Release::decode(bytes) {
            drop(error.to_string());
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
        let written = encoder.write_all(bytes);
        let packed = written.and_then(|()| encoder.finish());
        let packed = packed.expect("memory takes everything");
        let text = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, packed);
        let compressed = Release::decode(text.as_bytes());
        let plain = Release::from_json(bytes);
        assert_eq!(
            plain.is_ok(),
            compressed.is_ok(),
            "compression changes a record"
        );
        if let Ok(release) = plain {
            drop(release.observation(None));
            let encoded = release.encode().expect("memory takes everything");
            drop(Release::decode(encoded.as_bytes()).map_err(|error| error.to_string()));
        }
    },
    seeds: || {
        let vectors = "crates/content/helm/tests/vectors";
        let decoded = recorded(&format!("{vectors}/decode.jsonl"));
        let records = decoded
            .into_iter()
            .flat_map(|case| [case["record"].clone(), case["result"].clone()]);
        let written = recorded(&format!("{vectors}/records.jsonl"));
        let records = records.chain(written.into_iter().map(|case| case["result"].clone()));
        records
            .filter_map(|record| record.as_str().map(|text| text.as_bytes().to_vec()))
            .filter(|record| record.len() < 32 << 10)
            .collect()
    },
    words: &[
        "{\"name\":\"a\"",
        "\"info\":{",
        "\"status\":\"deployed\"",
        "\"chart\":{\"metadata\":{}",
        "\"hooks\":[{}]",
        "\"version\":1",
        "\"manifest\":\"\"",
        "\"config\":{}",
        "\"labels\":{}",
        "\"apply_method\":\"ssa\"",
        "null",
        "\"first_deployed\":\"2024-01-02T03:04:05Z\"",
        "\"templates\":[{\"name\":\"t\",\"data\":\"e30=\"}]",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "1e400",
        "-1",
        "\\u0000",
    ],
};

/// Reads the ignore rules of a chart, and matches paths.
pub(super) const IGNORE: Target = Target {
    name: "chart-ignore",
    run: |bytes| {
        let Ok(mut rules) = IgnoreRules::parse(Some(bytes)) else {
            return;
        };
        for path in [
            "a",
            "a/b/c.yaml",
            "templates/_x.tpl",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/b",
        ] {
            rules.is_ignored(path);
        }
    },
    seeds: || {
        let rules: [&[u8]; 6] = [
            b"*.txt\n!a.txt\n",
            b"# comment\n/a/\n",
            b"a*b*c*\n",
            b"[a-c]?\n[^a]\n",
            b"\\#a\n\\!b\n",
            b"**\n",
        ];
        rules.map(<[u8]>::to_vec).into()
    },
    words: &[
        "*",
        "**",
        "?",
        "[",
        "]",
        "[a-z]",
        "[^",
        "\\",
        "!",
        "#",
        "/",
        "\n",
        "a",
        ".",
        "*a*a*a*a*a*a*b",
    ],
};

/// Merges the values of a user in both directions.
fn coalesced(chart: &Chart, user: &Values) {
    let mut processed = chart.clone();
    if dependency::process(&mut processed, user).is_ok() {
        drop(coalesce::with_user(&processed, user));
    }
    let merged = coalesce::with_weaker(user, user);
    assert!(merged.len() <= user.len(), "a merge invents values");
}

/// Splits an input into the files of a chart and the values of the user.
fn parts(text: &str) -> (Vec<File>, String) {
    let mut user = String::new();
    let mut files = Vec::new();
    for file in text.split(FILE).skip(1) {
        let (path, contents) = file.split_once('\n').unwrap_or((file, ""));
        if path == USER {
            contents.clone_into(&mut user);
        } else {
            files.push(load::file(path, contents.as_bytes().to_vec()));
        }
    }
    (files, user)
}

/// The recorded charts whose names begin in one of these ways, or do not.
fn chart_seeds(prefixes: &[&str], wanted: bool) -> Vec<Vec<u8>> {
    let folder = crate::repository().join("crates/content/chart/tests/charts");
    let entries = std::fs::read_dir(&folder).expect("the charts are in the repository");
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    let mut seeds = Vec::new();
    for name in names {
        let name = name.to_string_lossy().into_owned();
        if prefixes.iter().any(|prefix| name.starts_with(prefix)) == wanted {
            let mut seed = String::new();
            let root = folder.join(&name).join("chart");
            add(&mut seed, &root, &root);
            seeds.push(seed.into_bytes());
        }
    }
    seeds
}

/// Appends the text files below a folder.
fn add(seed: &mut String, folder: &Path, root: &Path) {
    for path in sorted(folder) {
        if path.is_dir() {
            add(seed, &path, root);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            let name = path.strip_prefix(root).expect("it is below the root");
            seed.extend([FILE, &name.display().to_string(), "\n", &text, "\n"]);
        }
    }
}

/// The archive of a recorded chart, plain and compressed.
fn archives(name: &str) -> [Vec<u8>; 2] {
    let folder = crate::repository().join("crates/content/chart/tests/charts");
    let mut archive = tar::Builder::new(Vec::new());
    let appended = archive.append_dir_all(name, folder.join(name).join("chart"));
    let plain = appended.and_then(|()| archive.into_inner());
    let plain = plain.expect("memory takes everything");
    [compressed(&plain), plain]
}

fn sorted(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The lines of a recorded table.
fn recorded(path: &str) -> Vec<Json> {
    let text = std::fs::read_to_string(crate::repository().join(path));
    let text = text.expect("the vectors are in the repository");
    let read = |line: &str| serde_json::from_str(line).expect("a vector is JSON");
    text.lines().map(read).collect()
}
