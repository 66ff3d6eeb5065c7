//! Executes the templates of a chart and its dependencies.

mod functions;
mod objects;
mod trace;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use sluice_gotemplate::value::CompositeType;
use sluice_gotemplate::{
    FuncMap, GoString, List, Map, MissingKey, Observations, TemplateSet, Type, Value,
};

use crate::capabilities::Capabilities;
use crate::chart::Chart;
use crate::coalesce::{self, Nulls};
use crate::error::Error;
use crate::hint;
use crate::metadata::{Dependency, Maintainer, Metadata};
use crate::report::PhaseClock;
use crate::values::{self, Json, Values};
use functions::State;

/// The name of the set of templates, and of the text that `tpl` parses.
const SET: &str = "gotpl";
/// The text that Go prints for a missing value, and Helm removes.
const NO_VALUE: &[u8] = b"<no value>";
/// `common.Values` of Helm.
const VALUES: CompositeType = CompositeType::new("common.Values", Type::Any);

/// The release that a chart is rendered for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// The name.
    pub name: String,
    /// The namespace.
    pub namespace: String,
    /// The revision, from 1.
    pub revision: i64,
    /// Whether a release is upgraded, and not installed.
    pub is_upgrade: bool,
}

impl Default for Release {
    fn default() -> Self {
        Self {
            name: "release-name".to_owned(),
            namespace: "default".to_owned(),
            revision: 1,
            is_upgrade: false,
        }
    }
}

/// The world outside of the templates, where functions such as `lookup` find things.
pub trait Cluster {
    /// Finds an object, or a list of all objects if the name is empty.
    ///
    /// `None` stands for an object that does not exist.
    fn lookup(
        &mut self,
        api_version: &str,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Json>, String>;

    /// Returns the addresses of a host. `None` means that a render must not look up names.
    fn resolve(&mut self, _host: &str) -> Option<Vec<String>> {
        None
    }
}

/// The data of templates.
pub(crate) struct Scope<'s> {
    pub(crate) values: Map,
    pub(crate) release: &'s Release,
    pub(crate) capabilities: &'s Capabilities,
}

/// The values of a chart and its dependencies with those of the user.
pub(crate) fn values(chart: &Chart, user: &Values) -> Result<Map, Error> {
    coalesce::values(chart, &coalesce::fresh(user), Nulls::Delete)
}

/// A template that is to be parsed, and executed unless it is a partial.
struct Template {
    text: GoString,
    scope: Map,
    base_path: String,
}

/// Executes all templates, and returns the output by path, with what was observed.
pub(crate) fn files(
    chart: &Chart,
    scope: &Scope<'_>,
    render: sluice_gotemplate::Render<'_>,
    cluster: Option<Box<dyn Cluster>>,
    clock: &mut PhaseClock,
) -> Result<(BTreeMap<String, GoString>, Observations), Error> {
    let top = Map::of_type(&VALUES);
    let release = scope.release;
    let release: Map = [
        ("Name", Value::from(&*release.name)),
        ("Namespace", release.namespace.as_str().into()),
        ("IsUpgrade", release.is_upgrade.into()),
        ("IsInstall", (!release.is_upgrade).into()),
        ("Revision", Value::int(release.revision)),
        ("Service", "Helm".into()),
    ]
    .into_iter()
    .collect();
    top.set("Release", release);
    top.set("Capabilities", objects::capabilities(scope.capabilities));
    top.set("Values", scope.values.with_type(&VALUES));
    let mut templates = BTreeMap::new();
    collect(chart, chart.name(), None, &top, &mut templates);
    let mut order: Vec<&String> = templates.keys().collect();
    // The deepest path comes first, so that a parent's definition replaces that of its dependency.
    order.sort_by_key(|path| {
        let depth = path.bytes().filter(|byte| *byte == b'/').count();
        std::cmp::Reverse((depth, *path))
    });

    let set = TemplateSet::new(SET, functions()).with_missing_key(MissingKey::Zero);
    let mut set = set;
    for path in &order {
        let text = &templates[*path].text;
        let parsed = set.parse(path, text);
        parsed.map_err(|error| Error::Template {
            text: trace::parse_error(&error.to_string()),
            hint: None,
        })?;
    }
    clock.end("parse");
    let set = Arc::new(set);
    let mut state = State::new(cluster);
    let mut render = render.with_host(&mut state);
    let mut files = BTreeMap::new();
    for path in order {
        let base = path.rsplit('/').next().unwrap_or(path);
        if base.starts_with('_') {
            continue;
        }
        let template = &templates[path];
        let about = Map::of_type(&VALUES);
        about.set("Name", path.as_str());
        about.set("BasePath", template.base_path.as_str());
        template.scope.set("Template", about);
        let data = Value::Map(template.scope.clone());
        let mut out = Vec::new();
        set.execute(&mut render, path, &data, &mut out)
            .map_err(|error| {
                let text = trace::exec_error(&error);
                let values = values::table(&template.scope, "Values");
                let hint = values
                    .ok()
                    .and_then(|values| hint::missing_value_hint(&text, &values));
                Error::Template { text, hint }
            })?;
        files.insert(path.clone(), without_no_value(out).into());
    }
    Ok((files, render.finish()))
}

/// The functions of Helm.
fn functions() -> Arc<FuncMap> {
    static FUNCTIONS: OnceLock<Arc<FuncMap>> = OnceLock::new();
    Arc::clone(FUNCTIONS.get_or_init(|| Arc::new(functions::func_map())))
}

