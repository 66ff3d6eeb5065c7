//! A document to a value, as go-yaml decodes into `interface{}` and what is
//! around it turns that into JSON. The dialects differ in what words mean, in
//! what keys may be, and in what a merge key overrides.
//!
//! Parity: go-yaml: decode.go of both versions. Aliases are counted as there (an alias bomb is
//! "excessive aliasing"), and bounded in bytes too: Go's copies share their
//! text, ours do not.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use sluice_golang::number::{format_g, format_g32};
use sluice_golang::quote::quote;

use crate::event::ScalarStyle;
use crate::json::{self, repaired};
use crate::node::{Content, Document, Node, NodeId};
use crate::{Dialect, Error, ErrorKind, MAX_DEPTH, Map, Value};

mod resolve;
mod syntax;
pub(crate) mod timestamp;

pub(crate) use resolve::{Resolved, is_base_60, resolve_plain};

/// Up to this many steps nearly all may come from aliases …
pub(crate) const SMALL: u32 = 400_000;
/// … and from this many on only a tenth.
const LARGE: u32 = 4_000_000;

/// How many bytes of text aliases may copy.
pub(crate) const MAX_COPIED: usize = 64 << 20;

/// How many complaints about keys are kept; there is one for each pair.
const MAX_COMPLAINTS: usize = 1000;

/// Go does not mind stray bits in the last character.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

pub(crate) struct Decoder<'a> {
    document: &'a Document,
    dialect: Dialect,
    /// Complaints about keys; all are collected before it fails.
    complaints: Vec<String>,
    /// The first thing that JSON cannot hold. Go finds it in a later pass.
    unsupported: Option<Error>,
    /// Aliases that are being expanded.
    expanding: HashSet<NodeId>,
    depth: usize,
    steps: u32,
    steps_in_aliases: u32,
    copied: usize,
}

/// A mapping that is being filled, by its own entries and by merged ones.
struct Target {
    map: Map<String, Value>,
    /// It is the document's outermost value, merged mappings included.
    outermost: bool,
    /// Its own entries are all in; from now on nothing is overridden.
    merging: bool,
    /// The keys so far with their types, for the strict reader only.
    seen: HashSet<(u8, String)>,
}

/// A key: what it is in JSON, how Go prints it in errors, and its type.
#[derive(Default)]
struct Key {
    text: String,
    syntax: String,
    kind: u8,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(document: &'a Document, dialect: Dialect) -> Self {
        Self {
            document,
            dialect,
            complaints: Vec::new(),
            unsupported: None,
            expanding: HashSet::new(),
            depth: 0,
            // Go counts the document itself.
            steps: 1,
            steps_in_aliases: 0,
            copied: 0,
        }
    }

    pub(crate) fn decode(mut self) -> Result<Value, Error> {
        let value = self.value(self.document.root())?;
        if !self.complaints.is_empty() {
            let problem = format!("unmarshal errors:\n  {}", self.complaints.join("\n  "));
            return Err(Error::yaml(ErrorKind::Duplicate, 0, problem));
        }
        match self.unsupported {
            Some(error) => Err(error),
            None => Ok(value),
        }
    }

    /// Counts one step, and refuses documents that consist of their aliases.
    fn step(&mut self) -> Result<(), Error> {
        self.steps = self.steps.saturating_add(1);
        if !self.expanding.is_empty() {
            self.steps_in_aliases = self.steps_in_aliases.saturating_add(1);
        }
        let (steps, aliased) = (f64::from(self.steps), f64::from(self.steps_in_aliases));
        if self.steps_in_aliases > 100 && self.steps > 1000 && aliased / steps > allowed(self.steps)
        {
            return Err(excessive());
        }
        Ok(())
    }

    fn value(&mut self, id: NodeId) -> Result<Value, Error> {
        self.step()?;
        let document = self.document;
        let node = document.node(id);
        match &node.content {
            Content::Scalar { value, .. } => self.scalar(node, value),
            Content::Alias { name, target } => self.alias(id, name, |decoder| {
                decoder.descend(|decoder| decoder.value(*target))
            }),
            Content::Sequence { items, .. } => self.descend(|decoder| {
                let items = items.iter().map(|item| decoder.value(*item));
                items.collect::<Result<_, _>>().map(Value::Array)
            }),
            Content::Mapping { .. } => {
                let mut target = Target {
                    map: Map::new(),
                    outermost: self.depth == 0,
                    merging: false,
                    seen: HashSet::new(),
                };
                self.descend(|decoder| decoder.mapping(id, &mut target))?;
                Ok(Value::Object(target.map))
            }
        }
    }

