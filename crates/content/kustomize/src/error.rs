//! The error of a build: a stable code, and upstream's text.
//!
//! Users search for upstream's texts. So each step of the build wraps the message of the
//! step below in the same way as upstream. The code is that of the innermost error.

use std::borrow::Cow;
use std::fmt;

use crate::redact::redact_urls;

/// The class of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// A folder has no kustomization file.
    KustomizationMissing,
    /// A folder has several kustomization files.
    KustomizationAmbiguous,
    /// A kustomization file has no fields.
    KustomizationEmpty,
    /// A field is unknown or of the wrong type, or the kind is wrong.
    KustomizationInvalid,
    /// A file is not valid YAML.
    MalformedYaml,
    /// A file is nested too deep, or its aliases expand to too many bytes.
    YamlLimit,
    /// An object lacks its kind or name.
    ResourceInvalid,
    /// Two objects have one identity.
    IdConflict,
    /// A path does not exist.
    PathNotFound,
    /// A path is not a file.
    NotAFile,
    /// A path is not a folder.
    NotADirectory,
    /// A file is outside of the kustomization's folder.
    LoadRestricted,
    /// A path leads out of the tree.
    SecurityViolation,
    /// A kustomization includes itself.
    Cycle,
    /// A component is used as a base.
    WrongKind,
    /// A remote file or repository, but fetching is disabled or refused.
    RemoteDenied,
    /// A fetch failed.
    RemoteFailed,
    /// A fetch timed out.
    RemoteTimeout,
    /// A patch is not valid, or is two kinds of patch at once.
    PatchInvalid,
    /// A patch has no target, or too many.
    PatchTarget,
    /// A patch does not apply to its target.
    PatchFailed,
    /// A replacement lacks a required field.
    ReplacementInvalid,
    /// No resource, or more than one, is the source of a replacement.
    ReplacementSource,
    /// A field that a replacement reads or writes does not exist.
    ReplacementField,
    /// A replacement takes a part that the value does not have.
    ReplacementIndex,
    /// The arguments of a generator are wrong.
    GeneratorInvalid,
    /// A generated map has a key twice.
    GeneratorKey,
    /// A generated resource exists, or the one to merge with does not.
    GeneratorConflict,
    /// A var matches several resources.
    VarAmbiguous,
    /// Two vars have the same name.
    VarDuplicate,
    /// A var has no resource or field.
    VarUnmapped,
    /// A var has a wrong name or use.
    VarInvalid,
    /// A name matches several resources.
    NameReferenceAmbiguous,
    /// A transformer met a field of an unexpected type.
    FieldInvalid,
    /// A file of `configurations`, `crds` or `openapi` is wrong.
    ConfigurationInvalid,
    /// A plugin that is not built in.
    PluginDenied,
    /// The arguments of a builtin plugin are wrong.
    PluginInvalid,
    /// A Helm chart.
    HelmDenied,
    /// A validator changed a resource.
    ValidatorModifies,
    /// A variable has a syntax error.
    SubstitutionSyntax,
    /// A variable has neither value nor default.
    SubstitutionMissing,
    /// A variable has an invalid name.
    SubstitutionName,
    /// A limit of this engine on size, count or depth.
    Limit,
    /// The file system failed.
    Io,
}

/// A failed build.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    code: Code,
    message: String,
    /// The file with the error, if known.
    file: Option<Box<str>>,
    /// The folders of the kustomizations on the path to it, the top first.
    chain: Vec<Box<str>>,
}

impl Error {
    /// Creates an error of a class, with a message for the user.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            file: None,
            chain: Vec::new(),
        }
    }

    /// Returns the class of the error.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the file with the error, as errors of its tree show it.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Returns the line in that file, if the YAML parser reports it.
    pub fn line(&self) -> Option<usize> {
        let (_, rest) = self.message.rsplit_once("yaml: line ")?;
        let digits = rest.find(|character: char| !character.is_ascii_digit())?;
        rest[..digits].parse().ok()
    }

    /// Returns the folders of the kustomizations on the path to the error, the top first.
    pub fn chain(&self) -> impl Iterator<Item = &str> {
        self.chain.iter().map(|folder| &**folder)
    }

    /// Puts a context in front of the message.
    pub(crate) fn with_context(mut self, context: impl fmt::Display) -> Self {
        self.message = format!("{context}: {}", self.message);
        self
    }

    /// Replaces the message.
    pub(crate) fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Appends to the message.
    pub(crate) fn append_message(mut self, words: impl fmt::Display) -> Self {
        self.message = format!("{}{words}", self.message);
        self
    }

    /// Removes secrets from the URLs in the message and the file.
    pub(crate) fn redacted(mut self) -> Self {
        if let Cow::Owned(message) = redact_urls(&self.message) {
            self.message = message;
        }
        let redacted = |text: Box<str>| match redact_urls(&text) {
            Cow::Owned(redacted) => redacted.into(),
            Cow::Borrowed(_) => text,
        };
        self.file = self.file.map(redacted);
        self
    }

    /// Sets the file with the error, unless it is known.
    pub(crate) fn at_file(mut self, file: impl Into<Box<str>>) -> Self {
        self.file.get_or_insert_with(|| file.into());
        self
    }

    /// Puts a folder at the top of the chain.
    pub(crate) fn below_folder(mut self, folder: impl Into<Box<str>>) -> Self {
        self.chain.insert(0, folder.into());
        self
    }
}
