//! `.Capabilities` and `.Files`.

use std::any::Any;
use std::borrow::Cow;

use sluice_gotemplate::func::Signature;
use sluice_gotemplate::value::CompositeType;
use sluice_gotemplate::{
    Args, Call, Failure, GoString, Kind, List, Map, Object, Outcome, Type, Value,
};

use super::functions::yaml;
use super::{object, strings};
use crate::capabilities::{Capabilities, HelmVersion, KubeVersion};
use crate::chart::File;
use crate::pattern;
use crate::values::Json;

const NO_PARAMS: &Signature = &Signature::fixed(&[]);
const TEXT: &Signature = &Signature::fixed(&[Type::String]);
const FILES: CompositeType = CompositeType::new("map[string][]uint8", Type::Bytes);

/// `.Capabilities`
pub(super) fn capabilities(capabilities: &Capabilities) -> Value {
    object(CapabilitiesObject {
        kube_version: object(KubeVersionObject(capabilities.kube_version.clone())),
        api_versions: object(VersionSet(strings(
            capabilities.api_versions.iter().map(String::as_str),
        ))),
        helm_version: object(HelmVersionObject(capabilities.helm_version.clone())),
    })
}

struct CapabilitiesObject {
    kube_version: Value,
    api_versions: Value,
    helm_version: Value,
}

impl Object for CapabilitiesObject {
    fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed("*common.Capabilities")
    }

    fn kind(&self) -> Kind {
        Kind::Pointer
    }

    fn field(&self, name: &str) -> Option<Value> {
        Some(match name {
            "KubeVersion" => self.kube_version.clone(),
            "APIVersions" => self.api_versions.clone(),
            "HelmVersion" => self.helm_version.clone(),
            _ => return None,
        })
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("KubeVersion", self.kube_version.clone()),
            ("APIVersions", self.api_versions.clone()),
            ("HelmVersion", self.helm_version.clone()),
        ]
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct KubeVersionObject(KubeVersion);

