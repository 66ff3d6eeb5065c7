//! A document to a value: go-yaml's decoding into `interface{}` and the conversion to JSON after
//! it. The dialects differ in the words of booleans, in valid keys, and in the order of merges.
//!
//! Parity: go-yaml: decode.go of both versions. Aliases are counted as in Go (an alias bomb is
//! "excessive aliasing"). Their bytes are bounded too, because Go's copies share text and ours
//! do not.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use sluice_golang::number::{format_g, format_g32};
use sluice_golang::quote::quote;

use crate::event::ScalarStyle;
use crate::json::{self, decode_lossy};
use crate::node::{Content, Document, Node, NodeId};
use crate::{Dialect, Error, ErrorKind, MAX_DEPTH, Map, Value};

mod go_syntax;
mod resolve;
pub(crate) mod timestamp;

pub(crate) use resolve::{ResolvedScalar, is_base_60, resolve_plain};

/// Up to this many decoding steps, nearly all of them may come from aliases.
pub(crate) const SMALL_DOCUMENT_STEPS: u32 = 400_000;
/// From this many decoding steps on, a tenth of them may come from aliases.
const LARGE_DOCUMENT_STEPS: u32 = 4_000_000;

/// Maximum number of bytes of text that aliases may copy.
pub(crate) const MAX_COPIED: usize = 64 << 20;

/// Maximum number of reported key errors. Each pair of equal keys is one.
const MAX_KEY_ERRORS: usize = 1000;

/// Go ignores stray bits in the last character.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

pub(crate) struct Decoder<'a> {
    document: &'a Document,
    dialect: Dialect,
    /// Errors about keys. Decoding continues after them to collect all.
    key_errors: Vec<String>,
    /// The first value that JSON cannot represent. Go finds it in a later pass.
    unsupported: Option<Error>,
    /// Aliases under expansion.
    expanding: HashSet<NodeId>,
    depth: usize,
    steps: u32,
    steps_in_aliases: u32,
    copied: usize,
}

/// A mapping under construction, from its own entries and merged ones.
struct MappingBuilder {
    map: Map<String, Value>,
    /// The mapping is the root of the document, or merged into it.
    outermost: bool,
    /// All own entries are added, and merged ones must not override them.
    merging: bool,
    /// Keys so far with their types. Only the strict reader fills it.
    seen: HashSet<(u8, String)>,
}

