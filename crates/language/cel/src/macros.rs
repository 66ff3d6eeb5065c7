//! Expands calls and macros into syntax tree nodes.

use super::functions;
use super::issues::Issue;
use super::tree::{Kind, Loop, LoopKind, Node};

type Result<T> = std::result::Result<T, Issue>;

/// Creates a node for a call: a macro, a namespaced function, a method or a global function.
pub(super) fn call(
    at: usize,
    target: Option<Node>,
    function: String,
    mut arguments: Vec<Node>,
) -> Result<Node> {
    let Some(target) = target else {
        if function == "has" && arguments.len() == 1 {
            return presence(at, arguments.remove(0));
        }
        return Node::call(at, &function, arguments);
    };
    if let Kind::Name(namespace) = &target.kind {
        let qualified = format!("{namespace}.{function}");
        if functions::is_qualified(&qualified) {
            return Node::call(at, &qualified, arguments);
        }
    }
    let kind = match (function.as_str(), arguments.len()) {
        ("all", 2) => Some(LoopKind::All),
        ("exists", 2) => Some(LoopKind::Exists),
        ("exists_one", 2) => Some(LoopKind::ExistsOne),
        ("filter", 2) | ("map", 2 | 3) => Some(LoopKind::Collect),
        _ => None,
    };
    let variable = |node: &Node, message: &str| match &node.kind {
        Kind::Name(name) => Ok(name.clone()),
        _ => Issue::at(node.at, message),
    };
    if let Some(kind) = kind {
        let name = variable(&arguments[0], "argument must be a simple name")?;
        let last = arguments.pop();
        let (predicate, transform) = match (function.as_str(), arguments.len()) {
            ("map", 1) => (None, last),
            ("map", _) => (arguments.pop(), last),
            _ => (last, None),
        };
        let each = Loop {
            kind,
            range: target,
            variable: name,
            predicate,
            transform,
        };
        return Node::checked(at, Kind::Loop(Box::new(each)));
    }
    if let ("optMap" | "optFlatMap", 2) = (function.as_str(), arguments.len()) {
        let message = format!("{function}() variable name must be a simple identifier");
        let variable = variable(&arguments[0], &message)?;
        let body = arguments.pop().expect("optMap has two arguments");
        let kind = Kind::OptionalMap {
            target: Box::new(target),
            variable,
            body: Box::new(body),
            is_flat: function == "optFlatMap",
        };
        return Node::checked(at, kind);
    }
    arguments.insert(0, target);
    let kind = Kind::Call {
        function,
        is_member: true,
        arguments,
    };
    Node::checked(at, kind)
}

fn presence(at: usize, argument: Node) -> Result<Node> {
    match argument.kind {
        Kind::Select {
            operand,
            field,
            optional: false,
        } => Node::checked(at, Kind::Has { operand, field }),
        _ => Issue::at(argument.at, "invalid argument to has() macro"),
    }
}
