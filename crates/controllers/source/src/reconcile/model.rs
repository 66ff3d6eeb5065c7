//! The parts that a kind of source supplies, and the data of its runs.

use std::future::Future;
use std::time::Duration;

use sluice_api::Artifact;
use sluice_api::meta::{HandledRequest, ToolkitResource};
use sluice_client::typed::HasStatus;
use sluice_engine::conditions::Table;
use sluice_engine::draft::is_edited;
use sluice_engine::request::is_requested;
use sluice_engine::{Failure, Kind, MAX_STEP_TIME, ObjectKey, Run, StatusOf};
use sluice_producer::{KindStorage, TidyReport};

use crate::draft::{Draft, SourceStatus};
use crate::fault::Fault;

/// The types of one kind of source. Its files implement the traits below.
pub(crate) trait SourceTypes: Sized + Send + Sync + 'static {
    /// The kind in the API.
    type Object: Kind + ToolkitResource + HasStatus<Status: SourceStatus + HandledRequest>;
    /// The parsed spec.
    type Spec: SourceSpec<Object = Self::Object>;
    /// One step, with all of its decisions made.
    type Step: Copy + Send;
    /// The results of the steps so far.
    type Facts: Default + Send + Sync;

    /// The conditions that `Ready` summarizes.
    const CONDITIONS: Table;
}

/// The parsed spec of a kind. Pure.
pub(crate) trait SourceSpec: Sized + Send + Sync {
    /// The kind in the API.
    type Object;

    /// Parses the spec.
    fn parse(object: &Self::Object) -> Result<Self, Failure>;

    /// The poll interval. Zero disables polling.
    fn interval(&self) -> Duration;

    /// The time limit of one request. The default is for a kind whose limit is that of another
    /// object.
    fn timeout(&self) -> Duration {
        MAX_STEP_TIME
    }
}

/// The decisions of a kind. Pure.
pub(crate) trait Plan: SourceTypes {
    /// The next step, or `None` if the source is up to date.
    fn plan(source: &Source<'_, Self>) -> Option<Self::Step>;
}

/// The effects of a kind.
pub(crate) trait Perform: SourceTypes {
    /// Performs one step and adds its result to the facts.
    fn perform(
        &self,
        step: Self::Step,
        object: &Self::Object,
        spec: &Self::Spec,
        facts: &mut Self::Facts,
        run: &Run<Self::Object>,
    ) -> impl Future<Output = Result<(), Fault>> + Send;
}

/// The statuses of a kind. Pure.
pub(crate) trait Conclude: SourceTypes {
    /// Whether the status is shown while a step works.
    fn is_shown(source: &Source<'_, Self>, step: Self::Step) -> bool;

    /// Applies the spec to a new draft, for example its warnings.
    fn apply_spec(_object: &Self::Object, _draft: &mut Draft<StatusOf<Self::Object>>) {}

    /// Applies the facts to a draft, except for a new artifact.
    fn apply_facts(source: &Source<'_, Self>, draft: &mut Draft<StatusOf<Self::Object>>);

    /// Applies the result of a successful run to a draft.
    fn apply_result(source: &Source<'_, Self>, draft: &mut Draft<StatusOf<Self::Object>>);
}

/// One kind of source.
pub(crate) trait SourceKind: Plan + Perform + Conclude {
    /// The storage of the kind.
    fn source_storage(&self) -> &KindStorage;

    /// Drops cached data of an object that no longer exists.
    fn forget(&self, _key: &ObjectKey) {}
}

/// A source with a valid spec during a run.
pub(crate) struct Source<'a, K: SourceTypes> {
    pub(crate) object: &'a K::Object,
    pub(crate) spec: &'a K::Spec,
    pub(crate) facts: &'a K::Facts,
    /// Whether the storage has no valid artifact of the object.
    is_lost: bool,
}

impl<'a, K: SourceTypes> Source<'a, K> {
    /// The artifact in the status, if the storage has it.
    pub(crate) fn artifact(&self) -> Option<&'a Artifact> {
        self.object.status().filter(|_| !self.is_lost)?.artifact()
    }

    /// Whether the status changes before the remote is contacted.
    pub(crate) fn has_news(&self) -> bool {
        self.is_lost || is_edited(self.object) || is_requested(self.object)
    }
}

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step<S> {
    /// Remove all artifacts of an object in deletion.
    Delete,
    /// Remove old artifacts and check the current one.
    Tidy,
    /// A step of the kind.
    Kind(S),
}

/// The results of the steps so far.
pub(crate) struct Facts<K: SourceTypes> {
    pub(crate) spec: Result<K::Spec, Fault>,
    /// Whether something else than a timer caused the run.
    pub(crate) is_prompt: bool,
    /// Number of consecutive earlier runs that ended with a delay that the remote asked for.
    pub(crate) delays: u32,
    /// Whether artifacts of an object in deletion were found and removed.
    pub(crate) deleted: Option<bool>,
    /// The state of the storage.
    pub(crate) tidied: Option<TidyReport>,
    /// The facts of the kind.
    pub(crate) own: K::Facts,
}

impl<K: SourceTypes> Facts<K> {
    /// The facts at the start of a run.
    pub(crate) fn new(object: &K::Object, is_prompt: bool) -> Self {
        Self {
            spec: K::Spec::parse(object).map_err(Fault::fetch),
            is_prompt,
            delays: 0,
            deleted: None,
            tidied: None,
            own: K::Facts::default(),
        }
    }

    /// The source, unless its spec is invalid.
    pub(crate) fn source<'a>(&'a self, object: &'a K::Object) -> Result<Source<'a, K>, &'a Fault> {
        Ok(Source {
            object,
            spec: self.spec.as_ref()?,
            facts: &self.own,
            is_lost: self.tidied.as_ref().is_some_and(TidyReport::is_lost),
        })
    }
}
