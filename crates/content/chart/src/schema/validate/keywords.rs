//! The keywords for each type of value.

use sluice_golang::regexp;

use super::{EvaluatedParts, SchemaResult, Validator, sorted};
use crate::schema::document::Draft;
use crate::schema::format::{self, PATTERN_BYTES};
use crate::schema::message::{Problem, count, display, number, quote, quoted_list};
use crate::values::{Json, Values};

impl<'s> Validator<'s> {
    /// `type`, `const`, `enum` and `format`, of which the first failure is the only problem.
    pub(super) fn general(&self, schema: &Values, value: &Json) -> Option<Problem> {
        let wanted = wanted_types(schema);
        let is_whole = value.as_f64().is_some_and(|number| number.fract() == 0.0);
        let found = schema_type(value);
        let is_wanted = |of: &&str| *of == found || (*of == "integer" && is_whole);
        if !wanted.is_empty() && !wanted.iter().any(is_wanted) {
            let wanted = wanted.join(" or ");
            return Some(self.problem(format!("got {found}, want {wanted}")));
        }
        if self.document.draft >= Draft::D6
            && let Some(constant) = schema.get("const")
            && !equals(value, constant)
        {
            return Some(self.problem(match constant {
                Json::Array(_) | Json::Object(_) => "'const' failed".to_owned(),
                constant => format!("value must be {}", display(constant)),
            }));
        }
        if let Some(Json::Array(allowed)) = schema.get("enum")
            && !allowed.iter().any(|allowed| equals(value, allowed))
        {
            let is_plain = |value: &Json| !value.is_array() && !value.is_object();
            let shown: Vec<String> = allowed.iter().map(display).collect();
            return Some(self.problem(match &*shown {
                _ if !allowed.iter().all(is_plain) => "'enum' failed".to_owned(),
                [one] => format!("value must be {one}"),
                shown => format!("value must be one of {}", shown.join(", ")),
            }));
        }
        if self.checks_formats
            && let (Some(format), Some(text)) = (text_of(schema, "format"), value.as_str())
            && let Some(reason) = format::check(format, text)
        {
            let text = quote(text);
            return Some(self.problem(format!("{text} is not valid {format}: {reason}")));
        }
        None
    }

    pub(super) fn object(
        &mut self,
        schema: &'s Values,
        object: &Values,
        value: &Json,
        evaluated: &mut EvaluatedParts,
        problems: &mut Vec<Problem>,
    ) -> SchemaResult<()> {
        let size = object.len();
        self.size(schema, "minProperties", size, size, problems);
        self.size(schema, "maxProperties", size, size, problems);
        let missing = missing_names(schema.get("required"), object);
        match &*missing {
            [] => {}
            [one] => problems.push(self.problem(format!("missing property {}", quote(one)))),
            all => {
                let all = quoted_list(all);
                problems.push(self.problem(format!("missing properties {all}")));
            }
        }
        self.dependencies(schema, "dependencies", object, value, evaluated, problems)?;
        self.properties(schema, object, evaluated, problems)?;
        if self.document.draft >= Draft::D6
            && let Some(names) = schema.get("propertyNames")
        {
            for (key, _) in sorted(object) {
                let path = std::mem::take(&mut self.path);
                let outcome = self.validate(names, &Json::String(key.clone()));
                self.path = path;
                if let Err(problem) = outcome? {
                    let causes = match problem.kind {
                        super::Kind::Group => problem.causes,
                        _ => vec![problem],
                    };
                    let text = format!("invalid propertyName {}", quote(key));
                    // The validator of Go starts anew here, at the root.
                    problems.push(Problem {
                        path: Vec::new(),
                        ..self.caused(text, causes)
                    });
                }
            }
        }
        if self.document.draft >= Draft::D2019 {
            for key in ["dependentSchemas", "dependentRequired"] {
                self.dependencies(schema, key, object, value, evaluated, problems)?;
            }
        }
        Ok(())
    }

