//! The releases of the takeover: charts, values, specs, and how their last action ended.

use serde_json::{Value, json};

use super::{NAMESPACE, STORAGE};

/// How the last action of a release ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Deployed,
    Failed,
    Tested,
}

/// A chart of one version.
#[derive(Debug, Clone)]
pub(super) struct TestChart {
    pub(super) version: String,
    /// Further fields of `Chart.yaml`.
    more: &'static str,
    files: Vec<(&'static str, &'static str)>,
}

impl TestChart {
    fn new(version: &str, files: &[(&'static str, &'static str)]) -> Self {
        Self {
            version: version.to_owned(),
            more: "",
            files: files.to_vec(),
        }
    }

    /// The text of `Chart.yaml`.
    pub(super) fn metadata(&self) -> String {
        let (version, more) = (&self.version, self.more);
        format!("apiVersion: v2\nname: web\nversion: {version}\nappVersion: a{version}\n{more}")
    }

    /// The other files.
    pub(super) fn templates(&self) -> Vec<(&str, &str)> {
        self.files.clone()
    }
}

/// A release, from its installation to its last upgrade.
#[derive(Debug, Clone)]
pub(super) struct Case {
    /// The name of the `HelmRelease`.
    pub(super) name: &'static str,
    pub(super) spec: Value,
    /// The charts of the revisions.
    pub(super) charts: Vec<TestChart>,
    /// The values of the revisions.
    pub(super) values: Vec<Value>,
    pub(super) outcome: Outcome,
    pub(super) is_oci: bool,
    /// Whether it is suspended in the end.
    pub(super) is_suspended: bool,
}

impl Case {
    fn new(name: &'static str, values: &[Value]) -> Self {
        Self {
            name,
            spec: json!({}),
            charts: vec![TestChart::new("1.0.0", &[CONFIG]); values.len()],
            values: values.to_vec(),
            outcome: Outcome::Deployed,
            is_oci: false,
            is_suspended: false,
        }
    }

    fn files(self, files: &[(&'static str, &'static str)]) -> Self {
        let chart = TestChart::new("1.0.0", files);
        let charts = vec![chart; self.values.len()];
        Self { charts, ..self }
    }

    fn versions(self, charts: &[(&str, &[(&'static str, &'static str)])]) -> Self {
        let charts = charts
            .iter()
            .map(|(version, files)| TestChart::new(version, files));
        let charts = charts.collect();
        Self { charts, ..self }
    }

    fn dependency(mut self) -> Self {
        for chart in &mut self.charts {
            chart.more = "dependencies: [{name: child, version: 0.1.0, condition: child.on}]\n";
        }
        self
    }

    fn spec(self, spec: Value) -> Self {
        Self { spec, ..self }
    }

    fn outcome(self, outcome: Outcome) -> Self {
        Self { outcome, ..self }
    }

    fn text(&self, field: &str) -> Option<&str> {
        self.spec[field].as_str()
    }

    /// The namespace of the records.
    pub(super) fn storage(&self) -> &str {
        self.text("storageNamespace").unwrap_or(NAMESPACE)
    }

    /// The name of the release, which is in its records.
    pub(super) fn release_name(&self) -> String {
        let name = self.text("releaseName").unwrap_or(self.name);
        match self.text("targetNamespace") {
            Some(target) if self.text("releaseName").is_none() => format!("{target}-{name}"),
            _ => name.to_owned(),
        }
    }

    /// Kind and name of the source.
    pub(super) fn source(&self) -> (&'static str, String) {
        let kind = if self.is_oci {
            "OCIRepository"
        } else {
            "HelmChart"
        };
        (kind, format!("{}-chart", self.name))
    }
}

const CONFIG: (&str, &str) = (
    "templates/config.yaml",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Release.Name }}'}\ndata:\n  \
     values: {{ .Values | toJson | quote }}\n  version: {{ .Chart.Version | quote }}\n",
);
const REFUSED: (&str, &str) = (
    "templates/refused.yaml",
    "apiVersion: v1\nkind: Service\nmetadata: {name: '{{ .Release.Name }}'}\nspec: {ports: [{port: 70000}]}\n",
);
const HOOK: (&str, &str) = (
    "templates/hook.yaml",
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: '{{ .Release.Name }}-hook'\n  \
     annotations: {helm.sh/hook: 'pre-install,post-upgrade', helm.sh/hook-weight: '-1'}\n",
);
const TEST: (&str, &str) = (
    "templates/test.yaml",
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: '{{ .Release.Name }}-test'\n  \
     annotations: {helm.sh/hook: test}\n",
);
const NOTES: (&str, &str) = (
    "templates/NOTES.txt",
    "Installed {{ .Release.Name }} <&>.\n",
);
const DEFAULTS: (&str, &str) = (
    "values.yaml",
    "# Defaults.\nreplicas: 2\nchild: {on: true}\n",
);
const SCHEMA: (&str, &str) = (
    "values.schema.json",
    "{\"type\": \"object\", \"properties\": {\"replicas\": {\"type\": \"integer\"}}}\n",
);
const CHILD: [(&str, &str); 2] = [
    (
        "charts/child/Chart.yaml",
        "apiVersion: v2\nname: child\nversion: 0.1.0\n",
    ),
    (
        "charts/child/templates/child.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Release.Name }}-child'}\n",
    ),
];
const DEFINITION: (&str, &str) = (
    "crds/tab.yaml",
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: tabs.takeover.example.com}\n\
     spec:\n  group: takeover.example.com\n  scope: Namespaced\n  names: {kind: Tab, plural: tabs}\n  \
     versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]\n",
);

