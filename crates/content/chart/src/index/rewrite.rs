//! Checks an index and writes it as the JSON that Flux stores.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom, Write};

use sluice_golang::semver::Version;
use sluice_golang::sort;
use sluice_yaml::json;

use super::IndexError;
use super::entry::{ChartVersion, invalid_time};
use super::print::{self, indent, separate};
use super::read::{Visit, read};
use crate::time;
use crate::values::Json;

/// Checks an index and writes it to `out`. The charts wait in `scratch`, because the output sorts
/// them by name.
pub fn rewrite(
    text: &[u8],
    scratch: &mut (impl Read + Write + Seek),
    out: &mut impl Write,
) -> Result<(), IndexError> {
    let mut rewriter = Rewriter {
        scratch,
        written: 0,
        charts: BTreeMap::new(),
        has_entries: false,
        root: Root::default(),
        current: None,
    };
    read(text, &mut rewriter)?;
    rewriter.finish(out)
}

/// The root fields of an index.
#[derive(Default)]
struct Root {
    server_info: Option<Json>,
    api_version: String,
    generated: Option<String>,
    public_keys: Option<Json>,
    annotations: Option<Json>,
}

/// The versions of a chart in the scratch file.
#[derive(Clone, Copy)]
enum StoredVersions {
    Null,
    At { from: u64, size: u64 },
}

struct Rewriter<'s, S> {
    scratch: &'s mut S,
    written: u64,
    charts: BTreeMap<String, StoredVersions>,
    has_entries: bool,
    root: Root,
    current: Option<(String, Vec<PrintedVersion>)>,
}

/// A printed version, and what sorts it.
struct PrintedVersion {
    version: Option<Version>,
    text: Vec<u8>,
}

impl<S: Read + Write + Seek> Visit for Rewriter<'_, S> {
    fn field(&mut self, key: &str, value: Json) -> Result<(), IndexError> {
        self.root.set(key, value).map_err(|error| {
            IndexError::Content(format!(
                "error unmarshaling JSON: while decoding JSON: {error}"
            ))
        })
    }

    fn chart(&mut self, name: &str) -> Result<bool, IndexError> {
        self.has_entries = true;
        self.current = Some((name.to_owned(), Vec::new()));
        Ok(true)
    }

    fn version(&mut self, entry: &Json, is_strict: bool) -> Result<(), IndexError> {
        let decoded = decode(entry, is_strict)?;
        if let (Some(decoded), Some((_, printed))) = (decoded, &mut self.current) {
            let mut text = Vec::new();
            print::write(&decoded.encode(), 3, &mut text)?;
            printed.push(PrintedVersion {
                version: decoded.parsed(),
                text,
            });
        }
        Ok(())
    }

    fn end_chart(&mut self, is_null: bool) -> Result<(), IndexError> {
        let Some((name, mut versions)) = self.current.take() else {
            return Ok(());
        };
        if is_null {
            self.charts.insert(name, StoredVersions::Null);
            return Ok(());
        }
        sort::sort(&mut versions, |left, right| {
            is_less(right.version.as_ref(), left.version.as_ref())
        });
        let from = self.written;
        for (index, version) in versions.iter().enumerate() {
            let mut head = Vec::new();
            separate(index, 3, &mut head)?;
            self.scratch.write_all(&head)?;
            self.scratch.write_all(&version.text)?;
            self.written += (head.len() + version.text.len()) as u64;
        }
        let size = self.written - from;
        self.charts.insert(name, StoredVersions::At { from, size });
        Ok(())
    }
}

impl<S: Read + Write + Seek> Rewriter<'_, S> {
    fn finish(self, out: &mut impl Write) -> Result<(), IndexError> {
        let root = self.root;
        if root.api_version.is_empty() {
            return Err(IndexError::NoApiVersion);
        }
        self.scratch.flush()?;
        out.write_all(b"{\n")?;
        optional("serverInfo", root.server_info.as_ref(), true, out)?;
        let version = json::quote(&root.api_version);
        let generated = root.generated.as_deref().unwrap_or(time::ZERO);
        let generated = json::quote(generated);
        write!(
            out,
            "  \"apiVersion\": {version},\n  \"generated\": {generated},\n"
        )?;
        out.write_all(b"  \"entries\": ")?;
        if self.charts.is_empty() {
            out.write_all(if self.has_entries { b"{}" } else { b"null" })?;
        } else {
            out.write_all(b"{\n")?;
            for (index, (name, stored)) in self.charts.iter().enumerate() {
                separate(index, 2, out)?;
                write!(out, "{}: ", json::quote(name))?;
                copy(self.scratch, *stored, out)?;
            }
            out.write_all(b"\n  }")?;
        }
        optional("publicKeys", root.public_keys.as_ref(), false, out)?;
        optional("annotations", root.annotations.as_ref(), false, out)?;
        out.write_all(b"\n}")?;
        Ok(())
    }
}

