//! Checks that a schema follows its draft, as Helm's validator does before it applies one.
//!
//! The rules of a draft are a schema themselves. It is built from a table of keywords. Its
//! structure is that of the published one, because the report shows it.

use std::sync::OnceLock;

use serde_json::{Map, json};

use super::document::{Document, Draft};
use super::message;
use super::validate::Validator;
use crate::values::Json;

/// The steps of the check. A schema of some MiB takes as many.
const MAX_STEPS: u32 = 2_000_000;
/// The nesting of the rules; each level of a schema takes some.
const MAX_DEPTH: usize = 1_500;

/// The values that a keyword may have.
#[derive(Clone, Copy)]
enum Rule {
    Text,
    /// A text of a format.
    Format(&'static str),
    /// A text that fits a pattern.
    Pattern(&'static str),
    /// The identifier of a schema: an address without a name in it.
    Identifier,
    Boolean,
    Number,
    Positive,
    Count,
    CountFromZero,
    Schema,
    SchemaOrBoolean,
    SchemaOrList,
    SchemaList,
    SchemaMap,
    /// Schemas by patterns.
    PatternMap,
    /// Schemas or names, by names.
    Dependencies,
    Names,
    NamesByName,
    Types,
    Values,
    /// Values of which none is twice, and at least one.
    DistinctValues,
    Vocabularies,
}

type Keywords = &'static [(&'static str, Rule)];

const ANCHOR: Rule = Rule::Pattern("^[A-Za-z_][-A-Za-z0-9._]*$");
const OLD_ANCHOR: Rule = Rule::Pattern("^[A-Za-z][-A-Za-z0-9.:_]*$");
const ADDRESS: Rule = Rule::Format("uri");
const REFERENCE: Rule = Rule::Format("uri-reference");