/// Values whose form matters for their digest.
fn values() -> [(&'static str, Value); 15] {
    [
        ("empty", json!({})),
        ("text", json!({"text": "one"})),
        (
            "integers",
            json!({"replicas": 3, "big": 12_345_678_901_i64, "negative": -7}),
        ),
        (
            "floats",
            json!({"half": 0.5, "whole": 2.0, "large": 1e21, "small": 1e-7}),
        ),
        (
            "booleans",
            json!({"on": true, "off": false, "word": "true"}),
        ),
        ("nothing", json!({"empty": "", "list": [], "map": {}})),
        (
            "lists",
            json!({"list": [1, "two", [3.5, {"four": 4}], {"b": 1, "a": 2}]}),
        ),
        (
            "nested",
            json!({"z": {"y": {"x": {"w": [1]}}}, "a": {"c": 1, "b": 2}}),
        ),
        (
            "order",
            json!({"b": 1, "a10": 2, "a2": 3, "B": 4, "_": 5, "-": 6}),
        ),
        (
            "unicode",
            json!({"text": "grüße, 世界 \u{1f600}", "ключ": "\u{200b}"}),
        ),
        (
            "lines",
            json!({"text": "one\ntwo\n", "kept": "one\n\n", "folded": " leading\ttab "}),
        ),
        (
            "markup",
            json!({"text": "<a href=\"?a=1&b=2\">", "template": "{{ .Values }}"}),
        ),
        (
            "numbers",
            json!({"octal": "0644", "hex": "0x1F", "time": "12:34:56", "exponent": "1e3"}),
        ),
        (
            "words",
            json!({"yes": "yes", "no": "no", "null": "null", "tilde": "~", "on": "on"}),
        ),
        (
            "long",
            json!({"text": "word ".repeat(60), "id": "0123456789".repeat(20)}),
        ),
    ]
}

/// All releases.
pub(super) fn all() -> Vec<Case> {
    let one = || json!({"text": "one"});
    let two = || json!({"text": "two", "replicas": 1});
    let values = values().into_iter();
    let mut cases: Vec<Case> = values
        .map(|(name, value)| Case::new(name, &[value]))
        .collect();
    let long = "a-name-of-a-release-that-is-longer-than-fifty-three-characters";
    cases.extend([
        Case::new("upgraded", &[one(), two()]),
        Case::new("replaced", &[one(), one()])
            .versions(&[("1.0.0", &[CONFIG]), ("1.1.0", &[CONFIG, NOTES])]),
        Case::new("thrice", &[one(), two(), one()]),
        Case::new("hooked", &[one()]).files(&[CONFIG, HOOK]),
        Case::new("noted", &[one()]).files(&[CONFIG, NOTES]),
        Case::new("defaulted", &[one()]).files(&[CONFIG, DEFAULTS, SCHEMA]),
        Case::new("parent", &[json!({"child": {"on": true}})])
            .files(&[CONFIG, DEFAULTS, CHILD[0], CHILD[1]])
            .dependency(),
        Case::new("childless", &[json!({"child": {"on": false}})])
            .files(&[CONFIG, DEFAULTS, CHILD[0], CHILD[1]])
            .dependency(),
        Case::new("defined", &[one()]).files(&[CONFIG, DEFINITION]),
        Case::new("tested", &[one()])
            .files(&[CONFIG, TEST])
            .spec(json!({"test": {"enable": true}}))
            .outcome(Outcome::Tested),
        Case::new("untested", &[one()]).files(&[CONFIG, TEST]),
        Case::new("refused", &[one()])
            .files(&[CONFIG, REFUSED])
            .outcome(Outcome::Failed),
        Case::new("refused-upgrade", &[one(), one()])
            .versions(&[("1.0.0", &[CONFIG]), ("2.0.0", &[CONFIG, REFUSED])])
            .outcome(Outcome::Failed),
        Case::new("named", &[one()]).spec(json!({"releaseName": "shop"})),
        Case::new("stored", &[one()]).spec(json!({"storageNamespace": STORAGE})),
        Case::new("targeted", &[one()]).spec(json!({"targetNamespace": STORAGE})),
        Case {
            is_suspended: true,
            ..Case::new("suspended", &[one()])
        },
        Case::new("shortened", &[one()]).spec(json!({"releaseName": &long[..53]})),
        Case {
            is_oci: true,
            ..Case::new("registry", &[one()])
        },
    ]);
    cases
}