/// A key: its JSON text, its form in Go's errors, and its type.
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
            key_errors: Vec::new(),
            unsupported: None,
            expanding: HashSet::new(),
            depth: 0,
            // Go counts the document as a step.
            steps: 1,
            steps_in_aliases: 0,
            copied: 0,
        }
    }

    pub(crate) fn decode(mut self) -> Result<Value, Error> {
        let value = self.value(self.document.root())?;
        if !self.key_errors.is_empty() {
            let problem = format!("unmarshal errors:\n  {}", self.key_errors.join("\n  "));
            return Err(Error::yaml(ErrorKind::Duplicate, 0, problem));
        }
        match self.unsupported {
            Some(error) => Err(error),
            None => Ok(value),
        }
    }

    /// Counts a step. Fails if too many steps come from aliases.
    fn step(&mut self) -> Result<(), Error> {
        self.steps = self.steps.saturating_add(1);
        if !self.expanding.is_empty() {
            self.steps_in_aliases = self.steps_in_aliases.saturating_add(1);
        }
        let (steps, aliased) = (f64::from(self.steps), f64::from(self.steps_in_aliases));
        if self.steps_in_aliases > 100
            && self.steps > 1000
            && aliased / steps > max_alias_share(self.steps)
        {
            return Err(excessive_aliasing());
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
                let mut target = MappingBuilder {
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
                return Err(excessive_aliasing());
            }
        }
        Ok(match resolve(self.dialect, node)? {
            ResolvedScalar::Null => Value::Null,
            ResolvedScalar::Bool(value) => value.into(),
            ResolvedScalar::Int(value) => value.into(),
            ResolvedScalar::Uint(value) => value.into(),
            ResolvedScalar::Float(value) => match json::number(value) {
                Some(number) => Value::Number(number),
                None => {
                    let problem = format!("json: unsupported value: {}", format_g(value));
                    self.unsupported
                        .get_or_insert_with(|| Error::value(problem));
                    Value::Null
                }
            },
            ResolvedScalar::Timestamp if self.dialect == Dialect::V3 => timestamp::canonical(text)
                .expect("the scalar resolved to this type")
                .into(),
            ResolvedScalar::Str | ResolvedScalar::Timestamp => text.into(),
            ResolvedScalar::Binary => binary(text)?.into(),
        })
    }

    /// Adds the entries of a mapping in order. A later key, own or merged, overrides an earlier
    /// one.
    fn mapping(&mut self, id: NodeId, target: &mut MappingBuilder) -> Result<(), Error> {
        let document = self.document;
        let Content::Mapping { entries, .. } = &document.node(id).content else {
            unreachable!("the caller has checked the content")
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
                    self.key_errors.push(problem);
                    continue;
                }
            }
            target.map.insert(key.text, value);
        }
        Ok(())
    }

    /// Version 3 rejects duplicate keys, and merged entries never override own ones. A key that is
    /// an alias does not count as a duplicate: the later entry wins.
    fn mapping_in_v3(
        &mut self,
        entries: &[(NodeId, NodeId)],
        target: &mut MappingBuilder,
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

    /// Root keys are decoded as strings. A key that is a collection is an error, and a null key is
    /// skipped with its value.
    fn is_skipped(&mut self, id: NodeId) -> Result<bool, Error> {
        let node = go_syntax::resolve_alias(self.document, id);
        let kind = match &node.content {
            Content::Scalar { .. } => {
                return Ok(resolve(self.dialect, node)? == ResolvedScalar::Null);
            }
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
                // Go prints a collection's text, which is empty.
                Some(short) => format!("!!{short} ``").into(),
                None => format!("{tag} ``").into(),
            },
        };
        let line = node.start.line + 1;
        self.key_errors
            .push(format!("line {line}: cannot unmarshal {tag} into string"));
        Ok(true)
    }

    /// Records an error for each pair of keys with the same text.
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
            let room = MAX_KEY_ERRORS.saturating_sub(self.key_errors.len());
            let first = lines[*nth - 1];
            let later = lines[*nth..].iter().take(room);
            self.key_errors.extend(later.map(|line| {
                format!("line {line}: mapping key {text} already defined at line {first}")
            }));
        }
        true
    }

    fn merge(&mut self, id: NodeId, target: &mut MappingBuilder) -> Result<(), Error> {
        match &self.document.node(id).content {
            Content::Sequence { items, .. } if self.dialect == Dialect::V3 => items
                .iter()
                .try_for_each(|item| self.merge_one(*item, target)),
            Content::Sequence { items, .. } => {
                // The first mapping has precedence, so it is merged last.
                items
                    .iter()
                    .rev()
                    .try_for_each(|item| self.merge_one(*item, target))
            }
            _ => self.merge_one(id, target),
        }
    }

    fn merge_one(&mut self, id: NodeId, target: &mut MappingBuilder) -> Result<(), Error> {
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

    /// Decodes a key. Go rejects collections as keys; JSON rejects null and integers beyond 63
    /// bits.
    fn key(&mut self, id: NodeId, value: NodeId, outermost: bool) -> Result<Key, Error> {
        // A float key has a text form even if JSON lacks the value.
        let unsupported = self.unsupported.take();
        let key_errors = self.key_errors.len();
        let decoded = self.value(id)?;
        self.unsupported = unsupported;
        if matches!(decoded, Value::Array(_) | Value::Object(_)) {
            if self.dialect == Dialect::V3 && self.key_errors.len() > key_errors {
                // The key has errors already, so its type is not one more.
                return Ok(Key::default());
            }
            let problem = format!(
                "invalid map key: {}",
                go_syntax::print(self.document, self.dialect, id)?
            );
            return Err(Error::yaml(ErrorKind::Value, 0, problem));
        }
        let node = go_syntax::resolve_alias(self.document, id);
        let Content::Scalar { value: text, .. } = &node.content else {
            unreachable!("collections were rejected above")
        };
        let text = text.as_ref();
        let resolved = resolve(self.dialect, node)?;
        if self.dialect == Dialect::V3 {
            // A key with any other tag is not text.
            let tagged = match node.tag.as_deref() {
                None | Some("!" | "tag:yaml.org,2002:str") => false,
                Some(_) => true,
            };
            let is_text = !tagged && resolved == ResolvedScalar::Str;
            return Ok(self.key_in_v3(outermost || is_text, text));
        }
        let (kind, text, printed) = match resolved {
            ResolvedScalar::Str | ResolvedScalar::Timestamp => (0, text.to_owned(), quote(text)),
            ResolvedScalar::Binary => {
                let text = binary(text)?;
                let printed = quote(&text);
                (0, text, printed)
            }
            ResolvedScalar::Int(key) => (1, key.to_string(), key.to_string()),
            ResolvedScalar::Bool(key) => (2, key.to_string(), key.to_string()),
            ResolvedScalar::Float(key) => {
                let text = match format_g32(key).as_str() {
                    "+Inf" => ".inf".to_owned(),
                    "-Inf" => "-.inf".to_owned(),
                    "NaN" => ".nan".to_owned(),
                    text => text.to_owned(),
                };
                (3, text, format_g(key))
            }
            ResolvedScalar::Null => {
                self.unsupported_key("%!s(<nil>)", "<nil>", value)?;
                (4, String::new(), "<nil>".to_owned())
            }
            ResolvedScalar::Uint(key) => {
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

    /// The text of a scalar is the key of a root mapping. Below the root, Go decodes such a
    /// mapping to a type that JSON cannot represent.
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
            let value = go_syntax::print(self.document, self.dialect, value)?;
            let problem =
                format!("unsupported map key of type: {kind}, key: {key}, value: {value}");
            self.unsupported = Some(Error::value(problem));
        }
        Ok(())
    }
}

/// Returns the share of steps that may come from aliases. It falls with the number of steps.
pub(crate) fn max_alias_share(steps: u32) -> f64 {
    let beyond =
        f64::from(steps.clamp(SMALL_DOCUMENT_STEPS, LARGE_DOCUMENT_STEPS) - SMALL_DOCUMENT_STEPS);
    0.99 - 0.89 * (beyond / f64::from(LARGE_DOCUMENT_STEPS - SMALL_DOCUMENT_STEPS))
}

pub(crate) fn excessive_aliasing() -> Error {
    let problem = "document contains excessive aliasing";
    Error::yaml(ErrorKind::Limit, 0, problem)
}

/// Resolves the type of a scalar node. A quoted scalar without a tag is a string.
fn resolve(dialect: Dialect, node: &Node) -> Result<ResolvedScalar, Error> {
    let Content::Scalar {
        value,
        implicit,
        style,
    } = &node.content
    else {
        unreachable!("callers pass only scalars")
    };
    let plain = match dialect {
        // Version 3 ignores the tag `!`; in version 2 it makes a scalar a string.
        Dialect::V3 => *style == ScalarStyle::Plain,
        Dialect::V2 | Dialect::V2Strict => *implicit,
    };
    match node.tag.as_deref() {
        Some(tag) if dialect.is_v2() || tag != "!" => resolve::resolve_tagged(dialect, tag, value),
        _ if plain => Ok(resolve_plain(dialect, value)),
        _ => Ok(ResolvedScalar::Str),
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

/// Decodes `!!binary`. Line feeds are ignored, as in Go. Invalid UTF-8 is replaced, because the
/// text passes through JSON.
fn binary(text: &str) -> Result<String, Error> {
    let text: String = text.chars().filter(|c| !matches!(c, '\r' | '\n')).collect();
    BASE64.decode(text).map(decode_lossy).map_err(|_| {
        let problem = "!!binary value contains invalid base64 data";
        Error::yaml(ErrorKind::Value, 0, problem)
    })
}
