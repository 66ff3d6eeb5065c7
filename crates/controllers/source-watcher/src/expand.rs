//! The artifacts of a generator: those of its spec, or one for each directory that matches
//! `spec.pathPattern`. Pure.
//!
//! A pattern such as `@alias/apps/{app}` captures parts of paths. Names and labels have the
//! captures in lower case, and the paths of copies have them as they are.
//!
//! Parity: source-watcher: `internal/controller/artifactgenerator_pathpattern.go`.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use regex::bytes::Regex;
use sluice_api::source_watcher::{ArtifactGeneratorSpec, CopyOperation, OutputArtifact};
use sluice_golang::quote::quote;
use sluice_object::names::{label_key_faults, label_value_faults, subdomain_faults};
use sluice_producer::Entry;
use sluice_system::budget::Budget;

use crate::build::{Trees, lossy};

/// Artifacts of one generator. Each is a request to the API server, and a directory in the storage.
const MAX_ARTIFACTS: usize = 10_000;
/// Bytes of the rendered copies for one step.
const BYTES_PER_STEP: u64 = 8;

/// One artifact to build. Its copies are rendered only while it is built: there may be ten thousand
/// artifacts, each with the copies of a large template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArtifactRequest {
    /// The name.
    pub(crate) name: String,
    /// The index of its template in the spec.
    pub(crate) template: usize,
    /// The captures of its directory. `None` without a path pattern.
    captures: Option<Arc<Captures>>,
}

impl ArtifactRequest {
    /// An artifact of a spec without a path pattern.
    pub(crate) fn plain(artifact: &OutputArtifact, template: usize) -> Self {
        Self {
            name: artifact.name.clone(),
            template,
            captures: None,
        }
    }

    /// The labels of its captures.
    pub(crate) fn labels(&self) -> BTreeMap<String, String> {
        let captures = self.captures.iter().flat_map(|captures| captures.iter());
        captures
            .map(|(name, value)| (name.clone(), value.to_lowercase()))
            .collect()
    }

    /// The copies of its template, with the captures in their paths.
    pub(crate) fn copies(
        &self,
        template: &OutputArtifact,
        budget: &Budget,
    ) -> Result<Vec<CopyOperation>, String> {
        let copies = template.copy.iter().map(|copy| {
            let rendered = match &self.captures {
                Some(captures) => CopyOperation {
                    from: render(&copy.from, captures)?,
                    to: render(&copy.to, captures)?,
                    ..copy.clone()
                },
                None => copy.clone(),
            };
            let excluded: usize = rendered.exclude.iter().map(String::len).sum();
            let bytes = rendered.from.len() + rendered.to.len() + excluded;
            let charged = budget.charge_steps(1 + bytes as u64 / BYTES_PER_STEP);
            charged.map_err(|error| error.to_string())?;
            Ok(rendered)
        });
        copies.collect()
    }
}

/// Why the artifacts of a generator are unknown. No retry helps.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct ExpandError(String);

type Captures = BTreeMap<String, String>;

/// The path pattern of a spec. An empty one is none.
pub(crate) fn path_pattern(spec: &ArtifactGeneratorSpec) -> Option<&str> {
    let pattern = spec.path_pattern.as_deref();
    pattern.filter(|pattern| !pattern.is_empty())
}

/// The artifacts to build.
pub(crate) fn expand(
    spec: &ArtifactGeneratorSpec,
    trees: &Trees,
    budget: &Budget,
) -> Result<Vec<ArtifactRequest>, ExpandError> {
    let Some(pattern) = path_pattern(spec) else {
        let artifacts = spec.artifacts.iter().enumerate();
        let requests = artifacts.map(|(index, artifact)| ArtifactRequest::plain(artifact, index));
        return Ok(requests.collect());
    };
    match_directories(pattern, &spec.artifacts, trees, budget)
}