    fn properties(
        &mut self,
        schema: &'s Values,
        object: &Values,
        evaluated: &mut EvaluatedParts,
        problems: &mut Vec<Problem>,
    ) -> SchemaResult<()> {
        let properties = schema.get("properties").and_then(Json::as_object);
        let mut patterns = Vec::new();
        if let Some(Json::Object(entries)) = schema.get("patternProperties") {
            for (pattern, schema) in entries {
                patterns.push((compile(pattern)?, schema));
            }
        }
        let mut additional = Vec::new();
        for (key, value) in sorted(object) {
            let mut is_evaluated = false;
            if let Some(schema) = properties.and_then(|properties| properties.get(key)) {
                is_evaluated = true;
                problems.extend(self.validate_part(schema, value, key.clone())?.err());
            }
            for (pattern, schema) in &patterns {
                if pattern.is_match(key) {
                    is_evaluated = true;
                    problems.extend(self.validate_part(schema, value, key.clone())?.err());
                }
            }
            match schema.get("additionalProperties") {
                Some(rest) if !is_evaluated => {
                    is_evaluated = true;
                    if *rest == Json::Bool(false) {
                        additional.push(key.as_str());
                    } else {
                        problems.extend(self.validate_part(rest, value, key.clone())?.err());
                    }
                }
                _ => {}
            }
            if is_evaluated {
                evaluated.keys.insert(key.clone());
            }
        }
        if !additional.is_empty() {
            let keys = quoted_list(&additional);
            problems.push(self.problem(format!("additional properties {keys} not allowed")));
        }
        Ok(())
    }

    /// Demands of one key that others, or the whole value, have to meet.
    fn dependencies(
        &mut self,
        schema: &'s Values,
        keyword: &str,
        object: &Values,
        value: &Json,
        evaluated: &mut EvaluatedParts,
        problems: &mut Vec<Problem>,
    ) -> SchemaResult<()> {
        let Some(Json::Object(dependencies)) = schema.get(keyword) else {
            return Ok(());
        };
        for (key, dependency) in sorted(dependencies) {
            if !object.contains_key(key) {
                continue;
            }
            if dependency.is_array() {
                let missing = missing_names(Some(dependency), object);
                if !missing.is_empty() {
                    let (missing, key) = (quoted_list(&missing), quote(key));
                    let text = format!("properties {missing} required, if {key} exists");
                    problems.push(self.problem(text));
                }
                continue;
            }
            match self.validate(dependency, value)? {
                Ok(seen) => evaluated.add(seen),
                Err(problem) => problems.push(problem),
            }
        }
        Ok(())
    }

    pub(super) fn array(
        &mut self,
        schema: &'s Values,
        items: &[Json],
        evaluated: &mut EvaluatedParts,
        problems: &mut Vec<Problem>,
    ) -> SchemaResult<()> {
        self.size(schema, "minItems", items.len(), items.len(), problems);
        self.size(schema, "maxItems", items.len(), items.len(), problems);
        if schema.get("uniqueItems") == Some(&Json::Bool(true))
            && let Some((one, two)) = duplicates(items)
        {
            let text = format!("items at {} and {} are equal", count(one), count(two));
            problems.push(self.problem(text));
        }
        let (prefix, rest) = if self.document.draft >= Draft::D2020 {
            (schema.get("prefixItems"), schema.get("items"))
        } else {
            match schema.get("items") {
                Some(list @ Json::Array(_)) => (Some(list), schema.get("additionalItems")),
                all => (None, all),
            }
        };
        let prefix = prefix
            .and_then(Json::as_array)
            .map_or(&[][..], Vec::as_slice);
        for (index, (schema, item)) in prefix.iter().zip(items).enumerate() {
            problems.extend(self.validate_part(schema, item, index.to_string())?.err());
            evaluated.items.insert(index);
        }
        let is_draft_with_lists = self.document.draft < Draft::D2020 && !prefix.is_empty();
        match rest {
            Some(Json::Bool(false)) if is_draft_with_lists => {
                if let Some(left) = items
                    .len()
                    .checked_sub(prefix.len())
                    .filter(|left| *left > 0)
                {
                    let left = count(left);
                    let text = format!("last {left} additionalItem(s) not allowed");
                    problems.push(self.problem(text));
                }
            }
            Some(rest) => {
                // Helm's validator counts the paths of these from 0 again.
                for (index, item) in items.iter().skip(prefix.len()).enumerate() {
                    problems.extend(self.validate_part(rest, item, index.to_string())?.err());
                    evaluated.items.insert(prefix.len() + index);
                }
            }
            None => {}
        }
        self.contains(schema, items, evaluated, problems)
    }