/// The keywords of sizes, which all drafts have.
const SIZES: Keywords = &[
    ("maxLength", Rule::Count),
    ("minLength", Rule::CountFromZero),
    ("pattern", Rule::Format("regex")),
    ("maxItems", Rule::Count),
    ("minItems", Rule::CountFromZero),
    ("uniqueItems", Rule::Boolean),
    ("maxProperties", Rule::Count),
    ("minProperties", Rule::CountFromZero),
    ("required", Rule::Names),
    ("type", Rule::Types),
    ("multipleOf", Rule::Positive),
    ("maximum", Rule::Number),
    ("minimum", Rule::Number),
];
/// The keywords of schemas within schemas, which all drafts have.
const NESTED: Keywords = &[
    ("properties", Rule::SchemaMap),
    ("patternProperties", Rule::PatternMap),
    ("allOf", Rule::SchemaList),
    ("anyOf", Rule::SchemaList),
    ("oneOf", Rule::SchemaList),
    ("not", Rule::Schema),
];
const DRAFT_4: Keywords = &[
    ("id", Rule::Text),
    ("$schema", ADDRESS),
    ("title", Rule::Text),
    ("description", Rule::Text),
    ("exclusiveMaximum", Rule::Boolean),
    ("exclusiveMinimum", Rule::Boolean),
    ("additionalItems", Rule::SchemaOrBoolean),
    ("items", Rule::SchemaOrList),
    ("additionalProperties", Rule::SchemaOrBoolean),
    ("definitions", Rule::SchemaMap),
    ("dependencies", Rule::Dependencies),
    ("enum", Rule::DistinctValues),
    ("format", Rule::Text),
    ("$ref", Rule::Text),
];
const DRAFT_6: Keywords = &[
    ("$id", REFERENCE),
    ("$schema", ADDRESS),
    ("$ref", REFERENCE),
    ("title", Rule::Text),
    ("description", Rule::Text),
    ("exclusiveMaximum", Rule::Number),
    ("exclusiveMinimum", Rule::Number),
    ("additionalItems", Rule::Schema),
    ("items", Rule::SchemaOrList),
    ("contains", Rule::Schema),
    ("additionalProperties", Rule::Schema),
    ("definitions", Rule::SchemaMap),
    ("dependencies", Rule::Dependencies),
    ("propertyNames", Rule::Schema),
    ("enum", Rule::DistinctValues),
    ("format", Rule::Text),
];
const DRAFT_7: Keywords = &[
    ("$comment", Rule::Text),
    ("readOnly", Rule::Boolean),
    ("writeOnly", Rule::Boolean),
    ("examples", Rule::Values),
    ("contentMediaType", Rule::Text),
    ("contentEncoding", Rule::Text),
    ("if", Rule::Schema),
    ("then", Rule::Schema),
    ("else", Rule::Schema),
];
const CORE_2019: Keywords = &[
    ("$id", Rule::Identifier),
    ("$schema", ADDRESS),
    ("$anchor", OLD_ANCHOR),
    ("$ref", REFERENCE),
    ("$recursiveRef", REFERENCE),
    ("$recursiveAnchor", Rule::Boolean),
    ("$vocabulary", Rule::Vocabularies),
    ("$comment", Rule::Text),
    ("$defs", Rule::SchemaMap),
];
const CORE_2020: Keywords = &[
    ("$id", Rule::Identifier),
    ("$schema", ADDRESS),
    ("$ref", REFERENCE),
    ("$anchor", ANCHOR),
    ("$dynamicRef", REFERENCE),
    ("$dynamicAnchor", ANCHOR),
    ("$vocabulary", Rule::Vocabularies),
    ("$comment", Rule::Text),
    ("$defs", Rule::SchemaMap),
];
/// The applicators of drafts with vocabularies.
const APPLICATOR: Keywords = &[
    ("contains", Rule::Schema),
    ("additionalProperties", Rule::Schema),
    ("dependentSchemas", Rule::SchemaMap),
    ("propertyNames", Rule::Schema),
    ("if", Rule::Schema),
    ("then", Rule::Schema),
    ("else", Rule::Schema),
];
const APPLICATOR_2019: Keywords = &[
    ("additionalItems", Rule::Schema),
    ("unevaluatedItems", Rule::Schema),
    ("items", Rule::SchemaOrList),
    ("unevaluatedProperties", Rule::Schema),
];
const APPLICATOR_2020: Keywords = &[("prefixItems", Rule::SchemaList), ("items", Rule::Schema)];
const UNEVALUATED: Keywords = &[
    ("unevaluatedItems", Rule::Schema),
    ("unevaluatedProperties", Rule::Schema),
];
const VALIDATION: Keywords = &[
    ("exclusiveMaximum", Rule::Number),
    ("exclusiveMinimum", Rule::Number),
    ("maxContains", Rule::Count),
    ("minContains", Rule::Count),
    ("dependentRequired", Rule::NamesByName),
    ("enum", Rule::Values),
];
const METADATA: Keywords = &[
    ("title", Rule::Text),
    ("description", Rule::Text),
    ("deprecated", Rule::Boolean),
    ("readOnly", Rule::Boolean),
    ("writeOnly", Rule::Boolean),
    ("examples", Rule::Values),
];
const FORMAT: Keywords = &[("format", Rule::Text)];
const CONTENT: Keywords = &[
    ("contentEncoding", Rule::Text),
    ("contentMediaType", Rule::Text),
    ("contentSchema", Rule::Schema),
];
const OLD_KEYWORDS_2019: Keywords = &[
    ("definitions", Rule::SchemaMap),
    ("dependencies", Rule::Dependencies),
];
const OLD_KEYWORDS_2020: Keywords = &[
    ("definitions", Rule::SchemaMap),
    ("dependencies", Rule::Dependencies),
    ("$recursiveAnchor", ANCHOR),
    ("$recursiveRef", REFERENCE),
];

