//! The builtin `ValueAddTransformer`: puts one value into fields of resources,
//! or as a part into the file paths that they hold.
//!
//! Parity: kustomize: `api/filters/valueadd`,
//! `api/internal/builtins/ValueAddTransformer.go`, `InsertPathPart` of
//! `kyaml/filesys`.

use sluice_yaml::tree::{Node, Tag, Text};

use crate::error::{Code, Error};
use crate::growth::Growth;
use crate::resource::Resource;
use crate::transform::fault::{Fault, Kind, expect_kind};
use crate::transform::fieldspec::set_scalar;
use crate::transform::namespace::{self, Namespace};
use crate::transform::path::{self, Create};

/// Where to put the value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// Names between `/`; `\/` is a slash.
    pub(crate) field_path: String,
    /// The position in a file path, from one; zero replaces the field.
    pub(crate) file_path_position: i64,
}

impl Place {
    /// Says what is wrong with it.
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
    place: &Place,
    growth: &Growth,
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

fn put(root: &mut Node, value: &str, place: &Place, growth: &Growth) -> Result<(), Fault> {
    let parts = split(&place.field_path);
    let create = Create {
        leaf: Kind::Scalar,
        growth,
    };
    let location = path::locate_or_create(root, &parts, create)?;
    let Some(node) = location.and_then(|location| path::at_mut(root, &location)) else {
        return Ok(());
    };
    expect_kind(node, Kind::Scalar)?;
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

/// Splits at slashes that are not escaped; unlike other paths it does not pass
/// over a leading one, as empty parts are passed over later on.
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

/// Inserts a part into a file path, which stays absolute if it is. A position
/// beyond its end is its end.
fn insert_part(path: &str, position: usize, part: &str) -> String {
    if part.is_empty() {
        return path.to_owned();
    }
    let is_absolute = path.starts_with('/');
    let mut parts: Vec<&str> = clean_parts(path);
    parts.insert(position.min(parts.len()), part);
    join(&parts, is_absolute)
}

/// The parts of a file path without those that say nothing.
fn clean_parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

/// Leaves out `.`, and `..` with what it takes back.
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
    use super::{Place, apply, insert_part};
    use crate::growth::Growth;
    use crate::transform::testing::{printed, resources};

    #[test]
    fn a_part_goes_into_a_file_path_where_it_is_asked_for() {
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
        let place = Place {
            field_path: field_path.to_owned(),
            file_path_position,
        };
        let mut resources = resources(text);
        for resource in resources.iter_mut() {
            apply(resource, "new", &place, &Growth::default()).unwrap();
        }
        printed(&resources)
    }

    #[test]
    fn a_field_is_replaced_or_made() {
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
    fn a_place_without_a_field_is_refused() {
        assert!(Place::default().validate().is_err());
        let negative = Place {
            field_path: "a".to_owned(),
            file_path_position: -1,
        };
        assert!(negative.validate().is_err());
    }
}
