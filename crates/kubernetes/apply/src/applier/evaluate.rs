//! Evaluates the objects of a stage without changing anything.
//!
//! For an object that is expected to exist, a read and a dry-run run in parallel. For one that is
//! expected to be new, the dry-run is enough: its answer has a resource version only when the
//! object exists. [`decide`] is the pure rule over both answers.

use std::collections::HashMap;

use futures::StreamExt as _;
use sluice_client::{Error, ListOptions, PatchOptions};

use super::{
    Applier, ApplyError, ApplyOptions, ApplyRun, HashSet, Object, ObjectFailure, ObjectId,
    Operation, Owner, ResolvedObject, ServedBackoff, Value, in_order, run_wait,
};
use crate::cleanup::{self, FormerManager};
use crate::drift::has_drifted;
use crate::ignore::{self, IgnoreRules};
use crate::immutable::{self, Immutability, RecreateCost};
use crate::markers::Markers;
use crate::migrate;
use crate::target::ObservedState;
use crate::unknown;
use crate::wait::MIN_LISTED;

/// Maximum number of unknown fields to remove from an object. The server names one per map and
/// request.
const MAX_UNKNOWN_FIELDS: usize = 32;

/// The next step for an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Skip,
    /// The object is as desired. Contains its observed state.
    Keep(ObservedState),
    Create,
    /// Apply over the live object, after the clean-up patch if there is one.
    Configure {
        clean_up: Option<Value>,
        /// The payload, when ignored fields make it differ from the desired object.
        payload: Option<Object>,
    },
    /// Delete the object with this UID, wait for its removal, and apply.
    Recreate {
        uid: Option<String>,
    },
}

/// The result of an evaluation.
pub(super) type Evaluation = Result<Step, ObjectFailure>;

/// The live object, as far as it is known.
#[derive(Clone, Debug)]
pub(super) enum Live {
    /// Not read, because the object is expected to be new.
    Unasked,
    Absent,
    Present(Object),
    /// We may not read it.
    Forbidden,
}

impl Live {
    pub(super) fn object(&self) -> Option<&Object> {
        match self {
            Self::Present(object) => Some(object),
            _ => None,
        }
    }
}

impl Applier {
    /// Evaluates the objects of a stage in parallel. All failures are returned together.
    pub(super) async fn evaluate_all(
        &self,
        located: &[ResolvedObject],
        run: &ApplyRun<'_>,
    ) -> Result<Vec<Step>, ApplyError> {
        let options = run.options;
        let known = options.known.ids();
        let listed = self
            .list_known(located, &known, options.owner, MIN_LISTED)
            .await;
        // By index: the compiler cannot prove a closure over borrowed items `Send`. A list of
        // futures would keep all of them in memory.
        let evaluate = |index: usize| {
            let located = &located[index];
            let id = located.object.id();
            let is_known = known.contains(&id);
            self.evaluate(located, is_known, listed.get(&id), options)
        };
        let mut evaluations: Vec<Evaluation> =
            futures::stream::iter((0..located.len()).map(evaluate))
                .buffered(self.settings.concurrency.max(1))
                .collect()
                .await;
        // Discovery may announce a kind before its path is served.
        let late: Vec<usize> = (0..located.len())
            .filter(|&index| {
                matches!(&evaluations[index], Err(failure) if failure.unserved)
                    && run.defines(&located[index].object)
            })
            .collect();
        if !late.is_empty() {
            run_wait(options.wait_runner, self.await_served(located, &late)).await;
            let retried: Vec<Evaluation> =
                futures::stream::iter(late.iter().copied().map(evaluate))
                    .buffered(self.settings.concurrency.max(1))
                    .collect()
                    .await;
            for (index, evaluation) in late.into_iter().zip(retried) {
                evaluations[index] = evaluation;
            }
        }
        let mut steps = Vec::with_capacity(evaluations.len());
        let mut failures = Vec::new();
        for evaluation in evaluations {
            match evaluation {
                Ok(step) => steps.push(step),
                Err(failure) => failures.push(failure),
            }
        }
        if failures.is_empty() {
            Ok(steps)
        } else {
            Err(ApplyError::Objects(in_order(failures)))
        }
    }

