//! Builds trees from tokens: blocks and definitions here, pipelines in [`pipeline`].

mod pipeline;

use std::collections::BTreeMap;
use std::sync::Arc;

use sluice_golang::quote::{quote_bytes, unquote};

use super::lex::{Delimiters, Kind, Lexer, Token};
use super::tree::{Branch, ListId, Node, Pipe, PipeId, Source, Tree};
use crate::stack;
use crate::value::GoString;
use crate::value::func::Func;

/// The deepest nesting of parentheses or of blocks.
const MAX_DEPTH: usize = 10_000;

/// Why a text is not a template, in Go's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(String);

type Result<T> = std::result::Result<T, ParseError>;

/// Parses a text and the templates that it defines.
pub(crate) fn parse(
    name: &GoString,
    text: &Arc<[u8]>,
    delimiters: (&str, &str),
    find: &dyn Fn(&str) -> Option<Func>,
) -> Result<BTreeMap<GoString, Tree>> {
    let source = Arc::new(Source::new(name.clone(), Arc::clone(text)));
    let mut lexer = Lexer::new(
        text,
        Delimiters {
            left: delimiters.0.as_bytes().to_vec(),
            right: delimiters.1.as_bytes().to_vec(),
        },
    );
    lexer.has_break = find("break").is_none();
    lexer.has_continue = find("continue").is_none();
    let mut parser = Parser {
        lexer,
        find,
        source,
        trees: BTreeMap::new(),
        depth: 0,
        building: Building::new(name.clone()),
    };
    parser.template()?;
    Ok(parser.trees)
}

/// The tree that is being built, and what the parser knows only of it.
struct Building {
    name: GoString,
    lists: Vec<Vec<Node>>,
    pipes: Vec<Pipe>,
    tokens: [Token; 3],
    peeked: usize,
    variables: Vec<GoString>,
    ranges: u32,
    parens: usize,
    action_line: u32,
}

impl Building {
    fn new(name: GoString) -> Self {
        let token = Token {
            kind: Kind::Error,
            start: 0,
            end: 0,
            line: 0,
        };
        Self {
            name,
            lists: Vec::new(),
            pipes: Vec::new(),
            tokens: [token; 3],
            peeked: 0,
            variables: vec![GoString::from("$")],
            ranges: 0,
            parens: 0,
            action_line: 0,
        }
    }

    fn add_list(&mut self, nodes: Vec<Node>) -> ListId {
        self.lists.push(nodes);
        ListId(count(self.lists.len()))
    }

    fn add_pipe(&mut self, pipe: Pipe) -> PipeId {
        self.pipes.push(pipe);
        PipeId(count(self.pipes.len()))
    }
}

/// The number of the element that was added last.
fn count(length: usize) -> u32 {
    u32::try_from(length - 1).unwrap_or(u32::MAX)
}

/// The end of a list of nodes.
enum End {
    End,
    Else,
}

impl End {
    const fn text(&self) -> &'static str {
        match self {
            Self::End => "{{end}}",
            Self::Else => "{{else}}",
        }
    }
}

/// A node, or the end of the list that it would be in.
enum Step {
    Node(Node),
    End(End),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Control {
    If,
    Range,
    With,
}

impl Control {
    const fn name(self) -> &'static str {
        match self {
            Self::If => "if",
            Self::Range => "range",
            Self::With => "with",
        }
    }

    const fn node(self, branch: Branch) -> Node {
        match self {
            Self::If => Node::If(branch),
            Self::Range => Node::Range(branch),
            Self::With => Node::With(branch),
        }
    }
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    find: &'t dyn Fn(&str) -> Option<Func>,
    source: Arc<Source>,
    trees: BTreeMap<GoString, Tree>,
    depth: usize,
    building: Building,
}

impl<'t> Parser<'t> {
    fn next(&mut self) -> Token {
        let building = &mut self.building;
        if building.peeked > 0 {
            building.peeked -= 1;
        } else {
            building.tokens[0] = self.lexer.next_token();
        }
        building.tokens[building.peeked]
    }

    fn backup(&mut self) {
        self.building.peeked += 1;
    }

    /// Gives back a token that is before the one which was read last.
    fn backup2(&mut self, token: Token) {
        self.building.tokens[1] = token;
        self.building.peeked = 2;
    }

    fn backup3(&mut self, second: Token, first: Token) {
        self.building.tokens[1] = first;
        self.building.tokens[2] = second;
        self.building.peeked = 3;
    }

    fn peek(&mut self) -> Token {
        if self.building.peeked == 0 {
            self.building.peeked = 1;
            self.building.tokens[0] = self.lexer.next_token();
        }
        self.building.tokens[self.building.peeked - 1]
    }

