//! The builtin `ValueAddTransformer`: puts a value into fields of resources, or into the file
//! paths that they hold.
//!
//! Parity: kustomize: `api/filters/valueadd`,
//! `api/internal/builtins/ValueAddTransformer.go`, `InsertPathPart` of
//! `kyaml/filesys`.

use sluice_yaml::tree::{Node, Tag, Text};

use crate::error::{Code, Error};
use crate::growth::GrowthBudget;
use crate::resource::Resource;
use crate::transform::field_error::{FieldError, NodeKind, expect_kind};
use crate::transform::fieldspec::set_scalar;
use crate::transform::namespace::{self, Namespace};
use crate::transform::path::{self, Create};

/// The field to change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ValueTarget {
    /// Names separated by `/`; `\/` is a slash.
    pub(crate) field_path: String,
    /// The position in a file path, starting at one; zero replaces the field.
    pub(crate) file_path_position: i64,
}

impl ValueTarget {
    /// Checks the arguments.
    pub(crate) fn validate(&self) -> Result<(), Error> {
        let message = if self.field_path.is_empty() {
            "fieldPath cannot be empty".to_owned()
        } else if self.file_path_position < 0 {
            let position = self.file_path_position;
            format!("value of FilePathPosition ({position}) cannot be negative")
        } else {
            return Ok(());
        };
        Err(Error::new(Code::PluginInvalid, message))
    }
}

/// Puts the value into one resource.
pub(crate) fn apply(
    resource: &mut Resource,
    value: &str,
    place: &ValueTarget,
    growth: &GrowthBudget,
) -> Result<(), Error> {
    if place.field_path == "metadata/namespace" {
        let namespace = Namespace {
            name: Text::from(value),
            ..Namespace::default()
        };
        return namespace::apply_to(resource, &namespace, &[]);
    }
    put(resource.node_mut(), value, place, growth)?;
    Ok(())
}

fn put(
    root: &mut Node,
    value: &str,
    place: &ValueTarget,
    growth: &GrowthBudget,
) -> Result<(), FieldError> {
    let parts = split(&place.field_path);
    let create = Create {
        leaf: NodeKind::Scalar,
        growth,
    };
    let location = path::locate_or_create(root, &parts, create)?;
    let Some(node) = location.and_then(|location| path::at_mut(root, &location)) else {
        return Ok(());
    };
    expect_kind(node, NodeKind::Scalar)?;
    let value = match usize::try_from(place.file_path_position) {
        Ok(position) if position > 0 => {
            let path = node.as_str().unwrap_or_default();
            insert_part(path, position - 1, value)
        }
        _ => value.to_owned(),
    };
    if value.is_empty() {
        return Ok(());
    }
    set_scalar(node, Text::from(value), Tag::Unset)
}

/// Splits at unescaped slashes. Keeps empty parts, which the lookup skips.
fn split(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split('/') {
        match parts.last_mut() {
            Some(last) if last.ends_with('\\') => {
                last.pop();
                last.push('/');
                last.push_str(part);
            }
            _ => parts.push(part.to_owned()),
        }
    }
    parts
}

/// Inserts a part into a file path. A position beyond the end appends.
fn insert_part(path: &str, position: usize, part: &str) -> String {
    if part.is_empty() {
        return path.to_owned();
    }
    let is_absolute = path.starts_with('/');
    let mut parts: Vec<&str> = clean_parts(path);
    parts.insert(position.min(parts.len()), part);
    join(&parts, is_absolute)
}

/// Splits a file path into its non-empty parts.
fn clean_parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

/// Joins and normalises the parts of a file path.
fn join(parts: &[&str], is_absolute: bool) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for part in parts {
        match (*part, kept.last()) {
            (".", _) => {}
            ("..", None) if is_absolute => {}
            ("..", Some(&last)) if last != ".." => {
                kept.pop();
            }
            (part, _) => kept.push(part),
        }
    }
    let joined = kept.join("/");
    match (is_absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

#[cfg(test)]
mod tests {
    use super::{ValueTarget, apply, insert_part};
    use crate::growth::GrowthBudget;
    use crate::transform::testing::{printed, resources};

    #[test]
    fn part_is_inserted_into_a_file_path() {
        for (path, position, result) in [
            ("", 0, "PEACH"),
            ("/", 0, "/PEACH"),
            ("pie", 0, "PEACH/pie"),
            ("/pie", 0, "/PEACH/pie"),
            ("raw", 1, "raw/PEACH"),
            ("/raw", 9, "/raw/PEACH"),
            ("a/nice/warm/pie", 3, "a/nice/warm/PEACH/pie"),
            ("./a/../pie", 0, "PEACH/pie"),
            ("../pie", 0, "pie"),
            ("/a/nice/warm/pie", 3, "/a/nice/warm/PEACH/pie"),
        ] {
            assert_eq!(
                insert_part(path, position, "PEACH"),
                result,
                "{path} {position}"
            );
        }
    }

    fn put(text: &str, field_path: &str, file_path_position: i64) -> String {
        let place = ValueTarget {
            field_path: field_path.to_owned(),
            file_path_position,
        };
        let mut resources = resources(text);
        for resource in resources.iter_mut() {
            apply(resource, "new", &place, &GrowthBudget::default()).unwrap();
        }
        printed(&resources)
    }

    #[test]
    fn field_is_replaced_or_created() {
        let pod = "kind: Pod\nmetadata:\n  name: web\n";
        assert_eq!(
            put(pod, "metadata/name", 0),
            "kind: Pod\nmetadata:\n  name: new\n"
        );
        assert_eq!(
            put(pod, "spec/a\\/b/c", 0),
            format!("{pod}spec:\n  a/b:\n    c: new\n")
        );
        assert_eq!(
            put(pod, "metadata/namespace", 0),
            format!("{pod}  namespace: new\n")
        );
        assert_eq!(
            put(pod, "spec/path", 1),
            format!("{pod}spec:\n  path: new\n")
        );
    }

    #[test]
    fn missing_field_or_negative_position_is_rejected() {
        assert!(ValueTarget::default().validate().is_err());
        let negative = ValueTarget {
            field_path: "a".to_owned(),
            file_path_position: -1,
        };
        assert!(negative.validate().is_err());
    }
}
