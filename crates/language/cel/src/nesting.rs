//! Bounds the nesting depth of computed values before evaluation.
//!
//! Comparing, printing and dropping a value recurse into it, so depth costs stack. A loop can
//! wrap the variable of the loop around it in a list. So the depths of nested loops add up,
//! although the text itself is shallow.

use super::tree::{Kind, LoopKind, Node};

/// Maximum number of levels that an expression may add to its input.
const MAX_LEVELS: usize = 1000;

/// Rejects an expression whose values may nest too deeply.
pub(super) fn check(root: &Node) -> Result<(), String> {
    let mut nesting = Nesting::default();
    nesting.of(root);
    if nesting.deepest > MAX_LEVELS {
        return Err(format!(
            "the values of the expression may nest more than {MAX_LEVELS} levels deep"
        ));
    }
    Ok(())
}

#[derive(Default)]
struct Nesting<'a> {
    /// Loop variables with the depth of their values, innermost last.
    locals: Vec<(&'a str, usize)>,
    deepest: usize,
}

impl<'a> Nesting<'a> {
    /// Upper bound for the depth of a node's value.
    fn of(&mut self, node: &'a Node) -> usize {
        let levels = match &node.kind {
            Kind::Literal(_) => 0,
            Kind::Name(name) => {
                let mut locals = self.locals.iter().rev();
                locals
                    .find(|(local, _)| local == name)
                    .map_or(0, |(_, levels)| *levels)
            }
            Kind::Select { operand, .. } => self.of(operand),
            Kind::Has { operand, .. } => {
                self.of(operand);
                0
            }
            Kind::Call { arguments, .. } => 1 + self.of_all(arguments),
            Kind::Matches { call, .. } => self.of(call),
            Kind::List(elements) => 1 + self.of_all(elements.iter().map(|(_, element)| element)),
            Kind::Map(entries) => {
                let parts = entries.iter().flat_map(|(_, key, value)| [key, value]);
                1 + self.of_all(parts)
            }
            Kind::Loop(each) => {
                let range = self.of(&each.range);
                self.locals.push((&each.variable, range));
                if let Some(predicate) = &each.predicate {
                    self.of(predicate);
                }
                let transform = each.transform.as_ref().map(|node| self.of(node));
                self.locals.pop();
                match each.kind {
                    LoopKind::Collect => 1 + transform.unwrap_or(range),
                    LoopKind::All | LoopKind::Exists | LoopKind::ExistsOne => 0,
                }
            }
            Kind::OptionalMap {
                target,
                variable,
                body,
                ..
            } => {
                let target = self.of(target);
                self.locals.push((variable, target));
                let body = self.of(body);
                self.locals.pop();
                1 + body
            }
        };
        self.deepest = self.deepest.max(levels);
        levels
    }

    fn of_all(&mut self, nodes: impl IntoIterator<Item = &'a Node>) -> usize {
        let levels = nodes.into_iter().map(|node| self.of(node));
        levels.max().unwrap_or_default()
    }
}
