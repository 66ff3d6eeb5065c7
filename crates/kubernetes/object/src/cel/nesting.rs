//! How deep the values of an expression may lie in each other, found out before any is made.
//!
//! What compares, prints or frees a value goes into it level by level, on a stack that ends. The
//! text of an expression is not deep, but each loop can put what the one around it holds into a
//! nest of lists: the levels of a value are then as many as all loops add up to.

use super::tree::{Kind, LoopKind, Node};

/// How many levels an expression may add to what it is given.
const LEVELS: usize = 1000;

/// Refuses an expression whose values may be too deep.
pub(super) fn check(root: &Node) -> Result<(), String> {
    let mut nesting = Nesting::default();
    nesting.of(root);
    if nesting.deepest > LEVELS {
        return Err(format!(
            "the values of the expression may lie in each other more than {LEVELS} levels deep"
        ));
    }
    Ok(())
}

#[derive(Default)]
struct Nesting<'a> {
    /// The variables of loops, the innermost last, and the levels of what they hold.
    locals: Vec<(&'a str, usize)>,
    deepest: usize,
}

impl<'a> Nesting<'a> {
    /// How many levels the value of a node has at most.
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
