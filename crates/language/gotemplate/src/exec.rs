//! Executes templates.
//!
//! [`walk`] goes through the nodes, and [`eval`] evaluates pipelines and operands. [`field`]
//! finds fields and methods. [`call`] checks arguments and calls functions. The names and the order
//! of the steps are those of Go, because errors tell which node was evaluated last.

mod call;
mod environment;
mod error;
mod eval;
mod field;
mod methods;
mod observe;
mod operators;
mod patterns;
mod services;
mod walk;

pub use environment::Environment;
pub use error::ExecError;
pub use observe::{Finding, Observations, TemplateTime};

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

use sluice_golang::quote::quote_bytes;

use crate::budget::{Budget, Meter};
use crate::parse::tree::{Command, Node, Pipe, Term, Tree};
use crate::stack;
use crate::template::TemplateSet;
use crate::value::{CycleGuard, GoString, Value};
use observe::{Findings, Stopwatch};
use patterns::Patterns;

type Result<T> = std::result::Result<T, Box<ExecError>>;

/// One render: the budget that is left, and what functions may see of the outside.
///
/// Maps that the templates changed must not be used after the render.
pub struct Render<'h> {
    pub(crate) meter: Meter,
    pub(crate) host: Option<&'h mut dyn Any>,
    pub(crate) environment: Environment,
    pub(crate) patterns: Patterns,
    depth: u32,
    /// The texts that functions execute, parsed, by the address of the set which sees them.
    texts: HashMap<(usize, GoString), Arc<TemplateSet>>,
    /// Buffers for arguments, which calls take and give back.
    buffers: Vec<Vec<Value>>,
    stopwatch: Option<Stopwatch>,
    findings: Option<Findings>,
    _cycles: CycleGuard,
}

impl<'h> Render<'h> {
    /// A render under a budget.
    pub fn new(budget: &Budget) -> Self {
        Self {
            meter: Meter::new(budget),
            host: None,
            environment: Environment::default(),
            patterns: Patterns::default(),
            depth: 0,
            texts: HashMap::new(),
            buffers: Vec::new(),
            stopwatch: None,
            findings: None,
            _cycles: CycleGuard::new(),
        }
    }

    /// Gives functions a state of the caller.
    #[must_use]
    pub fn with_host(mut self, host: &'h mut dyn Any) -> Self {
        self.host = Some(host);
        self
    }

    /// Sets the clock, the local zone and the source of random numbers.
    #[must_use]
    pub fn with_environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// Collects [`Finding`]s.
    #[must_use]
    pub fn with_findings(mut self) -> Self {
        self.findings = Some(Findings::default());
        self
    }

    /// Measures each template.
    #[must_use]
    pub fn with_stopwatch(mut self) -> Self {
        self.stopwatch = Some(Stopwatch::default());
        self
    }

    /// Returns what was observed.
    pub fn finish(self) -> Observations {
        Observations {
            templates: self.stopwatch.map(Stopwatch::templates).unwrap_or_default(),
            findings: self.findings.map(Findings::into_list).unwrap_or_default(),
            steps: self.meter.used_steps(),
        }
    }
}

/// A value on its way through a pipeline.
///
/// Go keeps the static type of a value that comes out of a map or a list: `interface {}`. Only
/// such a value can be a nil interface; a plain `Nil` is the absence of any value.
#[derive(Clone, Default)]
pub(crate) struct Operand {
    pub(crate) value: Value,
    pub(crate) is_interface: bool,
}

impl Operand {
    pub(crate) const fn plain(value: Value) -> Self {
        Self {
            value,
            is_interface: false,
        }
    }

    /// Whether a value is absent.
    pub(crate) const fn is_invalid(&self) -> bool {
        matches!(self.value, Value::Nil) && !self.is_interface
    }

    /// Whether this is an interface without a value.
    pub(crate) const fn is_nil_interface(&self) -> bool {
        matches!(self.value, Value::Nil) && self.is_interface
    }
}

/// The node that was evaluated last, which errors show.
#[derive(Clone, Copy)]
enum At<'t> {
    Nothing,
    Node(&'t Node),
    Pipe(&'t Pipe),
    Command(&'t Command),
    Term(&'t Term),
}

/// The execution of one template.
struct Frame<'f, 'h, 't> {
    render: &'f mut Render<'h>,
    set: &'f Arc<TemplateSet>,
    tree: &'t Tree,
    at: At<'t>,
    variables: Vec<(GoString, Operand)>,
    out: &'f mut Vec<u8>,
}

/// Executes a template of a set by its name.
pub(crate) fn execute(
    render: &mut Render<'_>,
    set: &Arc<TemplateSet>,
    name: &[u8],
    data: &Value,
    out: &mut Vec<u8>,
) -> Result<()> {
    let Some(tree) = set.lookup(name) else {
        let (name, of) = (quote_bytes(name), quote_bytes(set.name()));
        let message = format!("template: no template {name} associated with template {of}");
        return Err(Box::new(ExecError::new(message)));
    };
    run(render, set, tree, &Operand::plain(data.clone()), out)
}

/// Executes a tree with its data as `.` and `$`.
fn run(
    render: &mut Render<'_>,
    set: &Arc<TemplateSet>,
    tree: &Tree,
    data: &Operand,
    out: &mut Vec<u8>,
) -> Result<()> {
    let mut frame = Frame {
        render,
        set,
        tree,
        at: At::Nothing,
        variables: vec![(GoString::from("$"), data.clone())],
        out,
    };
    if frame.render.depth >= frame.render.meter.depth {
        let depth = frame.render.meter.depth;
        return frame.fail(format!("exceeded maximum template depth ({depth})"));
    }
    frame.render.depth += 1;
    let began = frame.render.stopwatch.as_mut().map(Stopwatch::begin);
    let start = frame.out.len();
    let outcome = stack::grow(|| frame.walk_list(data, tree.root));
    if let (Some(stopwatch), Some(began)) = (&mut frame.render.stopwatch, began) {
        stopwatch.end(&tree.name, began, frame.out.len() - start);
    }
    frame.render.depth -= 1;
    outcome.map(|_| ())
}
