//! Renders the charts below `tests/charts` and compares with what Helm 4.2.4 prints.
//!
//! Each folder has a `chart`, perhaps the `values.yaml` of a user, and the output of
//! `helm template rel chart -f values.yaml --include-crds`: `expected.yaml`, or the error in
//! `expected.txt`.

use std::path::{Path, PathBuf};

use sluice_chart::load::{self, Limits, Links};
use sluice_chart::render::Cluster;
use sluice_chart::values::Json;
use sluice_chart::{Chart, Error, File, TemplateOptions, Values, template, values};
use sluice_system::fs;

fn charts() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/charts");
    let entries = fs::read_dir(root).expect("the charts are part of the crate");
    entries.into_iter().map(|entry| entry.path).collect()
}

fn render(folder: &Path) -> Result<Vec<u8>, Error> {
    let chart = load::directory(&folder.join("chart"), Links::Inside, &Limits::default())?;
    let user = fs::read(folder.join("values.yaml")).unwrap_or_default();
    let user = values::parse(&user).map_err(Error::Values)?;
    let mut options = TemplateOptions {
        includes_crds: true,
        ..TemplateOptions::default()
    };
    "rel".clone_into(&mut options.release.name);
    Ok(template(chart, &user, &options, None)?.to_text())
}

#[test]
fn charts_render_the_bytes_of_helm() {
    let mut count = 0;
    for folder in charts() {
        let output = folder.join("expected.yaml");
        if !fs::exists(&output).unwrap() {
            continue;
        }
        let rendered = render(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
        let expected = fs::read_to_string(&output).unwrap();
        assert_eq!(String::from_utf8_lossy(&rendered), expected, "{folder:?}");
        count += 1;
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn charts_fail_in_the_words_of_helm() {
    let mut count = 0;
    for folder in charts() {
        let message = folder.join("expected.txt");
        if !fs::exists(&message).unwrap() {
            continue;
        }
        let error = render(&folder).expect_err("Helm refuses the chart");
        let expected = fs::read_to_string(&message).unwrap();
        let mut error = error.to_string();
        if error.starts_with("values don't meet") {
            assert_eq!(sorted(&error), sorted(&expected), "{folder:?}");
            error = expected.clone();
        }
        assert_eq!(error.trim_end(), expected.trim_end(), "{folder:?}");
        count += 1;
    }
    assert!(count >= 10, "{count}");
}

/// The functions that Helm adds to those of sprig, by `pkg/engine/funcs.go` of 4.2.4.
const HELM_FUNCTIONS: [&str; 18] = [
    "fail",
    "fromJson",
    "fromJsonArray",
    "fromToml",
    "fromYaml",
    "fromYamlArray",
    "getHostByName",
    "include",
    "lookup",
    "mustToJson",
    "mustToToml",
    "mustToYaml",
    "required",
    "toJson",
    "toToml",
    "toYaml",
    "toYamlPretty",
    "tpl",
];

#[test]
fn every_function_of_helm_has_a_recorded_chart() {
    let mut texts = Vec::new();
    let mut folders = charts();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            if entry.file_type.is_dir() {
                folders.push(entry.path);
            } else if folder.ends_with("templates") {
                // Some templates are not UTF-8 on purpose.
                texts.push(String::from_utf8_lossy(&fs::read(&entry.path).unwrap()).into_owned());
            }
        }
    }
    for name in HELM_FUNCTIONS {
        let call = |text: &String| text.contains(&format!("{name} "));
        assert!(texts.iter().any(call), "{name}");
    }
}

/// The functions of Go's `text/template`.
const GO_FUNCTIONS: [&str; 19] = [
    "and", "call", "eq", "ge", "gt", "html", "index", "js", "le", "len", "lt", "ne", "not", "or",
    "print", "printf", "println", "slice", "urlquery",
];

#[test]
fn page_about_helm_names_every_function() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let page = fs::read_to_string(root.join("docs/helm-compat.md")).unwrap();
    let names = "crates/language/gotemplate/tests/vectors/names.txt";
    let names = fs::read_to_string(root.join(names)).unwrap();
    let of_sprig = names.lines().filter_map(|line| line.strip_prefix("text "));
    let all = of_sprig.chain(HELM_FUNCTIONS).chain(GO_FUNCTIONS);
    let missing: Vec<&str> = all
        .map(str::trim)
        .filter(|name| !page.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The lines of a message about values, whose order is random in Helm.
fn sorted(message: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = message.trim_end().lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn endless_include_ends_at_helms_count() {
    let text = "{{- define \"loop\" }}{{ include \"loop\" . }}{{ end }}{{ include \"loop\" . }}";
    let error = render_template(text).unwrap_err().to_string();
    let end = "error calling include: rendering template has a nested reference name: loop: \
               unable to execute template";
    assert!(error.ends_with(end));
    assert_eq!(error.matches("executing \"loop\"").count(), 1001);
}

#[test]
fn hostile_template_ends_within_the_budget() {
    for text in [
        "{{ range until 10000000 }}{{ range until 10000000 }}x{{ end }}{{ end }}",
        "{{ repeat 1000000000 \"x\" }}",
        "{{ printf \"%1000000000d\" 1 }}",
        "{{ $d := dict }}{{ $_ := set $d \"d\" $d }}{{ toYaml $d }}",
        "{{ $d := dict }}{{ $_ := set $d \"d\" $d }}{{ toJson $d }}",
        "{{ define \"a\" }}{{ template \"a\" . }}{{ end }}{{ template \"a\" . }}",
        "{{ tpl (toYaml .Values.again) . }}{{ tpl .Values.again . }}",
    ] {
        let rendered = render_template(text);
        // Helm prints nothing for a value that contains itself.
        if !text.contains("toJson") {
            let error = rendered.expect_err(text);
            assert!(error.to_string().len() < 4 << 20, "{text}");
        }
    }
}

/// A chart with one template.
fn small_chart(text: &str) -> Result<Chart, Error> {
    let files = [
        (
            "Chart.yaml",
            "apiVersion: v2\nname: small\nversion: 1.0.0\n",
        ),
        ("values.yaml", "again: '{{ tpl .Values.again . }}'\n"),
        ("templates/small.yaml", text),
    ];
    let files = files.map(|(name, data)| File {
        name: name.to_owned(),
        data: data.into(),
        modified: None,
    });
    load::files(files.into(), &Limits::default())
}

/// Renders a chart with one template.
fn render_template(text: &str) -> Result<Vec<u8>, Error> {
    let chart = small_chart(text)?;
    let mut options = TemplateOptions::default();
    options.budget.steps = 10_000_000;
    Ok(template(chart, &Values::new(), &options, None)?.to_text())
}

#[test]
fn release_name_must_be_a_dns_name() {
    for (name, is_valid) in [
        ("a", true),
        ("a-1.b2", true),
        ("Bad_Name", false),
        ("a..b", false),
        ("-a", false),
        ("a-", false),
        (&*"a".repeat(53), true),
        (&*"a".repeat(54), false),
    ] {
        let mut options = TemplateOptions::default();
        name.clone_into(&mut options.release.name);
        let rendered = template(
            small_chart("kind: A").unwrap(),
            &Values::new(),
            &options,
            None,
        );
        assert_eq!(rendered.is_ok(), is_valid, "{name}");
    }
    let mut options = TemplateOptions::default();
    "-a".clone_into(&mut options.release.name);
    let chart = small_chart("kind: A").unwrap();
    let error = template(chart, &Values::new(), &options, None).unwrap_err();
    let expected = "release name check failed: release name \"-a\": invalid release name, must \
                    match regex ^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$ \
                    and the length must not be longer than 53";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn threads_render_the_same_bytes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/charts/subcharts");
    let expected = fs::read(root.join("expected.yaml")).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| assert_eq!(render(&root).unwrap(), expected));
        }
    });
}

