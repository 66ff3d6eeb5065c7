//! Sets of templates that can call each other.

use std::collections::HashMap;
use std::sync::Arc;

use crate::builtins;
use crate::parse::{self, ParseError, tree::Tree};
use crate::value::GoString;
use crate::value::func::{Func, FuncMap};

/// The value of a missing key of a map: the option `missingkey`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingKey {
    /// No value at all, which prints as `<no value>`.
    #[default]
    Invalid,
    /// The zero value of the map's elements.
    Zero,
    /// An error.
    Error,
}

/// Parsed templates by name, with the functions that they may call.
///
/// A set is parsed once and executed by any number of threads. A [`TemplateSet::child`] sees the
/// templates of its parent and adds its own, at no cost for the parent's.
pub struct TemplateSet {
    name: GoString,
    parent: Option<Arc<Self>>,
    templates: HashMap<GoString, Arc<Tree>>,
    functions: Arc<FuncMap>,
    missing_key: MissingKey,
    delimiters: (String, String),
}

impl TemplateSet {
    /// An empty set; the name appears in errors about templates that it lacks.
    pub fn new(name: &str, functions: Arc<FuncMap>) -> Self {
        Self {
            name: name.into(),
            parent: None,
            templates: HashMap::new(),
            functions,
            missing_key: MissingKey::default(),
            delimiters: ("{{".to_owned(), "}}".to_owned()),
        }
    }

    /// A set that also sees the templates of this one.
    pub fn child(self: &Arc<Self>, name: &str) -> Self {
        Self {
            name: name.into(),
            parent: Some(Arc::clone(self)),
            templates: HashMap::new(),
            functions: Arc::clone(&self.functions),
            missing_key: self.missing_key,
            delimiters: self.delimiters.clone(),
        }
    }

    /// Sets what a missing key gives.
    #[must_use]
    pub const fn with_missing_key(mut self, missing_key: MissingKey) -> Self {
        self.missing_key = missing_key;
        self
    }

    /// Sets the delimiters of actions; an empty one stands for Go's.
    #[must_use]
    pub fn with_delimiters(mut self, left: &str, right: &str) -> Self {
        let or =
            |text: &str, default: &str| if text.is_empty() { default } else { text }.to_owned();
        self.delimiters = (or(left, "{{"), or(right, "}}"));
        self
    }

    /// Parses a text as the template of a name, with all templates that it defines.
    ///
    /// A later template replaces an earlier one of its name, unless it is empty. After an error
    /// the set is as before.
    pub fn parse(&mut self, name: &str, text: &[u8]) -> Result<(), ParseError> {
        self.add(name, text, false)
    }

    /// Parses a text as the template of a name, which it becomes even if it is empty.
    ///
    /// The templates that it defines follow the rule of [`TemplateSet::parse`].
    pub fn parse_text(&mut self, name: &str, text: &[u8]) -> Result<(), ParseError> {
        self.add(name, text, true)
    }

    fn add(&mut self, name: &str, text: &[u8], replaces: bool) -> Result<(), ParseError> {
        let functions = Arc::clone(&self.functions);
        let find = |name: &str| find_function(&functions, name);
        let delimiters = (self.delimiters.0.as_str(), self.delimiters.1.as_str());
        let trees = parse::parse(&name.into(), &Arc::from(text), delimiters, &find)?;
        for (of, tree) in trees {
            let replaces = replaces && *of == *name.as_bytes();
            if tree.is_empty && !replaces && self.lookup(&of).is_some() {
                continue;
            }
            self.templates.insert(of, Arc::new(tree));
        }
        Ok(())
    }

    /// Whether the set or its parents have a template.
    pub fn contains(&self, name: &[u8]) -> bool {
        self.lookup(name).is_some()
    }

    /// The names of all templates, sorted.
    pub fn names(&self) -> Vec<GoString> {
        let mut names: Vec<GoString> = self.templates.keys().cloned().collect();
        if let Some(parent) = &self.parent {
            names.extend(parent.names());
        }
        names.sort();
        names.dedup();
        names
    }

    pub(crate) fn lookup(&self, name: &[u8]) -> Option<&Arc<Tree>> {
        let mut set = self;
        loop {
            if let Some(tree) = set.templates.get(name) {
                return Some(tree);
            }
            set = set.parent.as_deref()?;
        }
    }

    pub(crate) const fn name(&self) -> &GoString {
        &self.name
    }

    pub(crate) const fn missing_key(&self) -> MissingKey {
        self.missing_key
    }
}

fn find_function(functions: &FuncMap, name: &str) -> Option<Func> {
    let found = functions.get(name).copied();
    found.or_else(|| builtins::find(name))
}