impl Object for KubeVersionObject {
    fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed("common.KubeVersion")
    }

    fn field(&self, name: &str) -> Option<Value> {
        let text = match name {
            "Version" => &self.0.version,
            "Major" => &self.0.major,
            "Minor" => &self.0.minor,
            _ => return None,
        };
        Some(text.as_str().into())
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("Version", self.0.version.as_str().into()),
            ("normalizedVersion", self.0.normalized.as_str().into()),
            ("Major", self.0.major.as_str().into()),
            ("Minor", self.0.minor.as_str().into()),
        ]
    }

    fn method(&self, name: &str) -> Option<&'static Signature> {
        matches!(name, "String" | "GitVersion").then_some(NO_PARAMS)
    }

    fn call(&self, name: &str, _: &mut Call<'_, '_>, _: &Args<'_>) -> Outcome {
        let text = match name {
            "String" => &self.0.normalized,
            _ => &self.0.version,
        };
        Ok(text.as_str().into())
    }

    fn printed(&self) -> Option<GoString> {
        Some(self.0.normalized.as_str().into())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct HelmVersionObject(HelmVersion);

impl Object for HelmVersionObject {
    fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed("version.BuildInfo")
    }

    fn field(&self, name: &str) -> Option<Value> {
        let mut fields = self.fields().into_iter();
        let found = fields.find(|(field, _)| *field == name);
        found.map(|(_, value)| value)
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("Version", self.0.version.as_str().into()),
            ("GitCommit", self.0.git_commit.as_str().into()),
            ("GitTreeState", self.0.git_tree_state.as_str().into()),
            ("GoVersion", self.0.go_version.as_str().into()),
            (
                "KubeClientVersion",
                self.0.kube_client_version.as_str().into(),
            ),
        ]
    }

    /// The keys of Go's tags; those without a value are left out.
    fn json(&self) -> Option<Value> {
        let keys = [
            ("version", &self.0.version),
            ("git_commit", &self.0.git_commit),
            ("git_tree_state", &self.0.git_tree_state),
            ("go_version", &self.0.go_version),
            ("kube_client_version", &self.0.kube_client_version),
        ];
        let keys = keys.into_iter();
        let keys = keys.filter(|(key, text)| !text.is_empty() || *key == "kube_client_version");
        Some(Value::Map(
            keys.map(|(key, text)| (key, text.as_str())).collect(),
        ))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `.Capabilities.APIVersions`
struct VersionSet(List);

impl Object for VersionSet {
    fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed("common.VersionSet")
    }

    fn kind(&self) -> Kind {
        Kind::Slice
    }

    fn method(&self, name: &str) -> Option<&'static Signature> {
        (name == "Has").then_some(TEXT)
    }

    fn call(&self, _: &str, _: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
        let items = self.0.items();
        let mut items = items.iter();
        let is_wanted =
            |item: &Value| matches!(item, Value::String(text) if **text == *args.text(0));
        Ok(items.any(is_wanted).into())
    }

    fn underlying(&self) -> Option<Value> {
        Some(self.0.clone().into())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `.Files`
pub(super) fn files(files: &[File]) -> Value {
    let entries = Map::of_type(&FILES);
    for file in files {
        entries.set(file.name.as_str(), Value::Bytes(file.data.clone()));
    }
    object(Files(entries))
}

struct Files(Map);

impl Files {
    fn get(&self, name: &[u8]) -> GoString {
        match self.0.get(name) {
            Some(Value::Bytes(data)) => data,
            _ => GoString::default(),
        }
    }

    fn glob(&self, pattern: &[u8]) -> Self {
        let pattern = pattern::compile_glob(&String::from_utf8_lossy(pattern));
        let entries = Map::of_type(&FILES);
        for (name, data) in self.0.entries() {
            if pattern
                .as_ref()
                .is_none_or(|pattern| pattern.is_match(&name))
            {
                entries.set(name, data);
            }
        }
        Self(entries)
    }

    /// All files as YAML, by the last part of their paths.
    fn map(&self, text: impl Fn(&[u8]) -> String) -> Value {
        let mut entries = serde_json::Map::new();
        for (name, data) in self.0.entries() {
            let Value::Bytes(data) = data else { continue };
            let name = name.to_text();
            let trimmed = name.trim_end_matches('/');
            let base = trimmed.rsplit('/').next().unwrap_or(trimmed);
            entries.insert(base.to_owned(), Json::String(text(&data)));
        }
        yaml(&Json::Object(entries)).into()
    }
}

impl Object for Files {
    fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed("engine.files")
    }

    fn kind(&self) -> Kind {
        Kind::Map
    }

    fn method(&self, name: &str) -> Option<&'static Signature> {
        match name {
            "Get" | "GetBytes" | "Glob" | "Lines" => Some(TEXT),
            "AsConfig" | "AsSecrets" => Some(NO_PARAMS),
            _ => None,
        }
    }

    fn call(&self, name: &str, call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
        call.steps(self.0.len())?;
        Ok(match name {
            "Get" => self.get(args.text(0)).into(),
            "GetBytes" => Value::Bytes(self.get(args.text(0))),
            "Glob" => object(self.glob(args.text(0))),
            "Lines" => lines(self.0.get(args.text(0)))?,
            "AsConfig" => self.map(|data| String::from_utf8_lossy(data).into_owned()),
            _ => self.map(sluice_golang::base64::encode),
        })
    }

    fn underlying(&self) -> Option<Value> {
        Some(self.0.clone().into())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn lines(data: Option<Value>) -> Result<Value, Failure> {
    let Some(Value::Bytes(data)) = data else {
        return Ok(Value::strings(Vec::<GoString>::new()));
    };
    if data.is_empty() {
        return Err("runtime error: index out of range [-1]".into());
    }
    let text = data.strip_suffix(b"\n").unwrap_or(&data);
    Ok(Value::strings(text.split(|byte| *byte == b'\n')))
}
