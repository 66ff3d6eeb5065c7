//! Go's `text/template`, with the functions of sprig, under a budget.
//!
//! Helm charts and Flux's image automation are written in this language. Output and error
//! texts equal those of Go 1.26 and sprig 3.3. A [`Budget`] ends a template that runs too long,
//! writes too much or nests too deep. The crate knows nothing of Helm and Kubernetes.
//!
//! ```
//! use std::sync::Arc;
//! use sluice_gotemplate::{Budget, FuncMap, Map, Render, TemplateSet, Value};
//!
//! let mut set = TemplateSet::new("page", Arc::new(FuncMap::new()));
//! set.parse("page", b"{{ range .words }}{{ . | printf \"%q\" }} {{ end }}").unwrap();
//! let data = Map::from_iter([("words", Value::strings(["a", "b"]))]);
//!
//! let mut out = Vec::new();
//! let mut render = Render::new(&Budget::default());
//! Arc::new(set).execute(&mut render, "page", &data.into(), &mut out).unwrap();
//! assert_eq!(out, br#""a" "b" "#);
//! ```
//!
//! Where to start: [`TemplateSet`] parses and executes, and [`Value`] is the data. [`func`]
//! shows how a function is added. [`sprig`] has the functions of charts. The way of a template:
//!
//! ```text
//! text ─parse::lex→ tokens ─parse::parser→ parse::tree
//!                                             │
//! data ─────────────────────────→ exec::walk ─┴─ exec::eval ─ exec::call → functions
//!                                     └─ fmt → output
//! ```

mod budget;
mod builtins;
mod exec;
pub mod fmt;
mod json;
mod parse;
pub mod sprig;
mod stack;
mod template;
pub mod time;
pub mod value;

pub use budget::{Budget, ExceededLimit, set_memory};
pub use exec::{Environment, ExecError, Finding, Observations, Render, TemplateTime};
pub use parse::ParseError;
pub use template::{MissingKey, TemplateSet};
pub use value::func::{self, Args, Call, Failure, Func, FuncMap, Outcome, TextError};
pub use value::{GoString, Kind, List, Map, Object, Type, Value};
