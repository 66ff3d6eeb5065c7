//! The services of a render for functions.

use std::any::Any;
use std::sync::Arc;

use sluice_golang::regexp::{Pattern, PatternError};

use super::observe::Finding;
use super::{ExecError, Render};
use crate::budget::ExceededLimit;
use crate::parse::tree::Tree;
use crate::template::TemplateSet;
use crate::time::{Location, Time};
use crate::value::func::{Failure, Services, TextError};
use crate::value::{GoString, Value};

impl TemplateSet {
    /// Executes a template into a buffer, which an error leaves with what was written before.
    pub fn execute(
        self: &Arc<Self>,
        render: &mut Render<'_>,
        name: &str,
        data: &Value,
        out: &mut Vec<u8>,
    ) -> Result<(), ExecError> {
        super::execute(render, self, name.as_bytes(), data, out).map_err(|error| *error)
    }
}

/// A render, and the set whose template calls a function.
pub(super) struct Caller<'r, 'h> {
    pub(super) render: &'r mut Render<'h>,
    pub(super) set: &'r Arc<TemplateSet>,
    /// The template that calls.
    pub(super) tree: &'r Tree,
}

impl Caller<'_, '_> {
    fn execute_in(
        &mut self,
        set: &Arc<TemplateSet>,
        name: &[u8],
        data: &Value,
    ) -> Result<GoString, Failure> {
        let mut out = Vec::new();
        super::execute(self.render, set, name, data, &mut out)?;
        Ok(out.into())
    }

    /// A set with one text more, which is parsed once.
    fn child(&mut self, name: &str, text: &GoString) -> Result<Arc<TemplateSet>, TextError> {
        // The child holds its parent, so that the address stays that of the parent.
        let key = (Arc::as_ptr(self.set).addr(), text.clone());
        if let Some(child) = self.render.texts.get(&key) {
            return Ok(Arc::clone(child));
        }
        let charged = self.render.meter.steps(text.len() as u64);
        charged.map_err(|exceeded| TextError::Parse(exceeded.into()))?;
        let mut child = self.set.child(name);
        let parsed = child.parse_text(name, text);
        parsed.map_err(|error| TextError::Parse(error.into()))?;
        let child = Arc::new(child);
        self.render.texts.insert(key, Arc::clone(&child));
        Ok(child)
    }
}

impl Services for Caller<'_, '_> {
    fn steps(&mut self, count: u64) -> Result<(), ExceededLimit> {
        self.render.meter.steps(count)
    }

    fn reserve(&self, bytes: u64) -> Result<(), ExceededLimit> {
        self.render.meter.reserve(bytes)
    }

    fn value_limit(&self) -> u64 {
        self.render.meter.value_bytes
    }

    fn host(&mut self) -> Option<&mut dyn Any> {
        match &mut self.render.host {
            Some(host) => Some(&mut **host),
            None => None,
        }
    }

    fn execute(&mut self, name: &[u8], data: &Value) -> Result<GoString, Failure> {
        self.execute_in(self.set, name, data)
    }

    fn execute_text(
        &mut self,
        name: &str,
        text: &GoString,
        data: &Value,
    ) -> Result<GoString, TextError> {
        let child = self.child(name, text)?;
        let outcome = self.execute_in(&child, name.as_bytes(), data);
        outcome.map_err(TextError::Execute)
    }

    fn now(&self) -> Time {
        self.render.environment.now()
    }

    fn local(&self) -> &Location {
        self.render.environment.local()
    }

    fn pattern(&mut self, pattern: &GoString) -> Result<Arc<Pattern>, PatternError> {
        self.render.patterns.get(pattern)
    }

    fn random(&mut self, buffer: &mut [u8]) -> Result<(), Failure> {
        if let Some(findings) = &mut self.render.findings
            && !self.render.environment.is_seeded()
        {
            let file = self.tree.source.name.to_text().into_owned();
            findings.add(Finding::Random { file });
        }
        self.render.environment.random(buffer)
    }
}
