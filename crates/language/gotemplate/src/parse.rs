//! From the text of a template to its tree.
//!
//! [`lex`] cuts the text into tokens, [`parser`] builds the [`tree`], and [`print`](mod@print)
//! prints parts of a tree for errors. Texts of errors are Go's.

mod lex;
mod number;
mod parser;
pub(crate) mod print;
pub(crate) mod tree;

pub use parser::ParseError;
pub(crate) use parser::parse;
