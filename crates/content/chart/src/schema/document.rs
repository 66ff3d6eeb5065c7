//! A schema document: its draft, and the targets of its references.

use std::collections::{HashMap, HashSet};

use url::Url;

use crate::values::Json;

/// The address of the root without an identifier, as Helm has it.
const ADDRESS: &str = "file:///values.schema.json";

/// The drafts whose keywords differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Draft {
    D4,
    D6,
    D7,
    D2019,
    D2020,
}

/// A parsed schema.
pub(super) struct Document<'s> {
    pub(super) root: &'s Json,
    pub(super) draft: Draft,
    /// Whether any subschema asks for what others did not evaluate.
    pub(super) has_unevaluated: bool,
    /// The schemas with an address of their own. The first is the root.
    resources: Vec<Resource<'s>>,
    /// Resources by their addresses.
    addressed: HashMap<String, usize>,
    /// The resources of subschemas.
    owners: HashMap<*const Json, usize>,
    /// The references, each with the resource that it stands in.
    references: Vec<(usize, &'s str)>,
}

/// A schema with an address, against which the references below it are resolved.
struct Resource<'s> {
    address: Url,
    root: &'s Json,
    /// Subschemas by their anchors.
    anchors: HashMap<&'s str, &'s Json>,
    /// The names of its `$dynamicAnchor`s.
    dynamic: HashSet<&'s str>,
}

/// The target of a reference.
pub(super) enum Target<'s> {
    Schema {
        schema: &'s Json,
        resource: usize,
    },
    /// A document that allows everything, as Helm takes one that it cannot resolve.
    Anything,
}

/// A kind of reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reference {
    Plain,
    /// `$dynamicRef`: the outermost schema that is being applied decides.
    Dynamic,
    /// `$recursiveRef`, which only leads to a root.
    Recursive,
}

/// A role of a part of a schema document.
#[derive(Clone, Copy)]
enum Part {
    Schema,
    /// A map or a list of schemas.
    Schemas,
    Other,
}

impl<'s> Document<'s> {
    pub(super) fn new(root: &'s Json) -> Self {
        let schema = root.get("$schema").and_then(Json::as_str);
        let mut document = Self {
            root,
            draft: draft(schema.unwrap_or_default()),
            has_unevaluated: false,
            resources: Vec::new(),
            addressed: HashMap::new(),
            owners: HashMap::new(),
            references: Vec::new(),
        };
        let address = Url::parse(ADDRESS).expect("a constant address");
        document.add_resource(address, root);
        // The stack of subschemas is on the heap, as the input decides about its depth.
        let mut pile = vec![(root, 0, Part::Schema)];
        while let Some((json, owner, part)) = pile.pop() {
            match json {
                Json::Object(entries) => {
                    let owner = match part {
                        Part::Schema => document.enter(json, owner),
                        Part::Schemas | Part::Other => owner,
                    };
                    for (name, value) in entries {
                        let is_rest = name == "unevaluatedProperties" || name == "unevaluatedItems";
                        document.has_unevaluated |= is_rest && matches!(part, Part::Schema);
                        pile.push((value, owner, below(part, name, value)));
                    }
                }
                Json::Array(items) => {
                    let part = match part {
                        Part::Schemas => Part::Schema,
                        Part::Schema | Part::Other => Part::Other,
                    };
                    pile.extend(items.iter().map(|item| (item, owner, part)));
                }
                _ => {}
            }
        }
        document
    }

