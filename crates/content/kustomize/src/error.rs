//! Why a build failed: a stable code, and upstream's text.
//!
//! Upstream's errors are sentences put around sentences, and people search for
//! them, so the text is built the same way: each step of the build wraps what
//! the step below said. The code is that of the innermost fault.

use std::borrow::Cow;
use std::fmt;

use crate::remote;

/// What class of fault a build met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// A folder has no kustomization file.
    KustomizationMissing,
    /// A folder has several kustomization files.
    KustomizationAmbiguous,
    /// A kustomization file asks for nothing.
    KustomizationEmpty,
    /// A field is unknown or of the wrong type, or the kind is wrong.
    KustomizationInvalid,
    /// A file is no YAML.
    MalformedYaml,
    /// A file is nested too deep, or its aliases expand to too much.
    YamlLimit,
    /// An object lacks its kind or name.
    ResourceInvalid,
    /// Two objects have one identity.
    IdConflict,
    /// A path leads to nothing.
    PathNotFound,
    /// A path leads to something else than a file.
    NotAFile,
    /// A path leads to something else than a folder.
    NotADirectory,
    /// A file is outside of the kustomization's folder.
    LoadRestricted,
    /// A path leads out of the tree.
    SecurityViolation,
    /// A kustomization includes itself.
    Cycle,
    /// A component is used as a base.
    WrongKind,
    /// Something would have to be fetched.
    RemoteDenied,
    /// Something was fetched, and that failed.
    RemoteFailed,
    /// Something was fetched, and that took too long.
    RemoteTimeout,
    /// A patch is none, or is two kinds of patch at once.
    PatchInvalid,
    /// A patch has no target, or too many.
    PatchTarget,
    /// A patch does not apply to its target.
    PatchFailed,
    /// A replacement lacks what it takes.
    ReplacementInvalid,
    /// No resource, or more than one, is the source of a replacement.
    ReplacementSource,
    /// A field that a replacement reads or writes does not exist.
    ReplacementField,
    /// A replacement takes a part of a value that the value does not have.
    ReplacementIndex,
    /// The arguments of a generator are wrong.
    GeneratorInvalid,
    /// A generated map has a key twice.
    GeneratorKey,
    /// A generated resource exists, or the one to merge with does not.
    GeneratorConflict,
    /// A var may stand for several resources.
    VarAmbiguous,
    /// Two vars have one name.
    VarDuplicate,
    /// A var stands for nothing.
    VarUnmapped,
    /// A var is named or used wrongly.
    VarInvalid,
    /// A name may refer to several resources.
    NameReferenceAmbiguous,
    /// A transformer met a field that it can do nothing with.
    FieldInvalid,
    /// The file of a transformer's fields or of types is wrong.
    ConfigurationInvalid,
    /// A plugin that is not built in.
    PluginDenied,
    /// The arguments of a builtin plugin are wrong.
    PluginInvalid,
    /// A Helm chart.
    HelmDenied,
    /// A validator changed what it was to validate.
    ValidatorModifies,
    /// A variable is written wrongly.
    SubstitutionSyntax,
    /// A variable has neither value nor default.
    SubstitutionMissing,
    /// A variable's name is none.
    SubstitutionName,
    /// A limit of ours on size, count or depth.
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
    /// The file at fault, if it is known.
    file: Option<Box<str>>,
    /// The folders of the kustomizations that led there, the top first.
    chain: Vec<Box<str>>,
}

impl Error {
    /// A fault of a class, in words that a user can act upon.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            file: None,
            chain: Vec::new(),
        }
    }

    /// The class of the fault.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The file at fault, as errors of its tree show it.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The line of the file at fault, as far as the reader of YAML tells it.
    pub fn line(&self) -> Option<usize> {
        let (_, rest) = self.message.rsplit_once("yaml: line ")?;
        let digits = rest.find(|character: char| !character.is_ascii_digit())?;
        rest[..digits].parse().ok()
    }

    /// The folders of the kustomizations that led to the fault, the top first.
    pub fn chain(&self) -> impl Iterator<Item = &str> {
        self.chain.iter().map(|folder| &**folder)
    }

    /// Puts a sentence in front.
    pub(crate) fn within(mut self, context: impl fmt::Display) -> Self {
        self.message = format!("{context}: {}", self.message);
        self
    }

    /// Puts the same fault in other words.
    pub(crate) fn reworded(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Puts some words behind.
    pub(crate) fn followed_by(mut self, words: impl fmt::Display) -> Self {
        self.message = format!("{}{words}", self.message);
        self
    }

    /// Takes what may be a secret out of the addresses in the text.
    pub(crate) fn without_secrets(mut self) -> Self {
        if let Cow::Owned(message) = remote::without_secrets(&self.message) {
            self.message = message;
        }
        let redacted = |text: Box<str>| match remote::without_secrets(&text) {
            Cow::Owned(redacted) => redacted.into(),
            Cow::Borrowed(_) => text,
        };
        self.file = self.file.map(redacted);
        self
    }

    /// Notes the file at fault, unless it is known.
    pub(crate) fn at_file(mut self, file: impl Into<Box<str>>) -> Self {
        self.file.get_or_insert_with(|| file.into());
        self
    }

    /// Notes a kustomization that led here.
    pub(crate) fn through(mut self, folder: impl Into<Box<str>>) -> Self {
        self.chain.insert(0, folder.into());
        self
    }
}