/// Checks a schema against the rules of its draft.
pub(super) fn check(schema: &Document<'_>) -> Result<(), String> {
    let draft = schema.draft;
    let rules = Document::new(rules(draft));
    let mut validator = Validator::new(&rules, MAX_STEPS).for_rules(MAX_DEPTH);
    match validator.validate_root(schema.root)? {
        None => Ok(()),
        Some(problem) => {
            let (address, report) = (address(draft), message::report(&problem));
            let report = report.trim_end_matches('\n');
            Err(format!(
                "\"file:///values.schema.json#\" is not valid against metaschema: jsonschema \
                 validation failed with '{address}#'\n{report}"
            ))
        }
    }
}

fn address(draft: Draft) -> &'static str {
    match draft {
        Draft::D4 => "http://json-schema.org/draft-04/schema",
        Draft::D6 => "http://json-schema.org/draft-06/schema",
        Draft::D7 => "http://json-schema.org/draft-07/schema",
        Draft::D2019 => "https://json-schema.org/draft/2019-09/schema",
        Draft::D2020 => "https://json-schema.org/draft/2020-12/schema",
    }
}

/// The rules of a draft, which are built once.
fn rules(draft: Draft) -> &'static Json {
    static RULES: [OnceLock<Json>; 5] = [const { OnceLock::new() }; 5];
    RULES[draft as usize].get_or_init(|| match draft {
        Draft::D4 => single(draft, &[SIZES, NESTED, DRAFT_4]),
        Draft::D6 => single(draft, &[SIZES, NESTED, DRAFT_6]),
        Draft::D7 => single(draft, &[SIZES, NESTED, DRAFT_6, DRAFT_7]),
        Draft::D2019 => vocabularies(
            draft,
            &[
                ("core", &[CORE_2019]),
                ("applicator", &[NESTED, APPLICATOR, APPLICATOR_2019]),
                ("validation", &[SIZES, VALIDATION]),
                ("meta-data", &[METADATA]),
                ("format", &[FORMAT]),
                ("content", &[CONTENT]),
            ],
            OLD_KEYWORDS_2019,
        ),
        Draft::D2020 => vocabularies(
            draft,
            &[
                ("core", &[CORE_2020]),
                ("applicator", &[NESTED, APPLICATOR, APPLICATOR_2020]),
                ("unevaluated", &[UNEVALUATED]),
                ("validation", &[SIZES, VALIDATION]),
                ("meta-data", &[METADATA]),
                ("format-annotation", &[FORMAT]),
                ("content", &[CONTENT]),
            ],
            OLD_KEYWORDS_2020,
        ),
    })
}

/// The rules of a draft without vocabularies.
fn single(draft: Draft, keywords: &[Keywords]) -> Json {
    let mut rules = json!({
        "$schema": address(draft),
        "type": if draft == Draft::D4 { json!("object") } else { json!(["object", "boolean"]) },
        "properties": properties(draft, keywords),
        "definitions": definitions(draft),
    });
    if draft == Draft::D4 {
        rules["dependencies"] = json!({
            "exclusiveMaximum": ["maximum"], "exclusiveMinimum": ["minimum"],
        });
    }
    rules
}

/// The rules of a draft with vocabularies, which refer to the whole by an anchor.
fn vocabularies(
    draft: Draft,
    vocabularies: &[(&str, &[Keywords])],
    old_keywords: Keywords,
) -> Json {
    let whole = |address: String, keywords: &[Keywords]| {
        let mut rules = json!({
            "$id": address,
            "type": ["object", "boolean"],
            "properties": properties(draft, keywords),
            "$defs": definitions(draft),
        });
        if draft == Draft::D2019 {
            rules["$recursiveAnchor"] = json!(true);
        } else {
            rules["$dynamicAnchor"] = json!("meta");
        }
        rules
    };
    let mut rules = whole(address(draft).to_owned(), &[old_keywords]);
    rules["$schema"] = json!(address(draft));
    let mut all = Vec::new();
    for (name, keywords) in vocabularies {
        let address = format!("meta/{name}");
        all.push(json!({ "$ref": address }));
        rules["$defs"][*name] = whole(address, keywords);
    }
    rules["allOf"] = all.into();
    rules
}