#[test]
fn lookup_asks_the_cluster_of_the_caller() {
    struct Answers;
    impl Cluster for Answers {
        fn lookup(
            &mut self,
            api_version: &str,
            kind: &str,
            namespace: &str,
            name: &str,
        ) -> Result<Option<Json>, String> {
            match name {
                "absent" => Ok(None),
                "hidden" => Err("secrets is forbidden".to_owned()),
                name => Ok(Some(serde_json::json!({
                    "apiVersion": api_version,
                    "kind": kind,
                    "metadata": {"name": name, "namespace": namespace, "generation": 1_000_000},
                }))),
            }
        }
    }
    let lookup = |name: &str| {
        let text = format!(
            "object: {{{{ lookup \"v1\" \"Secret\" \"default\" \"{name}\" | toJson }}}}\n\
             generation: {{{{ (lookup \"v1\" \"Secret\" \"default\" \"x\").metadata.generation }}}}"
        );
        let chart = small_chart(&text)?;
        let options = TemplateOptions::default();
        Ok::<_, Error>(
            template(chart, &Values::new(), &options, Some(Box::new(Answers)))?.to_text(),
        )
    };
    let text = String::from_utf8(lookup("x").unwrap()).unwrap();
    // Numbers of objects are whole numbers, unlike those of values.
    assert!(text.ends_with("generation: 1000000\n"), "{text}");
    let text = String::from_utf8(lookup("absent").unwrap()).unwrap();
    assert!(text.contains("object: {}\n"), "{text}");
    let error = lookup("hidden").unwrap_err().to_string();
    assert!(
        error.ends_with("error calling lookup: secrets is forbidden"),
        "{error}"
    );
}