    fn contains(
        &mut self,
        schema: &'s Values,
        items: &[Json],
        evaluated: &mut EvaluatedParts,
        problems: &mut Vec<Problem>,
    ) -> SchemaResult<()> {
        let Some(contains) = schema
            .get("contains")
            .filter(|_| self.document.draft >= Draft::D6)
        else {
            return Ok(());
        };
        let (mut causes, mut matched) = (Vec::new(), Vec::new());
        for (index, item) in items.iter().enumerate() {
            match self.validate_part(contains, item, index.to_string())? {
                Ok(_) => {
                    matched.push(index.to_string());
                    if self.document.draft >= Draft::D2020 {
                        evaluated.items.insert(index);
                    }
                }
                Err(problem) => causes.push(problem),
            }
        }
        let has_limits = self.document.draft >= Draft::D2019;
        let limit = |key: &str| size_of(schema, key).filter(|_| has_limits);
        let (found, places) = (count(matched.len()), matched.join(" "));
        match limit("minContains") {
            Some(least) if matched.len() < least => {
                let least = count(least);
                let text = if matched.is_empty() {
                    format!("min {least} items required to match contains schema, but none matched")
                } else {
                    format!(
                        "min {least} items required to match contains schema, but matched {found} \
                         items at {places}"
                    )
                };
                problems.push(self.caused(text, causes));
            }
            None if matched.is_empty() => {
                problems.push(self.caused("no items match contains schema", causes));
            }
            _ => {}
        }
        if let Some(most) = limit("maxContains")
            && matched.len() > most
        {
            let most = count(most);
            problems.push(self.problem(format!(
                "max {most} items required to match contains schema, but matched {found} items at \
                 {places}"
            )));
        }
        Ok(())
    }

    pub(super) fn text(
        &self,
        schema: &Values,
        text: &str,
        problems: &mut Vec<Problem>,
    ) -> SchemaResult<()> {
        let length = text.chars().count();
        self.size(schema, "minLength", length, length, problems);
        self.size(schema, "maxLength", length, length, problems);
        if let Some(pattern) = text_of(schema, "pattern")
            && !compile(pattern)?.is_match(text)
        {
            let (text, pattern) = (quote(text), quote(pattern));
            problems.push(self.problem(format!("{text} does not match pattern {pattern}")));
        }
        Ok(())
    }

    pub(super) fn number(&self, schema: &Values, value: f64, problems: &mut Vec<Problem>) {
        let bound = |key: &str| schema.get(key).and_then(Json::as_f64);
        let is_strict = |key: &str| schema.get(key) == Some(&Json::Bool(true));
        let mut check = |keyword: &str, wanted: Option<f64>, is_valid: fn(f64, f64) -> bool| {
            if let Some(wanted) = wanted
                && !is_valid(value, wanted)
            {
                let (got, wanted) = (number(value), number(wanted));
                problems.push(self.problem(format!("{keyword}: got {got}, want {wanted}")));
            }
        };
        // In draft 4 the strict keywords are flags of the others.
        let (minimum, strict_minimum) = if is_strict("exclusiveMinimum") {
            (None, bound("minimum"))
        } else {
            (bound("minimum"), bound("exclusiveMinimum"))
        };
        let (maximum, strict_maximum) = if is_strict("exclusiveMaximum") {
            (None, bound("maximum"))
        } else {
            (bound("maximum"), bound("exclusiveMaximum"))
        };
        check("minimum", minimum, |value, bound| value >= bound);
        check("maximum", maximum, |value, bound| value <= bound);
        check("exclusiveMinimum", strict_minimum, |value, bound| {
            value > bound
        });
        check("exclusiveMaximum", strict_maximum, |value, bound| {
            value < bound
        });
        check("multipleOf", bound("multipleOf"), is_multiple);
    }