    /// Lists known objects by kind where that saves requests. Objects of failed lists are read.
    pub(super) async fn list_known<'l>(
        &self,
        located: impl IntoIterator<Item = &'l ResolvedObject>,
        known: &HashSet<&ObjectId>,
        owner: &Owner,
        worth_listing: usize,
    ) -> HashMap<ObjectId, Object> {
        let mut groups: HashMap<_, Vec<&ResolvedObject>> = HashMap::new();
        for located in located {
            if known.contains(&located.object.id()) && !self.markers.excludes(&located.object) {
                groups
                    .entry((located.object.gvk(), located.object.namespace()))
                    .or_default()
                    .push(located);
            }
        }
        let selector = ListOptions {
            labels: Some(self.markers.owner_selector(owner)),
            ..ListOptions::default()
        };
        let mut found = HashMap::new();
        for (gvk, namespace) in groups
            .into_iter()
            .filter(|(_, members)| members.len() >= worth_listing)
            .map(|(key, _)| key)
        {
            let namespace = Some(namespace).filter(|namespace| !namespace.is_empty());
            match self.cluster.list(&gvk, namespace, &selector).await {
                Ok(list) => found.extend(
                    list.items
                        .into_iter()
                        .filter_map(|item| Object::try_from(item).ok())
                        .map(|object| (object.id(), object)),
                ),
                Err(error) => tracing::debug!(%error, "list failed, reading objects one by one"),
            }
        }
        found
    }

    async fn evaluate(
        &self,
        located: &ResolvedObject,
        is_known: bool,
        listed: Option<&Object>,
        options: &ApplyOptions<'_>,
    ) -> Evaluation {
        let desired = &located.object;
        if self.markers.excludes(desired) {
            return Ok(Step::Skip);
        }
        if self.markers.is_create_only(desired) {
            // The existence of the object decides, so a failed read is an error.
            let live = self
                .read(located)
                .await
                .map_err(|error| self.failure(desired, Operation::Query, &error))?;
            if live.is_some() {
                return Ok(Step::Skip);
            }
        }
        let (live, answer) = match listed {
            _ if self.settings.migrate_api_version => {
                // Managed fields of another version make the dry-run fail, so they are rewritten
                // first.
                let (live, is_migrated) = self.migrate(located, listed).await?;
                let answer = self.dry_run(located).await;
                return self
                    .decide_evaluated(located, Ok(live), answer, is_migrated, options)
                    .await;
            }
            Some(live) => (Ok(Live::Present(live.clone())), self.dry_run(located).await),
            None if is_known => {
                tokio::join!(self.read_live(located), self.dry_run(located))
            }
            None => (Ok(Live::Unasked), self.dry_run(located).await),
        };
        let live = match live {
            Ok(live) if needs_read(&live, &answer) => self.read_live(located).await,
            live => live,
        };
        self.decide_evaluated(located, live, answer, false, options)
            .await
    }

    async fn decide_evaluated(
        &self,
        located: &ResolvedObject,
        live: Result<Live, Error>,
        answer: Result<Object, Error>,
        is_migrated: bool,
        options: &ApplyOptions<'_>,
    ) -> Evaluation {
        let desired = &located.object;
        match (live, answer) {
            (Ok(live), Ok(dry_run)) => {
                self.decide_accepted(located, live, &dry_run, is_migrated)
                    .await
            }
            (Ok(live), Err(error)) => {
                self.decide_rejected(located, &live, error, options.force)
                    .await
            }
            // The error of the dry-run is more specific than that of the read.
            (Err(_), Err(error)) => Err(self.failure(desired, Operation::DryRun, &error)),
            (Err(error), Ok(_)) => Err(self.failure(desired, Operation::Query, &error)),
        }
    }

    /// Decides on an object whose dry-run passed.
    async fn decide_accepted(
        &self,
        located: &ResolvedObject,
        live: Live,
        dry_run: &Object,
        is_migrated: bool,
    ) -> Evaluation {
        let desired = located.desired();
        let step = self.decide(desired, &live, dry_run, is_migrated);
        let is_same_version =
            live.object().and_then(Object::resource_version) == dry_run.resource_version();
        if is_same_version || !matches!((&step, &live), (Step::Configure { .. }, Live::Present(_)))
        {
            return Ok(step);
        }
        // A write between read and dry-run looks like drift, so the object is read again.
        let live = self
            .read_live(located)
            .await
            .map_err(|error| self.failure(desired, Operation::Query, &error))?;
        Ok(self.decide(desired, &live, dry_run, is_migrated))
    }

    /// Rewrites the API version of managed fields when needed. Returns the live object and whether
    /// it was written.
    async fn migrate(
        &self,
        located: &ResolvedObject,
        listed: Option<&Object>,
    ) -> Result<(Live, bool), ObjectFailure> {
        let desired = &located.object;
        let live = match listed {
            Some(live) => Live::Present(live.clone()),
            None => self
                .read_live(located)
                .await
                .map_err(|error| self.failure(desired, Operation::Query, &error))?,
        };
        let patch = match live.object() {
            Some(live) if self.markers.skip(desired, Some(live)).is_none() => {
                migrate::patch(live, desired.api_version())
            }
            _ => None,
        };
        let Some(patch) = patch else {
            return Ok((live, false));
        };
        let options = PatchOptions {
            field_manager: Some(&self.settings.field_manager),
            ..PatchOptions::default()
        };
        let gvk = desired.gvk();
        let (namespace, name) = (located.namespace(), desired.name());
        let failed = |error: &Error| self.failure(desired, Operation::Migrate, error);
        self.cluster
            .json_patch(&gvk, namespace, name, &patch, options)
            .await
            .map_err(|error| failed(&error))?;
        let live = self
            .read_live(located)
            .await
            .map_err(|error| failed(&error))?;
        Ok((live, true))
    }

    fn decide(&self, desired: &Object, live: &Live, dry_run: &Object, is_migrated: bool) -> Step {
        if matches!(live, Live::Forbidden) {
            // Flux applies objects that it cannot read on every run.
            return Step::Configure {
                clean_up: None,
                payload: None,
            };
        }
        let rules = Rules {
            markers: &self.markers,
            former: &self.former,
            field_manager: &self.settings.field_manager,
            ignore: &self.ignore,
            is_migrated,
        };
        decide(rules, desired, live.object(), dry_run)
            .unwrap_or_else(|live| Step::Keep(self.waiter.observe(live)))
    }

    /// Decides on an object whose dry-run was refused.
    pub(super) async fn decide_rejected(
        &self,
        located: &ResolvedObject,
        live: &Live,
        error: Error,
        force: bool,
    ) -> Evaluation {
        let desired = located.desired();
        let failure = self.failure(desired, Operation::DryRun, &error);
        let Some(live) = live.object() else {
            return Err(failure);
        };
        if self.markers.skip(desired, Some(live)).is_some() {
            return Ok(Step::Skip);
        }
        let is_wanted = match immutable::recreate_cost(live) {
            RecreateCost::Nothing => force || self.markers.is_forced(desired, Some(live)),
            RecreateCost::Others => self.markers.is_forced(desired, Some(live)),
            RecreateCost::Data => false,
        };
        let Some(status) = error.status().filter(|_| is_wanted) else {
            return Err(failure);
        };
        let recreate = match immutable::classify(status, desired, live) {
            Immutability::Immutable => true,
            Immutability::Other => false,
            Immutability::Unclear => {
                let stand_in =
                    ResolvedObject::new(immutable::stand_in(desired), located.resource.clone());
                self.dry_run(&stand_in).await.is_ok()
            }
        };
        if recreate {
            Ok(Step::Recreate {
                uid: live.uid().map(ToOwned::to_owned),
            })
        } else {
            Err(failure)
        }
    }

    pub(super) async fn read_live(&self, located: &ResolvedObject) -> Result<Live, Error> {
        match self.read(located).await {
            Ok(Some(live)) => Ok(Live::Present(live)),
            Ok(None) => Ok(Live::Absent),
            Err(error) if error.is_forbidden() => Ok(Live::Forbidden),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn read(&self, located: &ResolvedObject) -> Result<Option<Object>, Error> {
        let read = self
            .cluster
            .get(
                &located.object.gvk(),
                located.namespace(),
                located.object.name(),
            )
            .await?;
        read.map(Object::try_from)
            .transpose()
            .map_err(|invalid| Error::Answer {
                action: format!("get {}", located.object.id()),
                reason: invalid.to_string(),
            })
    }

    /// Waits until the kinds of these objects are served, up to the time limit.
    async fn await_served(&self, located: &[ResolvedObject], late: &[usize]) {
        let mut backoff = ServedBackoff::start();
        let mut served = HashSet::new();
        for &index in late {
            if !served.insert(located[index].object.group_kind()) {
                continue;
            }
            // Any other answer proves that the path is served.
            while backoff.has_time()
                && self
                    .read(&located[index])
                    .await
                    .is_err_and(|error| error.is_unserved() || error.has_no_match())
            {
                backoff.wait().await;
            }
        }
    }

    /// Dry-runs the apply of an object, without the fields that the server does not know.
    pub(super) async fn dry_run(&self, located: &ResolvedObject) -> Result<Object, Error> {
        let mut answer = self.send(located, located.desired(), true).await;
        let mut object: Option<Object> = None;
        let mut removed = Vec::new();
        while let Err(rejection) = &answer
            && removed.len() < MAX_UNKNOWN_FIELDS
        {
            let object = object.get_or_insert_with(|| located.desired().clone());
            let Some(paths) = unknown::remove_fields(object, rejection) else {
                break;
            };
            removed.extend(paths);
            answer = self.send(located, object, true).await;
        }
        if !removed.is_empty()
            && let Some(object) = object
        {
            tracing::warn!(
                object = %object.id(),
                fields = self.secrets.mask(removed.join(", ")),
                "removed fields that the API server does not know"
            );
            // Also after a rejection: a recreated object must not fail for these fields after its
            // predecessor is gone.
            drop(located.known.set(object));
            let fields = removed.into_iter().map(|path| self.secrets.mask(path));
            drop(located.unknown.set(fields.collect()));
        }
        answer
    }

    /// Applies a payload, or dry-runs it.
    pub(super) async fn send(
        &self,
        located: &ResolvedObject,
        payload: &Object,
        dry_run: bool,
    ) -> Result<Object, Error> {
        let body = payload.to_value();
        let options = PatchOptions {
            field_manager: Some(&self.settings.field_manager),
            force: true,
            dry_run,
            subresource: None,
            field_validation: None,
        };
        let answer = self
            .cluster
            .apply_to(
                &located.resource,
                located.namespace(),
                located.object.name(),
                &body,
                options,
            )
            .await?;
        Object::try_from(answer).map_err(|invalid| Error::Answer {
            action: format!("apply {}", located.object.id()),
            reason: invalid.to_string(),
        })
    }
}

/// Whether the live object must be read (again) before the decision.
pub(super) fn needs_read(live: &Live, answer: &Result<Object, Error>) -> bool {
    match (live, answer) {
        (Live::Present(_) | Live::Forbidden, _) | (Live::Absent, Err(_)) => false,
        (Live::Unasked, Err(_)) => true,
        // The dry-run found an object that was not read, or that appeared after the read.
        (_, Ok(dry_run)) => dry_run.resource_version().is_some(),
    }
}

/// The input of a decision besides the object.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'r> {
    pub(crate) markers: &'r Markers,
    pub(crate) former: &'r [FormerManager],
    pub(crate) field_manager: &'r str,
    pub(crate) ignore: &'r IgnoreRules,
    /// Whether managed fields were rewritten, which counts as a change.
    pub(crate) is_migrated: bool,
}