    /// Notes the address and the anchors of a subschema, and returns its resource.
    fn enter(&mut self, schema: &'s Json, owner: usize) -> usize {
        let text = |key: &str| schema.get(key).and_then(Json::as_str);
        let is_old = self.draft < Draft::D2019;
        let id = text(if self.draft == Draft::D4 { "id" } else { "$id" });
        // Older drafts ignore all keywords beside a reference.
        let id = id.filter(|_| !is_old || text("$ref").is_none());
        let mut owner = owner;
        if let Some(id) = id {
            let (address, anchor) = id.split_once('#').unwrap_or((id, ""));
            if !address.is_empty()
                && let Ok(address) = self.resources[owner].address.join(address)
            {
                owner = self.add_resource(address, schema);
            }
            if is_old && !anchor.is_empty() {
                self.resources[owner]
                    .anchors
                    .entry(anchor)
                    .or_insert(schema);
            }
        }
        self.owners.insert(schema, owner);
        self.references
            .extend(text("$ref").map(|reference| (owner, reference)));
        let resource = &mut self.resources[owner];
        for key in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = text(key) {
                resource.anchors.entry(anchor).or_insert(schema);
            }
        }
        resource.dynamic.extend(text("$dynamicAnchor"));
        owner
    }

    fn add_resource(&mut self, address: Url, root: &'s Json) -> usize {
        let index = self.resources.len();
        let known = self.addressed.entry(address.to_string());
        known.or_insert(index);
        self.resources.push(Resource {
            address,
            root,
            anchors: HashMap::new(),
            dynamic: HashSet::new(),
        });
        index
    }

    /// The first reference to a document of a web server. Helm fetches all of them before it checks
    /// anything.
    pub(super) fn web_reference(&self) -> Option<&'s str> {
        let leads_to_web = |(owner, reference): &&(usize, &'s str)| {
            let url = reference.split('#').next().unwrap_or_default();
            let address = self.resources[*owner].address.join(url);
            !url.is_empty()
                && address.is_ok_and(|address| {
                    matches!(address.scheme(), "http" | "https")
                        && !self.addressed.contains_key(address.as_str())
                        && !is_draft(&address)
                })
        };
        let found = self.references.iter().find(leads_to_web);
        found.map(|(_, reference)| *reference)
    }

    /// The resource of a schema that is reached from another one.
    pub(super) fn owner(&self, schema: &Json, from: usize) -> usize {
        let owner = self.owners.get(&std::ptr::from_ref(schema));
        owner.copied().unwrap_or(from)
    }

    /// Finds the target of a reference. `scope` has the resources of the schemas that are being
    /// applied, from the outermost.
    pub(super) fn resolve(
        &self,
        reference: &str,
        kind: Reference,
        scope: impl Iterator<Item = usize>,
        from: usize,
    ) -> Result<Target<'s>, String> {
        let missing = || format!("the schema has no '{reference}'");
        let (url, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let own = &self.resources[from].address;
        let base = if url.is_empty() {
            Ok(own.clone())
        } else {
            own.join(url)
        };
        let base = base.map_err(|error| format!("{}: {error}", missing()))?;
        let known = self.addressed.get(base.as_str());
        let Some(resource) = known.copied() else {
            if base.scheme() == "urn" || is_draft(&base) {
                return Ok(Target::Anything);
            }
            return Err(format!(
                "the schema refers to '{reference}', which is not fetched\n\
                 hint: put the definition into values.schema.json, or disable schema validation"
            ));
        };
        let fragment = decode(fragment);
        if fragment.is_empty() {
            let resource = match kind {
                Reference::Recursive => self.recursive(resource, scope),
                Reference::Plain | Reference::Dynamic => resource,
            };
            return Ok(self.root_of(resource));
        }
        if let Some(pointer) = fragment.strip_prefix('/') {
            return self.pointed(pointer, resource).ok_or_else(missing);
        }
        let mut resource = resource;
        let has = |index: &usize| self.resources[*index].dynamic.contains(&*fragment);
        if kind == Reference::Dynamic && has(&resource) {
            let mut scope = scope;
            resource = scope.find(has).unwrap_or(resource);
        }
        let found = self.resources[resource].anchors.get(&*fragment).copied();
        let schema = found.ok_or_else(missing)?;
        Ok(Target::Schema { schema, resource })
    }

    fn root_of(&self, resource: usize) -> Target<'s> {
        Target::Schema {
            schema: self.resources[resource].root,
            resource,
        }
    }

    /// The outermost resource that `$recursiveRef` leads to.
    fn recursive(&self, resource: usize, mut scope: impl Iterator<Item = usize>) -> usize {
        let is_open = |index: &usize| {
            let anchor = self.resources[*index].root.get("$recursiveAnchor");
            anchor.and_then(Json::as_bool) == Some(true)
        };
        if is_open(&resource) {
            scope.find(is_open).unwrap_or(resource)
        } else {
            resource
        }
    }

    fn pointed(&self, pointer: &str, resource: usize) -> Option<Target<'s>> {
        let (mut schema, mut resource) = (self.resources[resource].root, resource);
        for token in pointer.split('/') {
            let token = token.replace("~1", "/").replace("~0", "~");
            schema = match schema {
                Json::Object(entries) => entries.get(&token)?,
                Json::Array(items) => items.get(token.parse::<usize>().ok()?)?,
                _ => return None,
            };
            resource = self.owner(schema, resource);
        }
        Some(Target::Schema { schema, resource })
    }
}

/// Whether an address is that of a draft of JSON Schema.
fn is_draft(address: &Url) -> bool {
    address.as_str().contains("json-schema.org/draft")
}

/// The role of the value of an entry.
fn below(part: Part, name: &str, value: &Json) -> Part {
    match part {
        Part::Schemas => Part::Schema,
        Part::Other => Part::Other,
        Part::Schema => match name {
            "$defs" | "allOf" | "anyOf" | "definitions" | "dependencies" | "dependentSchemas"
            | "oneOf" | "patternProperties" | "prefixItems" | "properties" => Part::Schemas,
            "items" if value.is_array() => Part::Schemas,
            "additionalItems"
            | "additionalProperties"
            | "contains"
            | "contentSchema"
            | "else"
            | "if"
            | "items"
            | "not"
            | "propertyNames"
            | "then"
            | "unevaluatedItems"
            | "unevaluatedProperties" => Part::Schema,
            _ => Part::Other,
        },
    }
}

fn draft(url: &str) -> Draft {
    let url = url.trim_end_matches('#');
    match url.rsplit_once("json-schema.org/") {
        Some((_, "draft-04/schema")) => Draft::D4,
        Some((_, "draft-06/schema")) => Draft::D6,
        Some((_, "draft-07/schema")) => Draft::D7,
        Some((_, "draft/2019-09/schema")) => Draft::D2019,
        _ => Draft::D2020,
    }
}

/// Percent-encoded bytes of a fragment as they are.
fn decode(fragment: &str) -> String {
    let mut out = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((next, after)) = rest.split_first() {
        rest = after;
        if *next == b'%'
            && let Some(digits) = after.get(..2)
            && let Ok(digits) = std::str::from_utf8(digits)
            && let Ok(byte) = u8::from_str_radix(digits, 16)
        {
            out.push(byte);
            rest = &after[2..];
        } else {
            out.push(*next);
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
