//! The commands: `commands/<verb>.rs`, or `commands/<verb>/<noun>.rs` for verbs with nouns.
//!
//! A module has `Args`, whose doc comments are the help text, and `run(args, &Context)`. `run`
//! computes a value and passes it to [`crate::output`]. `group!` defines a verb with nouns.

/// Makes the frame of a verb whose nouns are modules below it: its `Args`, and a `run` that hands
/// on to the noun that was typed.
macro_rules! group {
    ($($(#[$attribute:meta])* $noun:ident($module:ident),)+) => {
        #[derive(clap::Args, Debug)]
        pub struct Args {
            #[command(subcommand)]
            noun: Noun,
        }

        #[derive(Debug, clap::Subcommand)]
        enum Noun {
            $($(#[$attribute])* $noun(Box<$module::Args>),)+
        }

        pub fn run(args: &Args, context: &crate::cluster::Context) -> crate::CommandResult {
            match &args.noun {
                $(Noun::$noun(args) => $module::run(args, context),)+
            }
        }
    };
}

pub mod bootstrap;
pub mod build;
pub mod check;
pub mod completion;
mod components;
pub mod controller;
pub mod create;
pub mod debug;
pub mod delete;
#[cfg(feature = "dev")]
pub mod dev;
pub mod diff;
pub mod envsubst;
pub mod events;
pub mod export;
pub mod get;
pub mod give_back;
pub mod install;
pub mod list;
pub mod logs;
pub mod migrate;
mod nouns;
pub mod plugin;
pub mod pull;
pub mod push;
pub mod reconcile;
pub mod resume;
pub mod stats;
pub mod suspend;
pub mod tag;
pub mod takeover;
#[cfg(feature = "controllers")]
pub mod test;
pub mod trace;
pub mod tree;
pub mod trigger;
pub mod uninstall;
pub mod version;
pub mod wait;
mod waiting;
pub mod why;