    fn descend<T>(
        &mut self,
        decode: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let problem = format!("exceeded max depth of {MAX_DEPTH}");
            return Err(Error::yaml(ErrorKind::Limit, 0, problem));
        }
        let outcome = decode(self);
        self.depth -= 1;
        outcome
    }

    fn alias<T>(
        &mut self,
        id: NodeId,
        name: &str,
        decode: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if !self.expanding.insert(id) {
            let problem = format!("anchor '{name}' value contains itself");
            return Err(Error::yaml(ErrorKind::Syntax, 0, problem));
        }
        let outcome = decode(self);
        self.expanding.remove(&id);
        outcome
    }

    fn scalar(&mut self, node: &Node, text: &str) -> Result<Value, Error> {
        if !self.expanding.is_empty() {
            self.copied += text.len();
            if self.copied > MAX_COPIED {
                return Err(excessive());
            }
        }
        Ok(match resolve(self.dialect, node)? {
            Resolved::Null => Value::Null,
            Resolved::Bool(value) => value.into(),
            Resolved::Int(value) => value.into(),
            Resolved::Uint(value) => value.into(),
            Resolved::Float(value) => match json::number(value) {
                Some(number) => Value::Number(number),
                None => {
                    let problem = format!("json: unsupported value: {}", format_g(value));
                    self.unsupported
                        .get_or_insert_with(|| Error::value(problem));
                    Value::Null
                }
            },
            Resolved::Timestamp if self.dialect == Dialect::V3 => timestamp::canonical(text)
                .expect("it was recognised")
                .into(),
            Resolved::Str | Resolved::Timestamp => text.into(),
            Resolved::Binary => binary(text)?.into(),
        })
    }

    /// Adds the entries of a mapping, in order: a later key, be it merged or
    /// its own, overrides an earlier one.
    fn mapping(&mut self, id: NodeId, target: &mut Target) -> Result<(), Error> {
        let document = self.document;
        let Content::Mapping { entries, .. } = &document.node(id).content else {
            unreachable!("the caller looked at the content")
        };
        if self.dialect == Dialect::V3 {
            return self.mapping_in_v3(entries, target);
        }
        for (key, value) in entries {
            if is_merge(self.dialect, document.node(*key)) {
                self.merge(*value, target)?;
                continue;
            }
            let key = self.key(*key, *value, target.outermost)?;
            let line = document.node(*value).start.line + 1;
            let value = self.value(*value)?;
            if self.dialect == Dialect::V2Strict {
                let first = target.seen.insert((key.kind, key.text.clone()));
                if !first {
                    let problem = format!("line {line}: key {} already set in map", key.syntax);
                    self.complaints.push(problem);
                    continue;
                }
            }
            target.map.insert(key.text, value);
        }
        Ok(())
    }

    /// In the third version keys must differ, and merged entries come last and
    /// override nothing. A key that is an alias is no repetition of another key;
    /// the later of the two wins.
    fn mapping_in_v3(
        &mut self,
        entries: &[(NodeId, NodeId)],
        target: &mut Target,
    ) -> Result<(), Error> {
        if self.has_repeated_keys(entries) {
            return Ok(());
        }
        let document = self.document;
        let mut merged = None;
        for (key, value) in entries {
            if is_merge(self.dialect, document.node(*key)) {
                merged = Some(*value);
                continue;
            }
            if target.outermost && self.is_skipped(*key)? {
                continue;
            }
            let key = self.key(*key, *value, target.outermost)?;
            if target.merging && target.map.contains_key(&key.text) {
                continue;
            }
            let value = self.value(*value)?;
            target.map.insert(key.text, value);
        }
        match merged {
            Some(id) => {
                target.merging = true;
                self.merge(id, target)
            }
            None => Ok(()),
        }
    }

    /// At the top keys are decoded as strings: what cannot be one is complained
    /// about, and null is skipped with its value.
    fn is_skipped(&mut self, id: NodeId) -> Result<bool, Error> {
        let node = syntax::target(self.document, id);
        let kind = match &node.content {
            Content::Scalar { .. } => return Ok(resolve(self.dialect, node)? == Resolved::Null),
            Content::Sequence { .. } => "!!seq",
            Content::Mapping { entries, .. } => {
                if self.has_repeated_keys(entries) {
                    return Ok(true);
                }
                "!!map"
            }
            Content::Alias { .. } => "!!map",
        };
        let tag = match node.tag.as_deref() {
            None | Some("!") => Cow::Borrowed(kind),
            Some(tag) => match tag.strip_prefix("tag:yaml.org,2002:") {
                Some("seq") => "!!seq".into(),
                Some("map") => "!!map".into(),
                // The text of a collection is empty.
                Some(short) => format!("!!{short} ``").into(),
                None => format!("{tag} ``").into(),
            },
        };
        let line = node.start.line + 1;
        self.complaints
            .push(format!("line {line}: cannot unmarshal {tag} into string"));
        Ok(true)
    }

    /// Complains about each pair of keys with the same text.
    fn has_repeated_keys(&mut self, entries: &[(NodeId, NodeId)]) -> bool {
        let document = self.document;
        let mut lines: HashMap<_, Vec<usize>> = HashMap::with_capacity(entries.len());
        let identity = |id: NodeId| {
            let content = &document.node(id).content;
            let text = match content {
                Content::Scalar { value, .. } => value.as_ref(),
                Content::Alias { name, .. } => name.as_ref(),
                Content::Sequence { .. } | Content::Mapping { .. } => "",
            };
            (std::mem::discriminant(content), text)
        };
        for (key, _) in entries {
            let line = document.node(*key).start.line + 1;
            lines.entry(identity(*key)).or_default().push(line);
        }
        if lines.len() == entries.len() {
            return false;
        }
        let mut seen: HashMap<_, usize> = HashMap::new();
        for (key, _) in entries {
            let identity = identity(*key);
            let nth = seen.entry(identity).or_default();
            *nth += 1;
            let lines = &lines[&identity];
            let text = quote(identity.1);
            let room = MAX_COMPLAINTS.saturating_sub(self.complaints.len());
            let first = lines[*nth - 1];
            let later = lines[*nth..].iter().take(room);
            self.complaints.extend(later.map(|line| {
                format!("line {line}: mapping key {text} already defined at line {first}")
            }));
        }
        true
    }

    fn merge(&mut self, id: NodeId, target: &mut Target) -> Result<(), Error> {
        match &self.document.node(id).content {
            Content::Sequence { items, .. } if self.dialect == Dialect::V3 => items
                .iter()
                .try_for_each(|item| self.merge_one(*item, target)),
            Content::Sequence { items, .. } => {
                // The first of several has precedence, so it comes last.
                items
                    .iter()
                    .rev()
                    .try_for_each(|item| self.merge_one(*item, target))
            }
            _ => self.merge_one(id, target),
        }
    }

    fn merge_one(&mut self, id: NodeId, target: &mut Target) -> Result<(), Error> {
        let document = self.document;
        let is_mapping = |id: NodeId| matches!(document.node(id).content, Content::Mapping { .. });
        match &document.node(id).content {
            Content::Mapping { .. } => {
                self.step()?;
                self.descend(|decoder| decoder.mapping(id, target))
            }
            Content::Alias { name, target: to } if is_mapping(*to) => {
                self.step()?;
                self.alias(id, name, |decoder| {
                    decoder.step()?;
                    decoder.descend(|decoder| decoder.mapping(*to, target))
                })
            }
            _ => {
                let problem = "map merge requires map or sequence of maps as the value";
                Err(Error::yaml(ErrorKind::Syntax, 0, problem))
            }
        }
    }

    /// Decodes a key. A collection cannot be one in Go; null and integers beyond
    /// 63 bits cannot be one in JSON.
    fn key(&mut self, id: NodeId, value: NodeId, outermost: bool) -> Result<Key, Error> {
        // A key that is no finite number is no fault: it has a name in YAML.
        let unsupported = self.unsupported.take();
        let complaints = self.complaints.len();
        let decoded = self.value(id)?;
        self.unsupported = unsupported;
        if matches!(decoded, Value::Array(_) | Value::Object(_)) {
            if self.dialect == Dialect::V3 && self.complaints.len() > complaints {
                // There is no key, and it is known why.
                return Ok(Key::default());
            }
            let problem = format!(
                "invalid map key: {}",
                syntax::of(self.document, self.dialect, id)?
            );
            return Err(Error::yaml(ErrorKind::Value, 0, problem));
        }
        let node = syntax::target(self.document, id);
        let Content::Scalar { value: text, .. } = &node.content else {
            unreachable!("what is no collection is a scalar")
        };
        let text = text.as_ref();
        let resolved = resolve(self.dialect, node)?;
        if self.dialect == Dialect::V3 {
            // Any tag but one keeps a key from being text.
            let tagged = match node.tag.as_deref() {
                None | Some("!" | "tag:yaml.org,2002:str") => false,
                Some(_) => true,
            };
            let is_text = !tagged && resolved == Resolved::Str;
            return Ok(self.key_in_v3(outermost || is_text, text));
        }
        let (kind, text, printed) = match resolved {
            Resolved::Str | Resolved::Timestamp => (0, text.to_owned(), quote(text)),
            Resolved::Binary => {
                let text = binary(text)?;
                let printed = quote(&text);
                (0, text, printed)
            }
            Resolved::Int(key) => (1, key.to_string(), key.to_string()),
            Resolved::Bool(key) => (2, key.to_string(), key.to_string()),
            Resolved::Float(key) => {
                let text = match format_g32(key).as_str() {
                    "+Inf" => ".inf".to_owned(),
                    "-Inf" => "-.inf".to_owned(),
                    "NaN" => ".nan".to_owned(),
                    text => text.to_owned(),
                };
                (3, text, format_g(key))
            }
            Resolved::Null => {
                self.unsupported_key("%!s(<nil>)", "<nil>", value)?;
                (4, String::new(), "<nil>".to_owned())
            }
            Resolved::Uint(key) => {
                let printed = format!("{key:#x}");
                self.unsupported_key("uint64", &printed, value)?;
                (5, key.to_string(), printed)
            }
        };
        Ok(Key {
            text,
            syntax: printed,
            kind,
        })
    }

    /// At the top any scalar is taken for its text; below it Go's map is one
    /// that JSON cannot hold.
    fn key_in_v3(&mut self, is_allowed: bool, text: &str) -> Key {
        if !is_allowed {
            let problem = "json: unsupported type: map[interface {}]interface {}";
            self.unsupported
                .get_or_insert_with(|| Error::value(problem));
        }
        Key {
            text: text.to_owned(),
            syntax: String::new(),
            kind: 0,
        }
    }

    fn unsupported_key(&mut self, kind: &str, key: &str, value: NodeId) -> Result<(), Error> {
        if self.unsupported.is_none() {
            let value = syntax::of(self.document, self.dialect, value)?;
            let problem =
                format!("unsupported map key of type: {kind}, key: {key}, value: {value}");
            self.unsupported = Some(Error::value(problem));
        }
        Ok(())
    }
}