    /// A limit on a size, such as `minLength`.
    fn size(
        &self,
        schema: &Values,
        keyword: &str,
        size: usize,
        shown: usize,
        problems: &mut Vec<Problem>,
    ) {
        if let Some(limit) = size_of(schema, keyword) {
            let is_valid = if keyword.starts_with("min") {
                size >= limit
            } else {
                size <= limit
            };
            if !is_valid {
                let (shown, limit) = (count(shown), count(limit));
                problems.push(self.problem(format!("{keyword}: got {shown}, want {limit}")));
            }
        }
    }
}

/// Whether a number is a whole multiple, allowing for what binary fractions lose.
fn is_multiple(value: f64, of: f64) -> bool {
    let quotient = value / of;
    (quotient - quotient.round()).abs() < 1e-9 * quotient.abs().max(1.0)
}

fn compile(pattern: &str) -> SchemaResult<regex::Regex> {
    let compiled = regexp::compile(pattern, PATTERN_BYTES);
    compiled.map_err(|error| format!("the pattern {} is not valid: {error}", quote(pattern)))
}

fn text_of<'v>(schema: &'v Values, key: &str) -> Option<&'v str> {
    schema.get(key).and_then(Json::as_str)
}

fn size_of(schema: &Values, key: &str) -> Option<usize> {
    let number = schema.get(key)?;
    let number = number.as_u64().or_else(|| {
        let float = number.as_f64().filter(|float| float.fract() == 0.0)?;
        format!("{float}").parse().ok()
    })?;
    usize::try_from(number).ok()
}

/// The names of a list that an object lacks.
fn missing_names<'v>(names: Option<&'v Json>, object: &Values) -> Vec<&'v str> {
    let names = names.and_then(Json::as_array);
    let names = names.into_iter().flatten().filter_map(Json::as_str);
    names.filter(|name| !object.contains_key(*name)).collect()
}

/// The types of a schema, in the order in which messages name them.
fn wanted_types(schema: &Values) -> Vec<&'static str> {
    const TYPES: [&str; 7] = [
        "null", "boolean", "number", "integer", "string", "array", "object",
    ];
    let is_wanted = |of: &&str| match schema.get("type") {
        Some(Json::String(wanted)) => wanted == of,
        Some(Json::Array(wanted)) => wanted.iter().any(|wanted| wanted == of),
        _ => false,
    };
    TYPES.into_iter().filter(is_wanted).collect()
}

fn schema_type(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

/// Whether both are the same value. Numbers are equal in any notation: 1 and 1.0.
fn equals(one: &Json, two: &Json) -> bool {
    match (one, two) {
        (Json::Number(one), Json::Number(two)) => one.as_f64() == two.as_f64(),
        (Json::Array(one), Json::Array(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| equals(one, two))
        }
        (Json::Object(one), Json::Object(two)) => {
            let same = |(key, one): (&String, &Json)| {
                let two = two.get(key);
                two.is_some_and(|two| equals(one, two))
            };
            one.len() == two.len() && one.iter().all(same)
        }
        _ => one == two,
    }
}

/// The places of the first two items that are equal.
fn duplicates(items: &[Json]) -> Option<(usize, usize)> {
    // The text finds equal candidates without a comparison of each pair.
    let mut seen = std::collections::HashMap::new();
    for (index, item) in items.iter().enumerate() {
        if let Some(first) = seen.insert(normal(item), index) {
            return Some((first, index));
        }
    }
    None
}

/// A text that equal values share.
fn normal(value: &Json) -> String {
    match value {
        Json::Number(number) => format!("{:?}", number.as_f64()),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(normal).collect();
            format!("[{}]", items.join(","))
        }
        Json::Object(object) => {
            let entries = sorted(object);
            let entries = entries.into_iter();
            let entries: Vec<String> = entries
                .map(|(key, value)| format!("{key:?}:{}", normal(value)))
                .collect();
            format!("{{{}}}", entries.join(","))
        }
        other => other.to_string(),
    }
}
