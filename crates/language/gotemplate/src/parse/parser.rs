//! Builds trees from tokens.

use std::collections::BTreeMap;
use std::sync::Arc;

use sluice_golang::quote::{quote_bytes, unquote};

use super::lex::{Delimiters, Kind, Lexer, Token};
use super::number;
use super::tree::{Branch, Command, ListId, Node, Pipe, PipeId, Source, Term, TermKind, Tree};
use crate::func::Func;
use crate::stack;
use crate::value::GoString;

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
    let source = Arc::new(Source {
        name: name.clone(),
        text: Arc::clone(text),
    });
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
    const fn shown(&self) -> &'static str {
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
        let shown = self.lexer.shown(token);
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
                Step::End(end) => return self.fail(format!("unexpected {}", end.shown())),
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
            return self.fail(format!("unexpected {} in {context}", end.shown()));
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
                    return self.fail(format!("expected end; found {}", end.shown()));
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

    fn declare(&mut self, pipe: &mut Pipe, token: Token) {
        let name = GoString::from(self.text(token));
        pipe.variables.push(name.clone());
        self.building.variables.push(name);
    }

    fn pipeline(&mut self, context: &str, end: Kind) -> Result<PipeId> {
        let mut pipe = Pipe {
            position: self.peek_non_space().start,
            is_assign: false,
            variables: Vec::new(),
            commands: Vec::new(),
        };
        self.declarations(&mut pipe, context)?;
        loop {
            let token = self.next_non_space();
            match token.kind {
                kind if kind == end => {
                    self.check_pipeline(&pipe, context)?;
                    return Ok(self.building.add_pipe(pipe));
                }
                Kind::Bool
                | Kind::CharConstant
                | Kind::Complex
                | Kind::Dot
                | Kind::Field
                | Kind::Identifier
                | Kind::Number
                | Kind::Nil
                | Kind::RawString
                | Kind::String
                | Kind::Variable
                | Kind::LeftParen => {
                    self.backup();
                    let command = self.command()?;
                    pipe.commands.push(command);
                }
                _ => return self.unexpected(token, context),
            }
        }
    }

    /// Reads `$x :=`, `$x =` or, of a range, `$x, $y :=`.
    fn declarations(&mut self, pipe: &mut Pipe, context: &str) -> Result<()> {
        loop {
            let variable = self.peek_non_space();
            if variable.kind != Kind::Variable {
                return Ok(());
            }
            self.next();
            // Spaces are significant before a field: "$x .y" is not "$x.y".
            let after = self.peek();
            let next = self.peek_non_space();
            match next.kind {
                Kind::Assign | Kind::Declare => {
                    pipe.is_assign = next.kind == Kind::Assign;
                    self.next_non_space();
                    self.declare(pipe, variable);
                    return Ok(());
                }
                Kind::Char if self.text(next) == b"," => {
                    self.next_non_space();
                    self.declare(pipe, variable);
                    if context != "range" || pipe.variables.len() >= 2 {
                        return self.fail(format!("too many declarations in {context}"));
                    }
                    match self.peek_non_space().kind {
                        Kind::Variable | Kind::RightDelim | Kind::RightParen => {}
                        _ => return self.fail("range can only initialize variables"),
                    }
                }
                _ if after.kind == Kind::Space => {
                    self.backup3(variable, after);
                    return Ok(());
                }
                _ => {
                    self.backup2(variable);
                    return Ok(());
                }
            }
        }
    }

    fn check_pipeline(&self, pipe: &Pipe, context: &str) -> Result<()> {
        if pipe.commands.is_empty() {
            return self.fail(format!("missing value for {context}"));
        }
        for (index, command) in pipe.commands.iter().enumerate().skip(1) {
            let is_constant = matches!(
                command.terms[0].kind,
                TermKind::Bool(_)
                    | TermKind::Dot
                    | TermKind::Nil
                    | TermKind::Number(_)
                    | TermKind::String { .. }
            );
            if is_constant {
                let stage = index + 1;
                return self.fail(format!("non executable command in pipeline stage {stage}"));
            }
        }
        Ok(())
    }

    fn command(&mut self) -> Result<Command> {
        let position = self.peek_non_space().start;
        let mut terms = Vec::new();
        loop {
            self.peek_non_space();
            if let Some(term) = self.operand()? {
                terms.push(term);
            }
            let token = self.next();
            match token.kind {
                Kind::Space => continue,
                Kind::RightDelim | Kind::RightParen => self.backup(),
                Kind::Pipe => {}
                _ => return self.unexpected(token, "operand"),
            }
            break;
        }
        if terms.is_empty() {
            return self.fail("empty command");
        }
        Ok(Command { position, terms })
    }

    /// A term and the fields behind it.
    fn operand(&mut self) -> Result<Option<Term>> {
        let Some(term) = self.term()? else {
            return Ok(None);
        };
        let next = self.peek();
        if next.kind != Kind::Field {
            return Ok(Some(term));
        }
        let mut more = Vec::new();
        while self.peek().kind == Kind::Field {
            let token = self.next();
            more.push(GoString::from(&self.text(token)[1..]));
        }
        let position = next.start;
        let kind = match term.kind {
            TermKind::Field(mut fields) => {
                fields.append(&mut more);
                TermKind::Field(fields)
            }
            TermKind::Variable { name, mut fields } => {
                fields.append(&mut more);
                TermKind::Variable { name, fields }
            }
            TermKind::Bool(_)
            | TermKind::Dot
            | TermKind::Nil
            | TermKind::Number(_)
            | TermKind::String { .. } => {
                let text = constant_text(&term);
                return self.fail(format!("unexpected . after term {}", quote_bytes(&text)));
            }
            _ => TermKind::Chain {
                term: Box::new(term),
                fields: more,
            },
        };
        Ok(Some(Term { position, kind }))
    }

    fn term(&mut self) -> Result<Option<Term>> {
        let token = self.next_non_space();
        let text = self.text(token);
        let kind = match token.kind {
            Kind::Identifier => {
                let found = std::str::from_utf8(text).ok().and_then(self.find);
                let Some(func) = found else {
                    return self.fail(format!("function {} not defined", quote_bytes(text)));
                };
                TermKind::Function {
                    name: text.into(),
                    func,
                }
            }
            Kind::Dot => TermKind::Dot,
            Kind::Nil => TermKind::Nil,
            Kind::Variable => {
                if !self.building.variables.iter().any(|name| &**name == text) {
                    return self.fail(format!("undefined variable {}", quote_bytes(text)));
                }
                TermKind::Variable {
                    name: text.into(),
                    fields: Vec::new(),
                }
            }
            Kind::Field => TermKind::Field(vec![GoString::from(&text[1..])]),
            Kind::Bool => TermKind::Bool(text == b"true"),
            Kind::CharConstant | Kind::Complex | Kind::Number => {
                match number::parse(text, token.kind) {
                    Ok(number) => TermKind::Number(Box::new(number)),
                    Err(message) => return self.fail(message),
                }
            }
            Kind::LeftParen => {
                if self.building.parens >= MAX_DEPTH {
                    return self.fail("max expression depth exceeded");
                }
                self.building.parens += 1;
                let pipe =
                    stack::grow(|| self.pipeline("parenthesized pipeline", Kind::RightParen))?;
                self.building.parens -= 1;
                let position = self.building.pipes[pipe.0 as usize].position;
                return Ok(Some(Term {
                    position,
                    kind: TermKind::Pipe(pipe),
                }));
            }
            Kind::String | Kind::RawString => TermKind::String {
                quoted: text.into(),
                text: self.unquoted(token)?,
            },
            _ => {
                self.backup();
                return Ok(None);
            }
        };
        Ok(Some(Term {
            position: token.start,
            kind,
        }))
    }
}

fn constant_text(term: &Term) -> GoString {
    match &term.kind {
        TermKind::Bool(value) => GoString::from(if *value { "true" } else { "false" }),
        TermKind::Dot => GoString::from("."),
        TermKind::Number(number) => number.text.clone(),
        TermKind::String { quoted, .. } => quoted.clone(),
        _ => GoString::from("nil"),
    }
}

/// Whether a text has white space only, as `bytes.TrimSpace` would find.
fn is_space_only(text: &[u8]) -> bool {
    match std::str::from_utf8(text) {
        Ok(text) => text.chars().all(char::is_whitespace),
        Err(_) => false,
    }
}
