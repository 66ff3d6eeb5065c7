//! The syntax tree of an expression.

use super::issues::Issue;
use super::strings::Pattern;
use super::value::Value;

/// Maximum nesting depth of an expression, as in cel-go.
pub(super) const MAX_DEPTH: usize = 250;

/// A part of an expression. Errors report the position `at`.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) at: usize,
    pub(super) kind: Kind,
    /// Number of levels of the subtree.
    height: usize,
}

impl Node {
    /// Creates a node, or fails when its subtree exceeds [`MAX_DEPTH`]. The parser reads chains of
    /// operators in a loop, so its own depth limit does not see them.
    pub(super) fn checked(at: usize, kind: Kind) -> Result<Self, Issue> {
        let node = Self::new(at, kind);
        if node.height > MAX_DEPTH {
            return too_deep(at);
        }
        Ok(node)
    }

    /// Creates a call of a global function.
    pub(super) fn call(at: usize, function: &str, arguments: Vec<Self>) -> Result<Self, Issue> {
        let kind = Kind::Call {
            function: function.to_owned(),
            is_member: false,
            arguments,
        };
        Self::checked(at, kind)
    }

    /// Appends an operand to a chain of `&&` or `||`, which keeps its depth.
    pub(super) fn push_operand(&mut self, operand: Self) {
        if let Kind::Call { arguments, .. } = &mut self.kind {
            self.height = self.height.max(operand.height + 1);
            arguments.push(operand);
        }
    }

    pub(super) fn new(at: usize, kind: Kind) -> Self {
        let mut height = 0;
        kind.each_child(|child| height = height.max(child.height));
        Self {
            at,
            kind,
            height: height + 1,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Literal(Value),
    Name(String),
    /// `operand.field`, or `operand.?field` when optional.
    Select {
        operand: Box<Node>,
        field: String,
        optional: bool,
    },
    /// `has(operand.field)`
    Has {
        operand: Box<Node>,
        field: String,
    },
    /// A function call. The first argument of a member call is its target.
    Call {
        function: String,
        is_member: bool,
        arguments: Vec<Node>,
    },
    /// `matches` with a literal pattern, and the original call.
    Matches {
        pattern: Box<Pattern>,
        call: Box<Node>,
    },
    /// Elements; the flag marks an optional element (`?element`).
    List(Vec<(bool, Node)>),
    Map(Vec<(bool, Node, Node)>),
    Loop(Box<Loop>),
    /// `target.optMap(variable, body)`: maps the value of an optional.
    OptionalMap {
        target: Box<Node>,
        variable: String,
        body: Box<Node>,
        /// Whether the body returns an optional (`optFlatMap`).
        is_flat: bool,
    },
}

impl Kind {
    pub(super) fn each_child(&self, mut visit: impl FnMut(&Node)) {
        match self {
            Self::Literal(_) | Self::Name(_) => {}
            Self::Select { operand, .. } | Self::Has { operand, .. } => visit(operand),
            Self::Call { arguments, .. } => arguments.iter().for_each(visit),
            Self::Matches { call, .. } => visit(call),
            Self::List(elements) => elements.iter().for_each(|(_, element)| visit(element)),
            Self::Map(entries) => entries.iter().for_each(|(_, key, value)| {
                visit(key);
                visit(value);
            }),
            Self::Loop(each) => {
                visit(&each.range);
                each.predicate.iter().chain(&each.transform).for_each(visit);
            }
            Self::OptionalMap { target, body, .. } => {
                visit(target);
                visit(body);
            }
        }
    }

    pub(super) fn each_child_mut(&mut self, mut visit: impl FnMut(&mut Node)) {
        match self {
            Self::Literal(_) | Self::Name(_) => {}
            Self::Select { operand, .. } | Self::Has { operand, .. } => visit(operand),
            Self::Call { arguments, .. } => arguments.iter_mut().for_each(visit),
            Self::Matches { call, .. } => visit(call),
            Self::List(elements) => elements.iter_mut().for_each(|(_, element)| visit(element)),
            Self::Map(entries) => entries.iter_mut().for_each(|(_, key, value)| {
                visit(key);
                visit(value);
            }),
            Self::Loop(each) => {
                visit(&mut each.range);
                let inner = each.predicate.iter_mut().chain(&mut each.transform);
                inner.for_each(visit);
            }
            Self::OptionalMap { target, body, .. } => {
                visit(target);
                visit(body);
            }
        }
    }
}

/// A macro over the elements of a list or the keys of a map.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) kind: LoopKind,
    pub(super) range: Node,
    pub(super) variable: String,
    pub(super) predicate: Option<Node>,
    pub(super) transform: Option<Node>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopKind {
    All,
    Exists,
    ExistsOne,
    /// `map` and `filter`, which return a list.
    Collect,
}

pub(super) fn too_deep<T>(at: usize) -> Result<T, Issue> {
    Issue::at(
        at,
        format!("expression recursion limit exceeded: {MAX_DEPTH}"),
    )
}