fn properties(draft: Draft, keywords: &[Keywords]) -> Json {
    let keywords = keywords.iter().copied().flatten();
    let properties: Map<String, Json> = keywords
        .map(|(name, rule)| ((*name).to_owned(), rule.schema(draft)))
        .collect();
    properties.into()
}

/// A reference to a common definition.
fn reference(draft: Draft, name: &str) -> Json {
    let folder = if draft < Draft::D2019 {
        "definitions"
    } else {
        "$defs"
    };
    json!({ "$ref": format!("#/{folder}/{name}") })
}

fn definitions(draft: Draft) -> Json {
    let count = reference(draft, "count");
    let mut names = json!({
        "type": "array", "items": { "type": "string" }, "uniqueItems": true,
    });
    if draft == Draft::D4 {
        names["minItems"] = json!(1);
    }
    json!({
        "count": { "type": "integer", "minimum": 0 },
        "countFromZero": if draft < Draft::D2019 { json!({ "allOf": [count] }) } else { count },
        "schemas": { "type": "array", "minItems": 1, "items": Rule::Schema.schema(draft) },
        "types": { "enum": ["array", "boolean", "integer", "null", "number", "object", "string"] },
        "names": names,
    })
}

impl Rule {
    /// The values as a schema.
    fn schema(self, draft: Draft) -> Json {
        let defined = |name: &str| reference(draft, name);
        let schema = || match draft {
            Draft::D4 | Draft::D6 | Draft::D7 => json!({ "$ref": "#" }),
            Draft::D2019 => json!({ "$recursiveRef": "#" }),
            Draft::D2020 => json!({ "$dynamicRef": "#meta" }),
        };
        let by_name = |value: Json| json!({ "type": "object", "additionalProperties": value });
        match self {
            Self::Text => json!({ "type": "string" }),
            Self::Format(format) => json!({ "type": "string", "format": format }),
            Self::Pattern(pattern) => json!({ "type": "string", "pattern": pattern }),
            Self::Identifier => json!({
                "type": "string", "format": "uri-reference", "pattern": "^[^#]*#?$",
            }),
            Self::Boolean => json!({ "type": "boolean" }),
            Self::Number => json!({ "type": "number" }),
            Self::Positive if draft == Draft::D4 => {
                json!({ "type": "number", "minimum": 0, "exclusiveMinimum": true })
            }
            Self::Positive => json!({ "type": "number", "exclusiveMinimum": 0 }),
            Self::Count => defined("count"),
            Self::CountFromZero => defined("countFromZero"),
            Self::Schema => schema(),
            Self::SchemaOrBoolean => json!({ "anyOf": [{ "type": "boolean" }, schema()] }),
            Self::SchemaOrList => json!({ "anyOf": [schema(), defined("schemas")] }),
            Self::SchemaList => defined("schemas"),
            Self::SchemaMap => by_name(schema()),
            Self::PatternMap => {
                let mut map = by_name(schema());
                if draft >= Draft::D7 {
                    map["propertyNames"] = json!({ "format": "regex" });
                }
                map
            }
            Self::Dependencies => by_name(json!({ "anyOf": [schema(), defined("names")] })),
            Self::Names => defined("names"),
            Self::NamesByName => by_name(defined("names")),
            Self::Types => json!({ "anyOf": [defined("types"), {
                "type": "array", "items": defined("types"), "minItems": 1, "uniqueItems": true,
            }] }),
            Self::Values => json!({ "type": "array" }),
            Self::DistinctValues => {
                json!({ "type": "array", "minItems": 1, "uniqueItems": true })
            }
            Self::Vocabularies => {
                let mut map = by_name(json!({ "type": "boolean" }));
                map["propertyNames"] = Self::Format("uri").schema(draft);
                map
            }
        }
    }
}
