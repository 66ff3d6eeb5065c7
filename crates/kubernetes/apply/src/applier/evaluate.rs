//! What has to be done with each object of a stage, found out without changing anything.
//!
//! For an object that is expected to be there, a read and a dry-run go out side by side; for one
//! that is expected to be new the dry-run goes alone, since its answer tells by the absence of a
//! resource version that nothing is there to be read. [`decide`] is the pure rule over both
//! answers.

use std::collections::HashMap;

use futures::StreamExt as _;
use sluice_client::{Error, ListOptions, PatchOptions};

use super::{
    Applier, ApplyError, ApplyOptions, HashSet, Located, Object, ObjectFailure, ObjectId,
    Operation, Owner, Patience, Run, Value, in_order, run_wait,
};
use crate::cleanup::{self, FormerManager};
use crate::drift::has_drifted;
use crate::ignore::{self, IgnoreRules};
use crate::immutable::{self, Cost, Verdict};
use crate::markers::Markers;
use crate::migrate;
use crate::target::Seen;
use crate::unknown;

/// From this many known objects of one kind and namespace on they are listed, not read singly.
pub(crate) const WORTH_LISTING: usize = 8;
/// Unknown fields that are left out of one object. The server names one of each map at a time,
/// and each time costs a request.
const MAX_UNKNOWN: usize = 32;

/// What to do with an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Skip,
    /// It is as desired; this is what was seen of it.
    Keep(Seen),
    Create,
    /// Apply over what is there, after the clean-up patch if there is one.
    Configure {
        clean_up: Option<Value>,
        /// What to send in place of the desired object, where it differs: ignored fields stay as
        /// they are.
        payload: Option<Object>,
    },
    /// Delete the object of this uid, wait until it is gone, and apply.
    Recreate {
        uid: Option<String>,
    },
}

/// The outcome of evaluating one object.
pub(super) type Evaluation = Result<Step, ObjectFailure>;

/// What is known of the live object.
#[derive(Clone, Debug)]
pub(super) enum Live {
    /// Not asked; nothing suggests that it exists.
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
    /// Evaluates the objects of a stage side by side; all that was refused comes back together.
    pub(super) async fn evaluate_all(
        &self,
        located: &[Located],
        run: &Run<'_>,
    ) -> Result<Vec<Step>, ApplyError> {
        let options = run.options;
        let known = options.known.ids();
        let listed = self
            .list_known(located, &known, options.owner, WORTH_LISTING)
            .await;
        // By index: a closure over borrowed items could not be proven `Send` for every lifetime,
        // and futures made beforehand would all be in memory at once.
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
        // Discovery may announce a kind a moment before its path is served.
        let late: Vec<usize> = (0..located.len())
            .filter(|&index| {
                matches!(&evaluations[index], Err(failure) if failure.unserved)
                    && run.defines(&located[index].object)
            })
            .collect();
        if !late.is_empty() {
            run_wait(options.wait_runner, self.await_served(located, &late)).await;
            let anew: Vec<Evaluation> = futures::stream::iter(late.iter().copied().map(evaluate))
                .buffered(self.settings.concurrency.max(1))
                .collect()
                .await;
            for (index, evaluation) in late.into_iter().zip(anew) {
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

    /// Lists what is known, kind by kind, where that saves requests. Whoever may not list reads.
    pub(super) async fn list_known<'l>(
        &self,
        located: impl IntoIterator<Item = &'l Located>,
        known: &HashSet<&ObjectId>,
        owner: &Owner,
        worth_listing: usize,
    ) -> HashMap<ObjectId, Object> {
        let mut groups: HashMap<_, Vec<&Located>> = HashMap::new();
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
                Err(error) => tracing::debug!(%error, "not listed, reading one by one"),
            }
        }
        found
    }