/// The share of steps that may come from aliases, falling with size.
pub(crate) fn allowed(steps: u32) -> f64 {
    let beyond = f64::from(steps.clamp(SMALL, LARGE) - SMALL);
    0.99 - 0.89 * (beyond / f64::from(LARGE - SMALL))
}

pub(crate) fn excessive() -> Error {
    let problem = "document contains excessive aliasing";
    Error::yaml(ErrorKind::Limit, 0, problem)
}

/// The type of a scalar node: quotes make a string of anything without a tag.
fn resolve(dialect: Dialect, node: &Node) -> Result<Resolved, Error> {
    let Content::Scalar {
        value,
        implicit,
        style,
    } = &node.content
    else {
        unreachable!("only scalars are resolved")
    };
    let plain = match dialect {
        // Here the tag `!` says nothing at all; before, it made text of a scalar.
        Dialect::V3 => *style == ScalarStyle::Plain,
        Dialect::V2 | Dialect::V2Strict => *implicit,
    };
    match node.tag.as_deref() {
        Some(tag) if dialect.is_v2() || tag != "!" => resolve::resolve_tagged(dialect, tag, value),
        _ if plain => Ok(resolve_plain(dialect, value)),
        _ => Ok(Resolved::Str),
    }
}

fn is_merge(dialect: Dialect, node: &Node) -> bool {
    let Content::Scalar {
        value,
        implicit,
        style,
    } = &node.content
    else {
        return false;
    };
    let plain = match (dialect, node.tag.as_deref()) {
        (_, Some("tag:yaml.org,2002:merge")) => true,
        (Dialect::V3, Some(tag)) if tag != "!" => false,
        (Dialect::V3, _) => *style == ScalarStyle::Plain,
        (Dialect::V2 | Dialect::V2Strict, _) => *implicit,
    };
    plain && value.as_ref() == "<<"
}

/// Decodes `!!binary`; line feeds are ignored, as in Go, and what is no text is
/// repaired, as it has to pass through JSON.
fn binary(text: &str) -> Result<String, Error> {
    let text: String = text.chars().filter(|c| !matches!(c, '\r' | '\n')).collect();
    BASE64.decode(text).map(repaired).map_err(|_| {
        let problem = "!!binary value contains invalid base64 data";
        Error::yaml(ErrorKind::Value, 0, problem)
    })
}