fn match_directories(
    pattern: &str,
    artifacts: &[OutputArtifact],
    trees: &Trees,
    budget: &Budget,
) -> Result<Vec<ArtifactRequest>, ExpandError> {
    let at = format!("pathPattern {}: ", quote(pattern));
    let failed = |why: String| ExpandError(format!("{at}{why}"));
    let parts = pattern
        .split_once('/')
        .and_then(|(alias, path)| Some((alias.strip_prefix('@')?, path)));
    let (alias, path) =
        parts.ok_or_else(|| ExpandError(format!("invalid pathPattern format: {pattern}")))?;
    let tree = trees
        .get(alias)
        .ok_or_else(|| failed(format!("source alias {alias} not found in local sources")))?;
    let (matcher, names) = compile(path).map_err(failed)?;
    let mut matches = Matches {
        artifacts,
        budget,
        requests: Vec::new(),
        directories: HashMap::new(),
    };
    for (path, entry) in tree.walk(b"") {
        let charged = budget.charge_steps(1 + path.len() as u64 / 8);
        charged.map_err(|error| failed(error.to_string()))?;
        let captures = matcher
            .captures(&path)
            .filter(|_| entry == Entry::Directory);
        let Some(captures) = captures else {
            continue;
        };
        let raw: Captures = names
            .iter()
            .zip(captures.iter().skip(1).flatten())
            .map(|(name, found)| (name.clone(), lossy(found.as_bytes())))
            .collect();
        matches.add(&lossy(&path).into(), raw).map_err(failed)?;
    }
    Ok(matches.requests)
}

/// The artifacts of the matched directories.
struct Matches<'a> {
    artifacts: &'a [OutputArtifact],
    budget: &'a Budget,
    requests: Vec<ArtifactRequest>,
    /// The directory of each artifact, by the name of the artifact.
    directories: HashMap<String, Arc<str>>,
}

impl Matches<'_> {
    /// Adds the artifacts of a directory.
    fn add(&mut self, directory: &Arc<str>, captures: Captures) -> Result<(), String> {
        let labels: Captures = captures
            .iter()
            .map(|(name, value)| (name.clone(), value.to_lowercase()))
            .collect();
        check_labels(&labels)?;
        let captures = Arc::new(captures);
        // The texts of templates are valid or invalid for all matches.
        let is_first = self.requests.is_empty();
        for (template, artifact) in self.artifacts.iter().enumerate() {
            let unrendered = |why: String| {
                let name = &artifact.name;
                format!("failed to render artifact {name} for match {directory}: {why}")
            };
            let request = ArtifactRequest {
                name: render(&artifact.name, &labels).map_err(unrendered)?,
                template,
                captures: Some(Arc::clone(&captures)),
            };
            if is_first {
                request.copies(artifact, self.budget).map_err(unrendered)?;
            }
            let name = quote(&request.name);
            let faults = subdomain_faults(&request.name);
            if !faults.is_empty() {
                return Err(format!(
                    "rendered artifact name {name} is not a valid Kubernetes object name: {}",
                    faults.join("; ")
                ));
            }
            let previous = self
                .directories
                .insert(request.name.clone(), Arc::clone(directory));
            if let Some(previous) = previous {
                return Err(format!(
                    "directories {} and {} both resolve to artifact name {name}",
                    quote(&previous),
                    quote(directory),
                ));
            }
            if self.requests.len() == MAX_ARTIFACTS {
                return Err(format!(
                    "it makes more than {MAX_ARTIFACTS} artifacts: use a narrower pattern"
                ));
            }
            self.requests.push(request);
        }
        Ok(())
    }
}

/// Checks that captured values can be values of labels.
fn check_labels(labels: &Captures) -> Result<(), String> {
    for (name, value) in labels {
        let faults = label_value_faults(value);
        if !faults.is_empty() {
            return Err(format!(
                "captured value {} for variable {} is not a valid Kubernetes label value: {}",
                quote(value),
                quote(name),
                faults.join("; ")
            ));
        }
    }
    Ok(())
}

