//! Walks target and patch in parallel.
//!
//! Parity: `kyaml: yaml/walk/walk.go`, `walk/map.go`, `yaml/merge2`.

use std::collections::BTreeSet;

use sluice_yaml::tree::{Comments, Style, Text};

use super::MergeError;
use super::graph::{Graph, Kind, NodeId};
use crate::openapi::{Schema, Schemas};

const DIRECTIVE: &str = "$patch";

/// A merge in progress.
pub(super) struct Merge<'a> {
    pub(super) graph: &'a mut Graph,
    pub(super) schemas: &'a Schemas,
}

/// The nodes to merge; either may be missing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sources {
    pub(super) target: Option<NodeId>,
    pub(super) patch: Option<NodeId>,
}

impl Sources {
    fn each(self) -> impl Iterator<Item = NodeId> {
        [self.target, self.patch].into_iter().flatten()
    }
}

/// The result for one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub(super) node: Option<NodeId>,
    /// Whether a null is kept.
    kept: bool,
}

impl From<Option<NodeId>> for Outcome {
    fn from(node: Option<NodeId>) -> Self {
        Self { node, kept: false }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Directive {
    Merge,
    Replace,
    Delete,
}

type Result<T> = std::result::Result<T, MergeError>;

impl<'a> Merge<'a> {
    pub(super) fn new(graph: &'a mut Graph, schemas: &'a Schemas) -> Self {
        Self { graph, schemas }
    }

    pub(super) fn run(mut self, target: NodeId, patch: NodeId) -> Result<Option<NodeId>> {
        let sources = Sources {
            target: Some(target),
            patch: Some(patch),
        };
        Ok(self.walk(sources, None)?.node)
    }

    pub(super) fn walk(&mut self, sources: Sources, schema: Option<Schema>) -> Result<Outcome> {
        let schema = self.schema(sources, schema);
        let mut known = sources.each().filter(|id| !self.graph.is_null(*id));
        let kind = known.next().map(|id| self.graph[id].kind);
        if let Some(kind @ (Kind::Mapping | Kind::Sequence | Kind::Scalar)) = kind {
            self.graph.expect(sources.target, kind)?;
            self.graph.expect(sources.patch, kind)?;
        }
        match kind {
            // kyaml treats a missing node as a map.
            Some(Kind::Mapping) | None => self.walk_map(sources, schema.as_ref()),
            Some(Kind::Sequence) => match schema.filter(Schema::is_associative) {
                Some(schema) => self.walk_elements(sources, &schema).map(Into::into),
                None => Ok(self.replace(sources).into()),
            },
            Some(Kind::Scalar) => Ok(self.replace(sources).into()),
            Some(Kind::Alias) => Ok(None.into()),
        }
    }

    /// The schema from a comment, from the parent, or from the kind.
    fn schema(&self, sources: Sources, inherited: Option<Schema>) -> Option<Schema> {
        let known = || sources.each().filter(|id| !self.graph.is_null(*id));
        let commented = known().find_map(|id| self.comment_schema(id));
        commented.or(inherited).or_else(|| {
            known().find_map(|id| {
                let api_version = self.type_field(id, "apiVersion")?;
                let kind = self.type_field(id, "kind")?;
                self.schemas.of_kind(api_version, kind)
            })
        })
    }

    fn type_field(&self, id: NodeId, name: &str) -> Option<&str> {
        let (_, value) = self.graph.field(id, name)?;
        let text = self.graph[value].text.as_str();
        (!self.graph.is_nil_or_empty(value) && !text.is_empty()).then_some(text)
    }

    fn comment_schema(&self, id: NodeId) -> Option<Schema> {
        let comments = self.graph[id].comments.as_ref()?;
        let mut texts = [&comments.line, &comments.head].into_iter();
        // Only the first comment counts.
        let first = texts.find(|text| !text.is_empty())?;
        self.schemas.of_comment(first)
    }

    /// Merges scalars and plain lists: the patch wins.
    fn replace(&mut self, sources: Sources) -> Option<NodeId> {
        self.copy_comments(sources);
        sources.patch.or(sources.target)
    }

    fn walk_map(&mut self, sources: Sources, schema: Option<&Schema>) -> Result<Outcome> {
        let outcome = self.visit_map(sources)?;
        let Some(target) = outcome.node else {
            return Ok(outcome);
        };
        let sources = Sources {
            target: Some(target),
            ..sources
        };
        let names: BTreeSet<Text> = sources
            .each()
            .flat_map(|id| self.graph.keys(id))
            .cloned()
            .collect();
        for name in &names {
            let fields = [sources.target, sources.patch]
                .map(|source| source.and_then(|id| self.graph.field(id, name)));
            let commented = fields.iter().flatten().find_map(|(key, value)| {
                self.comment_schema(*value)
                    .or_else(|| self.comment_schema(*key))
            });
            let schema =
                commented.or_else(|| schema.and_then(|schema| schema.field(name, self.schemas)));
            let values = fields.map(|field| field.map(|(_, value)| value));
            let below = Sources {
                target: values[0],
                patch: values[1],
            };
            let outcome = self.walk(below, schema)?;
            let key_style = fields[1].map_or(Style::PLAIN, |(key, _)| self.graph[key].style);
            self.graph
                .set_field(target, name, outcome.node, key_style, outcome.kept)?;
        }
        Ok(outcome)
    }

    fn visit_map(&mut self, sources: Sources) -> Result<Outcome> {
        self.copy_comments(sources);
        let Some(target) = sources.target.filter(|id| !self.graph.is_null(*id)) else {
            // Without a target, every directive but `delete` is a plain field.
            if matches!(self.directive(sources.patch), Ok(Directive::Delete)) {
                return Ok(None.into());
            }
            // A null with text survives a patch that does not mention it.
            return Ok(match (sources.target, sources.patch) {
                (Some(null), None) if !self.graph[null].text.is_empty() => {
                    let text = self.graph[null].text.clone();
                    Outcome {
                        node: Some(self.graph.null(text)),
                        kept: true,
                    }
                }
                (_, patch) => patch.into(),
            });
        };
        self.apply_directive(target, sources.patch).map(Into::into)
    }

    pub(super) fn visit_elements(&mut self, sources: Sources) -> Result<Option<NodeId>> {
        self.copy_comments(sources);
        match sources.target.filter(|id| !self.graph.is_null(*id)) {
            Some(target) => self.apply_directive(target, sources.patch),
            None => Ok(sources.patch),
        }
    }

    /// Applies the directive of a patch to an existing target.
    fn apply_directive(&mut self, target: NodeId, patch: Option<NodeId>) -> Result<Option<NodeId>> {
        if patch.is_some_and(|id| self.graph.is_null(id)) {
            return Ok(None);
        }
        Ok(match self.directive(patch)? {
            Directive::Delete => None,
            Directive::Replace => patch,
            Directive::Merge => Some(target),
        })
    }

    /// Removes the directive from a patch and returns it.
    fn directive(&mut self, patch: Option<NodeId>) -> Result<Directive> {
        let Some(patch) = patch else {
            return Ok(Directive::Merge);
        };
        let value = match self.graph[patch].kind {
            Kind::Mapping => self.graph.field(patch, DIRECTIVE).map(|(_, value)| value),
            Kind::Sequence => {
                let mut elements = self.graph[patch].children.iter();
                let element =
                    elements.find_map(|id| Some((*id, self.graph.field(*id, DIRECTIVE)?.1)));
                // With other fields next to it, the directive belongs to the element.
                let alone = element.filter(|(id, _)| self.graph[*id].children.len() <= 2);
                alone.map(|(_, value)| value)
            }
            Kind::Scalar | Kind::Alias => {
                let item = &self.graph[patch];
                return Err(MergeError::NoStrategy {
                    tag: item.tag.as_str().to_owned(),
                    text: self.graph.print(patch),
                });
            }
        };
        let Some(value) = value else {
            return Ok(Directive::Merge);
        };
        let text = self.graph[value].text.clone();
        let directive = match text.as_str() {
            "delete" => Directive::Delete,
            "replace" => Directive::Replace,
            "merge" => Directive::Merge,
            other => return Err(MergeError::UnknownDirective(other.to_owned())),
        };
        if self.graph[patch].kind == Kind::Mapping {
            self.graph.clear(patch, DIRECTIVE);
        } else {
            self.set_element(patch, &[DIRECTIVE.into()], &[text], None)?;
        }
        Ok(directive)
    }

    /// Copies the patch's comments to the target, and its style when the target is empty.
    fn copy_comments(&mut self, sources: Sources) {
        let (Some(target), Some(patch)) = (sources.target, sources.patch) else {
            return;
        };
        if let Some(comments) = self.graph[patch].comments.clone() {
            let own: &mut Comments = self.graph[target].comments.get_or_insert_default();
            for (text, own) in [
                (comments.foot, &mut own.foot),
                (comments.head, &mut own.head),
                (comments.line, &mut own.line),
            ] {
                if !text.is_empty() {
                    *own = text;
                }
            }
        }
        let item = &self.graph[target];
        if item.kind != Kind::Scalar && item.children.is_empty() {
            self.graph[target].style = self.graph[patch].style;
        }
    }
}
