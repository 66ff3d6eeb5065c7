//! Folds constants once, after parsing.
//!
//! Lists and maps of literals, conversions of literals and literal patterns cost nothing during
//! evaluation. cel-go folds the same nodes when it creates a program, so both reject the same
//! expressions here.

use super::error::Result;
use super::functions;
use super::strings::Pattern;
use super::tree::{Kind, Node};
use super::value::{Map, Value, not_optional};

const TOO_MANY: &str = "the patterns of the expression are too many or too large";

const CONVERSIONS: [&str; 10] = [
    "bool",
    "bytes",
    "double",
    "duration",
    "dyn",
    "int",
    "string",
    "timestamp",
    "type",
    "uint",
];

/// Maximum cost of all patterns of an expression: about 800 usual patterns, or 26 of the largest
/// size. Compiled patterns stay in memory as long as the expression.
const MAX_PATTERN_COST: usize = 4_000_000;

/// Folds an expression in place. Some constants are only folded in type-checked expressions.
pub(super) fn fold(root: &mut Node, is_checked: bool) -> Result<()> {
    let mut left = MAX_PATTERN_COST;
    fold_within(root, is_checked, &mut left)
}

fn fold_within(node: &mut Node, is_checked: bool, left: &mut usize) -> Result<()> {
    let mut outcome = Ok(());
    node.kind.each_child_mut(|child| {
        if outcome.is_ok() {
            outcome = fold_within(child, is_checked, left);
        }
    });
    outcome?;
    if let Some(value) = literal_list(&node.kind).or_else(|| literal_map(&node.kind)) {
        node.kind = Kind::Literal(value);
        return Ok(());
    }
    let Kind::Call {
        function,
        is_member,
        arguments,
    } = &node.kind
    else {
        return Ok(());
    };
    match arguments.as_slice() {
        // Without arguments the overload is already known.
        [] if function != "optional.none" => {
            functions::call(function, false, &[])?;
        }
        [argument] if !is_member && CONVERSIONS.contains(&function.as_str()) => {
            if let Some(problem) = constant_fault(&argument.kind) {
                return Err(problem);
            }
            if let Kind::Literal(value) = &argument.kind {
                let value = functions::call(function, false, std::slice::from_ref(value))?;
                node.kind = Kind::Literal(value);
            }
        }
        [_, list] if function == "@in" && is_checked => {
            // An empty list contains nothing, whatever the left side is.
            if matches!(&list.kind, Kind::Literal(Value::List(items)) if items.is_empty()) {
                node.kind = Kind::Literal(Value::Bool(false));
            }
        }
        [_, index] if matches!(function.as_str(), "_[_]" | "_[?_]") => {
            if let Kind::Literal(value) = &index.kind
                && let Some(name) = functions::go_qualifier(value)
            {
                return Err(format!("invalid qualifier type: {name}"));
            }
        }
        [_, argument] if function == "matches" => {
            if let Kind::Literal(Value::String(pattern)) = &argument.kind {
                let charge = |cost| {
                    *left = left.checked_sub(cost).ok_or(TOO_MANY)?;
                    Ok(())
                };
                let pattern = Box::new(Pattern::new(pattern, charge)?);
                // Errors about the first operand need the original call.
                let call = std::mem::replace(&mut node.kind, Kind::Literal(Value::Null));
                let call = Box::new(Node::new(node.at, call));
                node.kind = Kind::Matches { pattern, call };
            }
        }
        _ => {}
    }
    Ok(())
}

/// The error of a constant list or map whose optional entry is not an optional.
fn constant_fault(kind: &Kind) -> Option<String> {
    match kind {
        Kind::List(elements) => {
            let mut values = elements.iter().map(|(_, element)| literal(element));
            if !values.all(|value| value.is_some()) {
                return None;
            }
            let (_, element) = elements.iter().find(|(is_optional, _)| *is_optional)?;
            Some(not_optional("list element", &literal(element)?))
        }
        Kind::Map(entries) => {
            let mut parts = entries.iter().flat_map(|(_, key, value)| [key, value]);
            if !parts.all(|part| literal(part).is_some()) {
                return None;
            }
            let (_, key, value) = entries.iter().find(|(is_optional, ..)| *is_optional)?;
            let what = format!("entry {}", literal(key)?.describe_key());
            Some(not_optional(&what, &literal(value)?))
        }
        _ => None,
    }
}

fn literal_list(kind: &Kind) -> Option<Value> {
    let Kind::List(elements) = kind else {
        return None;
    };
    let items = elements.iter().map(|element| match element {
        (false, node) => literal(node),
        _ => None,
    });
    Some(Value::list(items.collect::<Option<_>>()?))
}

fn literal_map(kind: &Kind) -> Option<Value> {
    let Kind::Map(entries) = kind else {
        return None;
    };
    let mut map = Map::default();
    for (is_optional, key, value) in entries {
        if *is_optional {
            return None;
        }
        let key = literal(key)?;
        if matches!(key, Value::Bytes(_)) {
            return None;
        }
        map.insert(key, literal(value)?);
    }
    Some(Value::Map(map.into()))
}

fn literal(node: &Node) -> Option<Value> {
    match &node.kind {
        Kind::Literal(value) => Some(value.clone()),
        _ => None,
    }
}