    async fn evaluate(
        &self,
        located: &Located,
        is_known: bool,
        listed: Option<&Object>,
        options: &ApplyOptions<'_>,
    ) -> Evaluation {
        let desired = &located.object;
        if self.markers.excludes(desired) {
            return Ok(Step::Skip);
        }
        if self.markers.is_create_only(desired) {
            // Whether it is there decides all: not being allowed to know is an error.
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
                // Managed fields of another version are what makes the dry-run fail, so they
                // are rewritten before it.
                let (live, is_migrated) = self.migrate(located, listed).await?;
                let answer = self.dry_run(located).await;
                return self
                    .judge(located, Ok(live), answer, is_migrated, options)
                    .await;
            }
            Some(live) => (Ok(Live::Present(live.clone())), self.dry_run(located).await),
            None if is_known => {
                tokio::join!(self.look(located), self.dry_run(located))
            }
            None => (Ok(Live::Unasked), self.dry_run(located).await),
        };
        let live = match live {
            Ok(live) if needs_read(&live, &answer) => self.look(located).await,
            live => live,
        };
        self.judge(located, live, answer, false, options).await
    }

    async fn judge(
        &self,
        located: &Located,
        live: Result<Live, Error>,
        answer: Result<Object, Error>,
        is_migrated: bool,
        options: &ApplyOptions<'_>,
    ) -> Evaluation {
        let desired = &located.object;
        match (live, answer) {
            (Ok(live), Ok(dry_run)) => self.passed(located, live, &dry_run, is_migrated).await,
            (Ok(live), Err(error)) => self.refused(located, &live, error, options.force).await,
            // What the dry-run says is about the object; a failed read only says less.
            (Err(_), Err(error)) => Err(self.failure(desired, Operation::DryRun, &error)),
            (Err(error), Ok(_)) => Err(self.failure(desired, Operation::Query, &error)),
        }
    }

    /// Decides on an object whose dry-run passed.
    async fn passed(
        &self,
        located: &Located,
        live: Live,
        dry_run: &Object,
        is_migrated: bool,
    ) -> Evaluation {
        let desired = located.desired();
        let step = self.decide(desired, &live, dry_run, is_migrated);
        let is_same_moment =
            live.object().and_then(Object::resource_version) == dry_run.resource_version();
        if is_same_moment || !matches!((&step, &live), (Step::Configure { .. }, Live::Present(_))) {
            return Ok(step);
        }
        // Read and dry-run are two moments. If someone wrote between them, what looks like drift
        // may be that write: look once more before acting on it.
        let live = self
            .look(located)
            .await
            .map_err(|error| self.failure(desired, Operation::Query, &error))?;
        Ok(self.decide(desired, &live, dry_run, is_migrated))
    }

    /// Rewrites the version of managed fields, if any has another one than the desired object;
    /// gives what is live then, and whether that took a write.
    async fn migrate(
        &self,
        located: &Located,
        listed: Option<&Object>,
    ) -> Result<(Live, bool), ObjectFailure> {
        let desired = &located.object;
        let live = match listed {
            Some(live) => Live::Present(live.clone()),
            None => self
                .look(located)
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
        let live = self.look(located).await.map_err(|error| failed(&error))?;
        Ok((live, true))
    }

    fn decide(&self, desired: &Object, live: &Live, dry_run: &Object, is_migrated: bool) -> Step {
        if matches!(live, Live::Forbidden) {
            // Flux applies what it may not read, every time; so must we.
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
            .unwrap_or_else(|live| Step::Keep(self.see(live)))
    }

    /// Decides on an object whose dry-run was refused.
    pub(super) async fn refused(
        &self,
        located: &Located,
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
        let is_wanted = match immutable::cost(live) {
            Cost::Nothing => force || self.markers.is_forced(desired, Some(live)),
            Cost::Others => self.markers.is_forced(desired, Some(live)),
            Cost::Data => false,
        };
        let Some(status) = error.status().filter(|_| is_wanted) else {
            return Err(failure);
        };
        let recreate = match immutable::judge(status, desired, live) {
            Verdict::Immutable => true,
            Verdict::Other => false,
            Verdict::Unclear => {
                let stand_in = Located::new(immutable::stand_in(desired), located.resource.clone());
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

    pub(super) async fn look(&self, located: &Located) -> Result<Live, Error> {
        match self.read(located).await {
            Ok(Some(live)) => Ok(Live::Present(live)),
            Ok(None) => Ok(Live::Absent),
            Err(error) if error.is_forbidden() => Ok(Live::Forbidden),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn read(&self, located: &Located) -> Result<Option<Object>, Error> {
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
            .map_err(|incomplete| Error::Answer {
                action: format!("get {}", located.object.id()),
                reason: incomplete.to_string(),
            })
    }

    /// Waits until the kinds of these objects are served, or for as long as that may take.
    async fn await_served(&self, located: &[Located], late: &[usize]) {
        let mut patience = Patience::new();
        let mut served = HashSet::new();
        for &index in late {
            if !served.insert(located[index].object.group_kind()) {
                continue;
            }
            // Any other answer, a refusal too, comes from a path that is served.
            while patience.is_left()
                && self
                    .read(&located[index])
                    .await
                    .is_err_and(|error| error.is_unserved() || error.is_no_match())
            {
                patience.wait().await;
            }
        }
    }

    /// Asks what an apply would make of the object; where the server does not know some of its
    /// fields, of the object without them.
    pub(super) async fn dry_run(&self, located: &Located) -> Result<Object, Error> {
        let mut answer = self.send(located, located.desired(), true).await;
        let mut object: Option<Object> = None;
        let mut left_out = Vec::new();
        while let Err(refusal) = &answer
            && left_out.len() < MAX_UNKNOWN
        {
            let object = object.get_or_insert_with(|| located.desired().clone());
            let Some(paths) = unknown::leave_out(object, refusal) else {
                break;
            };
            left_out.extend(paths);
            answer = self.send(located, object, true).await;
        }
        if !left_out.is_empty()
            && let Some(object) = object
        {
            tracing::warn!(
                object = %object.id(),
                fields = self.hidden.mask(left_out.join(", ")),
                "left out what the API server has no field for"
            );
            // After a refusal too: it is of the object without them, and what is recreated for it
            // must not be refused for them once its predecessor is gone.
            drop(located.known.set(object));
        }
        answer
    }

    /// Applies a payload to the object's place, or asks what that would make of it.
    pub(super) async fn send(
        &self,
        located: &Located,
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
        Object::try_from(answer).map_err(|incomplete| Error::Answer {
            action: format!("apply {}", located.object.id()),
            reason: incomplete.to_string(),
        })
    }
}

/// Tells whether the live object has to be read (again) before anything can be decided.
pub(super) fn needs_read(live: &Live, answer: &Result<Object, Error>) -> bool {
    match (live, answer) {
        (Live::Present(_) | Live::Forbidden, _) | (Live::Absent, Err(_)) => false,
        (Live::Unasked, Err(_)) => true,
        // The dry-run found something that the read did not, or that nobody asked for.
        (_, Ok(dry_run)) => dry_run.resource_version().is_some(),
    }
}

/// What a decision goes by, besides the object.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'r> {
    pub(crate) markers: &'r Markers,
    pub(crate) former: &'r [FormerManager],
    pub(crate) field_manager: &'r str,
    pub(crate) ignore: &'r IgnoreRules,
    /// The version of its managed fields was just rewritten: a change, whatever else there is.
    pub(crate) is_migrated: bool,
}

/// Decides on an object whose dry-run passed. What is as desired comes back as `Err(live)`.
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
        // What former managers own is ours after the clean-up.
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
