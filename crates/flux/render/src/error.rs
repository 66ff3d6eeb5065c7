//! Errors of a render, in the words of Flux's controller.

use std::error::Error;
use std::fmt;

use sluice_apply::SecretValues;
use sluice_kustomize::Code;

/// The reason why a node has no objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderError {
    /// The tree has no such directory.
    Directory(String),
    /// The kustomization file could not be generated.
    Generate(String, Code),
    /// kustomize rejected the build.
    Build(String, Code),
    /// Decryption failed.
    Decrypt(String),
    /// Variables could not be substituted in an object.
    Substitute {
        /// Kind, version and group of the object.
        kind: String,
        /// Its name.
        name: String,
        /// The cause.
        cause: String,
    },
    /// Two objects became one by substitution.
    Conflict(String),
    /// An encrypted Secret could not be masked.
    Mask(String),
}

impl RenderError {
    /// Removes hidden values from the texts, which may quote the object at fault.
    pub(crate) fn without(mut self, hidden: &SecretValues) -> Self {
        match &mut self {
            Self::Directory(_) => {}
            Self::Generate(text, _)
            | Self::Build(text, _)
            | Self::Decrypt(text)
            | Self::Conflict(text)
            | Self::Mask(text) => *text = hidden.mask(std::mem::take(text)),
            Self::Substitute { kind, name, cause } => {
                for text in [kind, name, cause] {
                    *text = hidden.mask(std::mem::take(text));
                }
            }
        }
        self
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(text) => write!(f, "kustomization path not found: {text}"),
            // Flux prefixes only errors of kustomize itself.
            Self::Generate(text, _) | Self::Build(text, _)
                if text.starts_with("failed to decode Kubernetes") =>
            {
                f.write_str(text)
            }
            Self::Generate(text, _) | Self::Build(text, _) => {
                write!(f, "kustomize build failed: {text}")
            }
            Self::Decrypt(text) | Self::Conflict(text) | Self::Mask(text) => f.write_str(text),
            Self::Substitute { kind, name, cause } => {
                write!(f, "post build failed for '{kind}/{name}': {cause}")
            }
        }
    }
}

impl Error for RenderError {}