/// The matcher of directories, and the names of its captures.
fn compile(path: &str) -> Result<(Regex, Vec<String>), String> {
    let parts = parse(path).map_err(|fault| match fault {
        BraceFault::Unclosed(at) => {
            format!("invalid capture starting at offset {at}: missing closing brace")
        }
        BraceFault::Unopened(at) => {
            format!("invalid capture ending at offset {at}: missing opening brace")
        }
        BraceFault::Empty => "empty capture variable".to_owned(),
        BraceFault::Name(name) => invalid_name(&name),
    })?;
    let mut text = String::from("(?s-u)^");
    let mut names: Vec<String> = Vec::new();
    for part in &parts {
        match part {
            Part::Text(literal) => text.push_str(&regex::escape(literal)),
            Part::Capture(name) if names.iter().any(|known| known == name) => {
                return Err(format!("duplicate capture variable {}", quote(name)));
            }
            Part::Capture(name) => {
                text.push_str("([^/]+)");
                names.push((*name).to_owned());
            }
        }
    }
    text.push('$');
    for name in &names {
        let faults = label_key_faults(name);
        if !faults.is_empty() {
            return Err(format!(
                "capture variable {} is not a valid Kubernetes label key: {}",
                quote(name),
                faults.join("; ")
            ));
        }
    }
    let matcher = Regex::new(&text);
    let matcher = matcher.map_err(|error| format!("failed to compile path pattern: {error}"))?;
    Ok((matcher, names))
}

/// Replaces the captures of a text.
fn render(text: &str, captures: &Captures) -> Result<String, String> {
    let failed = |why: String| format!("invalid template {}: {why}", quote(text));
    let parts = parse(text).map_err(|fault| {
        failed(match fault {
            BraceFault::Unclosed(at) => {
                format!("capture starting at offset {at} is missing closing brace")
            }
            BraceFault::Unopened(at) => {
                format!("capture ending at offset {at} is missing opening brace")
            }
            BraceFault::Empty => "empty capture variable".to_owned(),
            BraceFault::Name(name) => invalid_name(&name),
        })
    })?;
    let mut rendered = String::new();
    for part in parts {
        match part {
            Part::Text(literal) => rendered.push_str(literal),
            Part::Capture(name) => rendered.push_str(captures.get(name).ok_or_else(|| {
                let name = quote(name);
                failed(format!(
                    "capture variable {name} is not defined by pathPattern"
                ))
            })?),
        }
    }
    Ok(rendered)
}

fn invalid_name(name: &str) -> String {
    format!(
        "capture variable {} must be a valid capture name matching [A-Za-z_][A-Za-z0-9_]*",
        quote(name)
    )
}

/// A part of a text with captures.
enum Part<'a> {
    Text(&'a str),
    Capture(&'a str),
}

/// A fault of the braces of a text.
enum BraceFault {
    Unclosed(usize),
    Unopened(usize),
    Empty,
    Name(String),
}

/// Splits a text at its captures.
fn parse(text: &str) -> Result<Vec<Part<'_>>, BraceFault> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find(['{', '}']) {
        let brace = at + found;
        if text.as_bytes()[brace] == b'}' {
            return Err(BraceFault::Unopened(brace));
        }
        let inner = &text[brace + 1..];
        let end = inner.find('}').ok_or(BraceFault::Unclosed(brace))?;
        let name = &inner[..end];
        if name.is_empty() {
            return Err(BraceFault::Empty);
        }
        let is_start = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
        let mut bytes = name.bytes();
        let is_name = bytes.next().is_some_and(is_start)
            && bytes.all(|byte| is_start(byte) || byte.is_ascii_digit());
        if !is_name {
            return Err(BraceFault::Name(name.to_owned()));
        }
        parts.push(Part::Text(&text[at..brace]));
        parts.push(Part::Capture(name));
        at = brace + end + 2;
    }
    parts.push(Part::Text(&text[at..]));
    Ok(parts)
}

#[cfg(test)]
mod tests;