/// Collects the templates of a chart and its dependencies; returns what its templates see.
fn collect(
    chart: &Chart,
    path: &str,
    parent: Option<&Map>,
    top: &Map,
    templates: &mut BTreeMap<String, Template>,
) -> Map {
    let scope = Map::of_type(&VALUES);
    let subcharts = Map::new();
    let above = parent.unwrap_or(top);
    let inherited = |key: &str| above.get(key.as_bytes()).unwrap_or_default();
    scope.set("Chart", metadata(&chart.metadata, parent.is_none()));
    scope.set("Files", objects::files(&chart.files));
    scope.set("Release", inherited("Release"));
    scope.set("Capabilities", inherited("Capabilities"));
    scope.set("Subcharts", subcharts.clone());
    let values = match parent {
        None => values::table(top, "Values"),
        Some(parent) => values::table(parent, &format!("Values.{}", chart.name())),
    };
    let values = values.map_or_else(
        |_| Map::of_type(&VALUES),
        |values| values.with_type(&VALUES),
    );
    scope.set("Values", values);
    for dependency in &chart.dependencies {
        let path = format!("{path}/charts/{}", dependency.name());
        let below = collect(dependency, &path, Some(&scope), top, templates);
        // In Go it is a map without a name here.
        subcharts.set(dependency.name(), below.with_type(&CompositeType::ANY_MAP));
    }
    for file in &chart.templates {
        let base = file.name.rsplit('/').next().unwrap_or(&file.name);
        if chart.is_library() && !base.starts_with('_') {
            continue;
        }
        let template = Template {
            text: file.data.clone(),
            scope: scope.clone(),
            base_path: format!("{path}/templates"),
        };
        templates.insert(format!("{path}/{}", file.name), template);
    }
    scope
}

/// Metadata by the names of Go's fields.
fn metadata(metadata: &Metadata, is_root: bool) -> Map {
    let texts =
        |texts: &[String]| Value::list(texts.iter().map(|text| Value::from(&**text)).collect());
    let annotations = match &metadata.annotations {
        None => Map::nil(&CompositeType::STRING_MAP),
        Some(entries) => {
            let annotations = Map::of_type(&CompositeType::STRING_MAP);
            for (key, value) in entries {
                annotations.set(key.as_str(), value.as_str());
            }
            annotations
        }
    };
    let dependencies = metadata.dependencies.iter().flatten();
    let maintainers = metadata.maintainers.iter();
    [
        ("Name", Value::from(&*metadata.name)),
        ("Home", (&*metadata.home).into()),
        ("Sources", texts(&metadata.sources)),
        ("Version", (&*metadata.version).into()),
        ("Description", (&*metadata.description).into()),
        ("Keywords", texts(&metadata.keywords)),
        (
            "Maintainers",
            Value::list(maintainers.map(maintainer).collect()),
        ),
        ("Icon", (&*metadata.icon).into()),
        ("APIVersion", (&*metadata.api_version).into()),
        ("Condition", (&*metadata.condition).into()),
        ("Tags", (&*metadata.tags).into()),
        ("AppVersion", (&*metadata.app_version).into()),
        ("Deprecated", metadata.deprecated.into()),
        ("Annotations", annotations.into()),
        ("KubeVersion", (&*metadata.kube_version).into()),
        (
            "Dependencies",
            Value::list(dependencies.map(dependency).collect()),
        ),
        ("Type", (&*metadata.kind).into()),
        ("IsRoot", is_root.into()),
    ]
    .into_iter()
    .collect()
}

fn maintainer(maintainer: &Maintainer) -> Value {
    let fields = [
        ("Name", &maintainer.name),
        ("Email", &maintainer.email),
        ("URL", &maintainer.url),
    ];
    let fields = fields.into_iter();
    Value::Map(
        fields
            .map(|(name, text)| (name, Value::from(&**text)))
            .collect(),
    )
}

fn dependency(dependency: &Dependency) -> Value {
    let tags = dependency.tags.iter().map(|tag| Value::from(&**tag));
    let imports = dependency.import_values.iter().map(|import| match import {
        // Helm has rewritten maps to those of texts.
        Json::Object(entries) => {
            let map = Map::from_json(entries).with_type(&CompositeType::STRING_MAP);
            Value::Map(map)
        }
        other => Value::from_json(other),
    });
    let fields = [
        ("Name", Value::from(&*dependency.name)),
        ("Version", (&*dependency.version).into()),
        ("Repository", (&*dependency.repository).into()),
        ("Condition", (&*dependency.condition).into()),
        ("Tags", Value::list(tags.collect())),
        ("Enabled", dependency.enabled.into()),
        ("ImportValues", Value::list(imports.collect())),
        ("Alias", (&*dependency.alias).into()),
    ];
    Value::Map(fields.into_iter().collect())
}

/// An output without the text for missing values.
fn without_no_value(out: Vec<u8>) -> Vec<u8> {
    if !out.windows(NO_VALUE.len()).any(|window| window == NO_VALUE) {
        return out;
    }
    let mut cleaned = Vec::with_capacity(out.len());
    let mut rest = out.as_slice();
    while let Some((first, after)) = rest.split_first() {
        match rest.strip_prefix(NO_VALUE) {
            Some(after) => rest = after,
            None => {
                cleaned.push(*first);
                rest = after;
            }
        }
    }
    cleaned
}

/// A list of texts, as `[]string`.
fn strings<T: Into<GoString>>(items: impl IntoIterator<Item = T>) -> List {
    let items = items.into_iter().map(Value::string).collect();
    List::new(&CompositeType::STRING_LIST, items)
}

/// An object of Helm as a value.
fn object(object: impl sluice_gotemplate::Object) -> Value {
    Value::Object(Rc::new(object))
}