    fn next_non_space(&mut self) -> Token {
        loop {
            let token = self.next();
            if token.kind != Kind::Space {
                return token;
            }
        }
    }

    fn peek_non_space(&mut self) -> Token {
        let token = self.next_non_space();
        self.backup();
        token
    }

    fn text(&self, token: Token) -> &'t [u8] {
        self.lexer.text(token)
    }

    fn fail<T>(&self, message: impl std::fmt::Display) -> Result<T> {
        let line = self.building.tokens[0].line;
        let name = &self.source.name;
        Err(ParseError(format!("template: {name}:{line}: {message}")))
    }

    fn unexpected<T>(&self, token: Token, context: &str) -> Result<T> {
        let shown = self.lexer.display_token(token);
        if token.kind != Kind::Error {
            return self.fail(format!("unexpected {shown} in {context}"));
        }
        let line = self.building.action_line;
        if line == 0 || line == token.line {
            return self.fail(shown);
        }
        // "action in action" would say it twice.
        let of = if shown.ends_with(" action") {
            ""
        } else {
            " in action"
        };
        self.fail(format!(
            "{shown}{of} started at {}:{line}",
            self.source.name
        ))
    }

    fn expect(&mut self, kind: Kind, context: &str) -> Result<Token> {
        let token = self.next_non_space();
        if token.kind == kind {
            Ok(token)
        } else {
            self.unexpected(token, context)
        }
    }

    /// Parses everything, as the template that the text is named after.
    fn template(&mut self) -> Result<()> {
        let mut nodes = Vec::new();
        loop {
            let token = self.peek();
            if token.kind == Kind::Eof {
                break;
            }
            if token.kind == Kind::LeftDelim {
                let delimiter = self.next();
                if self.next_non_space().kind == Kind::Define {
                    self.define()?;
                    continue;
                }
                self.backup2(delimiter);
            }
            match self.text_or_action()? {
                Step::End(end) => return self.fail(format!("unexpected {}", end.text())),
                Step::Node(node) => nodes.push(node),
            }
        }
        let root = self.building.add_list(nodes);
        self.add(root)
    }

    /// Adds the tree that is built; an empty one gives way to another of its name.
    fn add(&mut self, root: ListId) -> Result<()> {
        let name = self.building.name.clone();
        let nodes = &self.building.lists[root.0 as usize];
        let is_blank = |node: &Node| match node {
            Node::Text(text) => is_space_only(text),
            _ => false,
        };
        let is_empty = nodes.iter().all(is_blank);
        if self.trees.get(&name).is_some_and(|tree| !tree.is_empty) {
            if is_empty {
                return Ok(());
            }
            let name = quote_bytes(&name);
            return self.fail(format!("template: multiple definition of template {name}"));
        }
        let tree = Tree {
            name: name.clone(),
            source: Arc::clone(&self.source),
            root,
            lists: std::mem::take(&mut self.building.lists),
            pipes: std::mem::take(&mut self.building.pipes),
            is_empty,
        };
        self.trees.insert(name, tree);
        Ok(())
    }

    fn define(&mut self) -> Result<()> {
        const CONTEXT: &str = "define clause";
        let outer = std::mem::replace(&mut self.building, Building::new(GoString::default()));
        let token = self.next_non_space();
        self.building.name = self.template_name(token, CONTEXT)?;
        self.expect(Kind::RightDelim, CONTEXT)?;
        self.finish_definition(CONTEXT)?;
        self.building = outer;
        Ok(())
    }

    /// Parses the body of a definition up to its end.
    fn finish_definition(&mut self, context: &str) -> Result<()> {
        let (list, end) = self.item_list()?;
        if !matches!(end, End::End) {
            return self.fail(format!("unexpected {} in {context}", end.text()));
        }
        self.add(list)
    }

    /// Parses nodes up to `end` or `else`.
    fn item_list(&mut self) -> Result<(ListId, End)> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("max block depth exceeded");
        }
        let mut nodes = Vec::new();
        while self.peek_non_space().kind != Kind::Eof {
            match self.text_or_action()? {
                Step::Node(node) => nodes.push(node),
                Step::End(end) => {
                    self.depth -= 1;
                    return Ok((self.building.add_list(nodes), end));
                }
            }
        }
        self.fail("unexpected EOF")
    }

    fn text_or_action(&mut self) -> Result<Step> {
        let token = self.next_non_space();
        match token.kind {
            Kind::Text => Ok(Step::Node(Node::Text(self.text(token).into()))),
            Kind::LeftDelim => {
                self.building.action_line = token.line;
                let step = stack::grow(|| self.action());
                if step.is_ok() {
                    self.building.action_line = 0;
                }
                step
            }
            _ => self.unexpected(token, "input"),
        }
    }

    fn action(&mut self) -> Result<Step> {
        let token = self.next_non_space();
        let position = token.start;
        let node = match token.kind {
            Kind::Block => self.block()?,
            Kind::Break => {
                self.loop_control("break")?;
                Node::Break(position)
            }
            Kind::Continue => {
                self.loop_control("continue")?;
                Node::Continue(position)
            }
            Kind::Else => {
                let next = self.peek_non_space();
                if !matches!(next.kind, Kind::If | Kind::With) {
                    self.expect(Kind::RightDelim, "else")?;
                }
                return Ok(Step::End(End::Else));
            }
            Kind::End => {
                self.expect(Kind::RightDelim, "end")?;
                return Ok(Step::End(End::End));
            }
            Kind::If => self.control(Control::If)?,
            Kind::Range => self.control(Control::Range)?,
            Kind::With => self.control(Control::With)?,
            Kind::Template => self.call_template()?,
            _ => {
                self.backup();
                let position = self.peek().start;
                let pipe = self.pipeline("command", Kind::RightDelim)?;
                Node::Action { position, pipe }
            }
        };
        Ok(Step::Node(node))
    }

    fn loop_control(&mut self, word: &str) -> Result<()> {
        let token = self.next_non_space();
        if token.kind != Kind::RightDelim {
            return self.unexpected(token, &format!("{{{{{word}}}}}"));
        }
        if self.building.ranges == 0 {
            return self.fail(format!("{{{{{word}}}}} outside {{{{range}}}}"));
        }
        Ok(())
    }

    fn control(&mut self, control: Control) -> Result<Node> {
        let context = control.name();
        let variables = self.building.variables.len();
        let pipe = self.pipeline(context, Kind::RightDelim)?;
        if control == Control::Range {
            self.building.ranges += 1;
        }
        let (list, end) = self.item_list()?;
        if control == Control::Range {
            self.building.ranges -= 1;
        }
        let mut otherwise = None;
        if matches!(end, End::Else) {
            let word = match control {
                Control::If => Some(Kind::If),
                Control::With => Some(Kind::With),
                Control::Range => None,
            };
            if word == Some(self.peek().kind) {
                self.next();
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return self.fail("max block depth exceeded");
                }
                let chained = stack::grow(|| self.control(control))?;
                self.depth -= 1;
                otherwise = Some(self.building.add_list(vec![chained]));
            } else {
                let (list, end) = self.item_list()?;
                if !matches!(end, End::End) {
                    return self.fail(format!("expected end; found {}", end.text()));
                }
                otherwise = Some(list);
            }
        }
        self.building.variables.truncate(variables);
        let position = self.building.pipes[pipe.0 as usize].position;
        Ok(control.node(Branch {
            position,
            pipe,
            list,
            otherwise,
        }))
    }

    fn block(&mut self) -> Result<Node> {
        const CONTEXT: &str = "block clause";
        let token = self.next_non_space();
        let name = self.template_name(token, CONTEXT)?;
        let pipe = self.pipeline(CONTEXT, Kind::RightDelim)?;
        let outer = std::mem::replace(&mut self.building, Building::new(name.clone()));
        self.finish_definition(CONTEXT)?;
        self.building = outer;
        Ok(Node::Template {
            position: token.start,
            name,
            pipe: Some(pipe),
        })
    }

    fn call_template(&mut self) -> Result<Node> {
        const CONTEXT: &str = "template clause";
        let token = self.next_non_space();
        let name = self.template_name(token, CONTEXT)?;
        let mut pipe = None;
        if self.next_non_space().kind != Kind::RightDelim {
            self.backup();
            pipe = Some(self.pipeline(CONTEXT, Kind::RightDelim)?);
        }
        Ok(Node::Template {
            position: token.start,
            name,
            pipe,
        })
    }

    fn template_name(&mut self, token: Token, context: &str) -> Result<GoString> {
        match token.kind {
            Kind::String | Kind::RawString => self.unquoted(token),
            _ => self.unexpected(token, context),
        }
    }

    fn unquoted(&self, token: Token) -> Result<GoString> {
        match unquote(self.text(token)) {
            Some(text) => Ok(text.into()),
            None => self.fail("invalid syntax"),
        }
    }
}

/// Whether a text has white space only, as `bytes.TrimSpace` would find.
fn is_space_only(text: &[u8]) -> bool {
    match std::str::from_utf8(text) {
        Ok(text) => text.chars().all(char::is_whitespace),
        Err(_) => false,
    }
}
