//! Objects of a preview: those in files first, then those of the cluster.

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;
use sluice_client::GroupVersionKind;
use sluice_golang::base64;
use sluice_golang::error::chain;
use sluice_golang::quote::quote;
use sluice_insight::kinds::by_kind;
use sluice_object::Object;
use sluice_system::fs;
use sluice_yaml::v2;

use crate::{Error, ObjectLookup};

/// Maximum size of a file with objects.
const MAX_FILE_BYTES: u64 = 32 << 20;

/// Objects of files, and a cluster with others.
pub struct Objects<'c> {
    files: Vec<Object>,
    /// Flag that names the files.
    flag: &'static str,
    /// Files of the directory that are not YAML, such as templates of charts.
    skipped: usize,
    cluster: Option<&'c dyn ObjectLookup>,
}

impl<'c> Objects<'c> {
    /// Uses the objects of a cluster only.
    pub fn of_cluster(cluster: &'c dyn ObjectLookup) -> Self {
        Self {
            files: Vec::new(),
            flag: "",
            skipped: 0,
            cluster: Some(cluster),
        }
    }

    /// Reads a file, or all YAML files below a directory. Hints name the flag of the path.
    pub fn read(
        path: Option<&Path>,
        flag: &'static str,
        cluster: Option<&'c dyn ObjectLookup>,
    ) -> Result<Self, Error> {
        let mut objects = Self {
            files: Vec::new(),
            flag,
            skipped: 0,
            cluster,
        };
        match path {
            Some(path) if path.is_dir() => objects.add_directory(path)?,
            Some(path) => {
                let read = documents(path);
                objects.files = read.map_err(|error| {
                    Error::user(error).hint(format!(
                        "set {flag} to a file or a directory with YAML files"
                    ))
                })?;
            }
            None => {}
        }
        Ok(objects)
    }

    fn add_directory(&mut self, directory: &Path) -> Result<(), Error> {
        let entries = fs::read_dir(directory);
        let entries = entries.map_err(|error| Error::user(chain(&error)))?;
        for entry in entries {
            if entry.file_type.is_dir() {
                if entry.path.file_name().is_none_or(|name| name != ".git") {
                    self.add_directory(&entry.path)?;
                }
            } else if is_yaml(&entry.path) {
                match documents(&entry.path) {
                    Ok(found) => self.files.extend(found),
                    Err(_) => self.skipped += 1,
                }
            }
        }
        Ok(())
    }

    /// Returns an object of a kind. In files, an object without a namespace is in every namespace.
    pub fn find(&self, kind: &str, namespace: &str, name: &str) -> Result<Option<Object>, Error> {
        let gvk = match by_kind(kind) {
            Some(resource) => resource.gvk(),
            None => GroupVersionKind::gvk("", "v1", kind),
        };
        let in_files = self.files.iter().find(|object| {
            object.is(&gvk.group, kind)
                && object.name() == name
                && [namespace, ""].contains(&object.namespace())
        });
        match (in_files, self.cluster) {
            (Some(object), _) => Ok(Some(object.clone())),
            (None, Some(cluster)) => cluster.find(&gvk, namespace, name),
            (None, None) => Ok(None),
        }
    }

    /// Returns the objects of a kind in files.
    pub fn all(&self, kind: &str) -> impl Iterator<Item = &Object> {
        let resource = by_kind(kind);
        self.files.iter().filter(move |object| {
            resource.is_some_and(|resource| object.is(&resource.gvk().group, resource.kind))
        })
    }

    /// Returns an object of a kind, or an error.
    pub fn required<T: DeserializeOwned>(
        &self,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> Result<T, Error> {
        let found = self.find(kind, namespace, name)?;
        let found = found.ok_or_else(|| self.not_found(kind, namespace, name))?;
        serde_json::from_value(found.into_value()).map_err(|error| {
            Error::user(format!(
                "{kind} object '{name}' in \"{namespace}\" namespace is invalid: {error}"
            ))
        })
    }

    fn not_found(&self, kind: &str, namespace: &str, name: &str) -> Error {
        let error = Error::user(format!(
            "{kind} object '{name}' not found in \"{namespace}\" namespace"
        ));
        let add = format!("add it to the files of {}", self.flag);
        match (self.cluster, self.skipped) {
            (None, 0) => error.hint(add),
            (None, skipped) => error.hint(format!("{add}; files that are not YAML: {skipped}")),
            (Some(_), _) => error,
        }
    }
}

/// Returns the entries of a `ConfigMap` or a Secret.
pub fn entries(object: &Object) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    let (kind, namespace, name) = (object.kind(), object.namespace(), object.name());
    if object.get("sops").is_some() {
        return Err(
            Error::user(format!("{kind} '{namespace}/{name}' is encrypted"))
                .hint("remove it from --helmrelease-file to use the object of the cluster"),
        );
    }
    let field = |field| {
        let map = object.get(field).and_then(Value::as_object);
        let texts = map.into_iter().flatten();
        texts.filter_map(|(name, value)| Some((name.clone(), value.as_str()?)))
    };
    let mut entries = BTreeMap::new();
    for (key, text) in field("data") {
        let bytes = if kind == "Secret" {
            base64::decode(text.as_bytes()).map_err(|error| {
                Error::user(format!(
                    "key '{key}' of Secret '{namespace}/{name}': {error}"
                ))
            })?
        } else {
            text.as_bytes().to_vec()
        };
        entries.insert(key, bytes);
    }
    let plain = field("stringData").map(|(key, text)| (key, text.as_bytes().to_vec()));
    entries.extend(plain);
    Ok(entries)
}

fn is_yaml(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml"))
}

/// Reads the documents of a file.
fn documents(path: &Path) -> Result<Vec<Object>, String> {
    let shown = quote(&path.display().to_string());
    let bytes = fs::read_limited(path, MAX_FILE_BYTES).map_err(|error| chain(&error))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{shown} is not UTF-8"))?;
    let documents = v2::documents(&text).map_err(|error| format!("parse {shown}: {error}"))?;
    let objects = documents.into_iter().filter_map(|document| match document {
        Value::Object(map) => Some(Object::from_map(map)),
        _ => None,
    });
    Ok(objects.collect())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn objects(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let path = directory.path().to_owned();
        (directory, path)
    }

    #[test]
    fn object_is_found_below_a_directory() {
        let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n";
        let everywhere = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";
        let (_kept, path) = objects(&[
            ("x/one.yaml", &format!("{map}---\n{everywhere}")),
            ("chart/templates/a.yaml", "{{ if }}\n"),
        ]);
        let objects = Objects::read(Some(&path), "--helmrelease-file", None).unwrap();
        let is_found = |namespace, name| {
            let found = objects.find("ConfigMap", namespace, name).unwrap();
            found.is_some()
        };
        assert!(is_found("b", "a"));
        assert!(!is_found("other", "a"));
        assert!(is_found("other", "c"));
        let error = objects.required::<Value>("Secret", "b", "a").unwrap_err();
        assert_eq!(
            error.message(),
            "Secret object 'a' not found in \"b\" namespace"
        );
        assert_eq!(objects.skipped, 1);
    }

    #[test]
    fn malformed_file_is_an_error() {
        let (_kept, path) = objects(&[("a.yaml", "a: [\n")]);
        let error = Objects::read(Some(&path.join("a.yaml")), "--helmrelease-file", None).err();
        assert!(error.unwrap().message().starts_with("parse "));
    }
}
