//! What is computed once, when an expression is read.
//!
//! Lists and maps of literals, conversions of them and patterns that are written out cost
//! nothing on evaluation, and what is wrong with them is found before anything depends on it.
//! cel-go does the same when it makes its program, so both refuse the same expressions here.

use super::evaluate::{Result, not_optional, shown_key};
use super::functions;
use super::strings::Pattern;
use super::tree::{Kind, Node};
use super::value::{Map, Value};

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

/// What the patterns of an expression may cost together: some 800 usual ones, or 26 of the
/// largest. They are kept as long as the expression is.
const PATTERNS: usize = 4_000_000;

/// Folds an expression in place. Some is only done with expressions whose types were checked.
pub(super) fn fold(root: &mut Node, is_checked: bool) -> Result<()> {
    let mut left = PATTERNS;
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
        // Nothing is left to decide which function it may be.
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
            // Nothing is in it, whatever comes of the other side.
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
                // The call stays as it was written, for what is said of a wrong first operand.
                let call = std::mem::replace(&mut node.kind, Kind::Literal(Value::Null));
                let call = Box::new(Node::new(node.at, call));
                node.kind = Kind::Matches { pattern, call };
            }
        }
        _ => {}
    }
    Ok(())
}

/// What is wrong with a list or map of literals: an entry that may be left out is no optional.
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
            let what = format!("entry {}", shown_key(&literal(key)?));
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