/// Decides about an object whose dry-run passed. Returns `Err(live)` when it is as desired.
pub(crate) fn decide<'a>(
    rules: Rules<'_>,
    desired: &Object,
    live: Option<&'a Object>,
    dry_run: &Object,
) -> Result<Step, &'a Object> {
    let Some(live) = live else {
        return Ok(Step::Create);
    };
    let Rules {
        markers,
        former,
        field_manager,
        ignore,
        is_migrated,
    } = rules;
    if markers.skip(desired, Some(live)).is_some() {
        return Ok(Step::Skip);
    }
    let former = if markers.is_merged(desired, Some(live)) {
        None
    } else {
        Some(former)
    };
    let clean_up = former.and_then(|former| cleanup::patch(live, former, field_manager));
    let ignored = ignore.fields_of(dry_run);
    let has_drifted = if ignored.is_empty() {
        has_drifted(live, dry_run)
    } else {
        has_drifted(
            &ignore::without(live, &ignored),
            &ignore::without(dry_run, &ignored),
        )
    };
    if is_migrated || clean_up.is_some() || has_drifted {
        // After the clean-up, fields of former managers are ours.
        let is_other = |entry: &Value| {
            entry.get("manager").and_then(Value::as_str) != Some(field_manager)
                && !former
                    .into_iter()
                    .flatten()
                    .any(|manager| manager.matches(entry))
        };
        let payload = ignore::payload(desired, live, dry_run, &ignored, is_other);
        Ok(Step::Configure { clean_up, payload })
    } else {
        Err(live)
    }
}

#[cfg(test)]
mod tests;