fn copy(
    scratch: &mut (impl Read + Seek),
    stored: StoredVersions,
    out: &mut impl Write,
) -> io::Result<()> {
    match stored {
        StoredVersions::Null => out.write_all(b"null"),
        StoredVersions::At { size: 0, .. } => out.write_all(b"[]"),
        StoredVersions::At { from, size } => {
            out.write_all(b"[\n")?;
            scratch.seek(SeekFrom::Start(from))?;
            io::copy(&mut scratch.take(size), out)?;
            out.write_all(b"\n")?;
            indent(2, out)?;
            out.write_all(b"]")
        }
    }
}

impl Root {
    fn set(&mut self, key: &str, value: Json) -> Result<(), String> {
        let mismatch = |key: &str, of: &str| {
            format!(
                "json: cannot unmarshal value into Go struct field IndexFile.{key} of type {of}"
            )
        };
        match (key.to_ascii_lowercase().as_str(), value) {
            (_, Json::Null) => {}
            ("apiversion", Json::String(text)) => self.api_version = text,
            ("apiversion", Json::Number(number)) => self.api_version = number.to_string(),
            ("apiversion", _) => return Err(mismatch("apiVersion", "string")),
            ("generated", Json::String(text)) => {
                let time = time::normalize(&text).ok_or_else(|| invalid_time(&text))?;
                self.generated = Some(time);
            }
            ("generated", _) => return Err(mismatch("generated", "time.Time")),
            ("serverinfo", value @ Json::Object(_)) => self.server_info = Some(sorted(value)),
            ("serverinfo", _) => return Err(mismatch("serverInfo", "map[string]interface {}")),
            ("publickeys", value @ Json::Array(_)) => self.public_keys = Some(value),
            ("publickeys", _) => return Err(mismatch("publicKeys", "[]string")),
            ("annotations", value @ Json::Object(_)) => self.annotations = Some(sorted(value)),
            ("annotations", _) => return Err(mismatch("annotations", "map[string]string")),
            _ => {}
        }
        Ok(())
    }
}

/// Writes a field that Go omits when it is empty, before or after the other ones.
fn optional(
    key: &str,
    value: Option<&Json>,
    is_first: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let is_empty = match value {
        None => true,
        Some(Json::Array(items)) => items.is_empty(),
        Some(Json::Object(entries)) => entries.is_empty(),
        Some(_) => false,
    };
    let Some(value) = value.filter(|_| !is_empty) else {
        return Ok(());
    };
    if !is_first {
        out.write_all(b",\n")?;
    }
    write!(out, "  {}: ", json::quote(key))?;
    print::write(value, 1, out)?;
    if is_first {
        out.write_all(b",\n")?;
    }
    Ok(())
}

/// A value whose maps are sorted by their keys, as Go prints them.
fn sorted(value: Json) -> Json {
    match value {
        Json::Array(items) => Json::Array(items.into_iter().map(sorted).collect()),
        Json::Object(entries) => {
            let mut entries: Vec<_> = entries.into_iter().collect();
            entries.sort_by(|(left, _), (right, _)| left.cmp(right));
            let entries = entries.into_iter();
            Json::Object(entries.map(|(key, value)| (key, sorted(value))).collect())
        }
        other => other,
    }
}

/// Helm's order of versions, where a malformed one is the least.
pub(super) fn is_less(left: Option<&Version>, right: Option<&Version>) -> bool {
    match (left, right) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(left), Some(right)) => left < right,
    }
}

pub(super) fn decode(entry: &Json, is_strict: bool) -> Result<Option<ChartVersion>, IndexError> {
    ChartVersion::decode(entry, is_strict).map_err(|error| {
        IndexError::Content(format!(
            "error unmarshaling JSON: while decoding JSON: {error}"
        ))
    })
}
