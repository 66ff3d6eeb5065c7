//! Performs the steps of a plan, and what follows a failure.

use sluice_golang::quote::quote;
use sluice_object::Object;
use tokio_util::sync::CancellationToken;

use super::options::{Rollback, ServerSide, Uninstall};
use super::plan::Kind;
use super::plan::{Plan, Step};
use super::rollback::rollback;
use super::uninstall::uninstall;
use crate::cluster::{ClusterError, Goal, Propagation, WaitStrategy};
use crate::context::{ActionError, Context, Failure};
use crate::log::LogLine;
use crate::record::{Release, Status};
use crate::{hook, resources};

impl Plan {
    /// Performs the steps. A failure after the new revision was stored marks it as failed.
    pub async fn perform(mut self, context: &Context<'_>) -> Result<Release, Failure> {
        let mut created = Vec::new();
        let mut is_stored = false;
        for step in std::mem::take(&mut self.steps) {
            let done = self.step(context, &step, &mut created).await;
            if let Err(error) = done {
                if !is_stored || matches!(step, Step::Deploy { .. }) {
                    return Err(self.failure(error));
                }
                return Err(self.fail(context, &step, error.to_string(), &created).await);
            }
            is_stored |= step == Step::Create;
        }
        Ok(self.release)
    }

    fn failure(self, error: impl Into<ActionError>) -> Failure {
        Failure {
            error: error.into(),
            release: Some(Box::new(self.release)),
        }
    }

    async fn step(
        &mut self,
        context: &Context<'_>,
        step: &Step,
        created: &mut Vec<Object>,
    ) -> Result<(), ActionError> {
        let (cluster, delivery) = (context.cluster, self.delivery);
        self.log_step(context, step);
        match step {
            Step::CreateNamespace => self.create_namespace(context).await?,
            Step::StoreFormer => {
                if let Some(former) = &self.former {
                    context.store.update(former).await?;
                }
            }
            Step::Create => {
                context.store.create(&self.release).await?;
                if self.kind == Kind::Rollback {
                    self.log_name(context, "performing rollback");
                }
                self.log_hooks(context);
            }
            Step::Hooks { event, error } => {
                let ran = hook::run(context, &mut self.release, event, &delivery).await;
                ran.map_err(|text| format!("{error}{text}"))?;
            }
            Step::CreateObjects => {
                let request = resources::create(cluster, &self.target, delivery.server_side, false);
                context.until_cancelled(request).await.map_err(text)?;
            }
            Step::UpdateObjects(write) => {
                let request =
                    resources::update(cluster, &self.current, &self.target, *write, created);
                context.until_cancelled(request).await.map_err(text)?;
            }
            Step::Wait if delivery.wait == WaitStrategy::HookOnly => {}
            Step::Wait => {
                let goal = if delivery.waits_for_jobs {
                    Goal::ReadyWithJobs
                } else {
                    Goal::Ready
                };
                let wait = cluster.wait(&self.target, goal, delivery.wait, delivery.timeout);
                context.until_cancelled(wait).await.map_err(text)?;
            }
            Step::SupersedeFormer => {
                if let Some(former) = &mut self.former {
                    former.info.status = Status::SUPERSEDED;
                    context.record(former).await;
                }
            }
            Step::SupersedeDeployed => context.supersede_deployed(&self.release.name).await?,
            Step::Deploy { description } => {
                self.release.info.status = Status::DEPLOYED;
                if let Some(description) = description {
                    self.release.info.description.clone_from(description);
                }
                if self.kind == Kind::Install {
                    context.record(&self.release).await;
                } else {
                    context.store.update(&self.release).await?;
                }
            }
        }
        Ok(())
    }

    /// Logs the begin of a step.
    fn log_step(&self, context: &Context<'_>, step: &Step) {
        let text = match (self.kind, step) {
            (Kind::Upgrade, Step::Create) => "creating upgraded release",
            (Kind::Upgrade, Step::Deploy { .. }) => "updating status for upgraded release",
            (Kind::Rollback, Step::Create) => "creating rolled back release",
            (Kind::Rollback, Step::Deploy { .. }) => "updating status for rolled back release",
            _ => return,
        };
        self.log_name(context, text);
    }

    /// Logs that no hooks run.
    fn log_hooks(&self, context: &Context<'_>) {
        let text = match self.kind {
            _ if self.delivery.runs_hooks => return,
            Kind::Install => return,
            Kind::Upgrade => "upgrade hooks disabled",
            Kind::Rollback => "rollback hooks disabled",
        };
        self.log_name(context, text);
    }

    fn log_name(&self, context: &Context<'_>, text: &str) {
        context.log(LogLine::debug(text).with("name", &*self.release.name));
    }

    async fn create_namespace(&self, context: &Context<'_>) -> Result<(), String> {
        let mut namespace = Object::new("v1", "Namespace", "", &self.release.namespace);
        namespace.set_label("name", &self.release.namespace);
        let server_side = self.delivery.server_side;
        match resources::create(context.cluster, &[namespace], server_side, false).await {
            Ok(()) | Err(ClusterError::Exists(_)) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Marks the new revision as failed, and undoes it if that was asked for.
    async fn fail(
        mut self,
        context: &Context<'_>,
        step: &Step,
        reason: String,
        created: &[Object],
    ) -> Failure {
        // The work after a cancellation must not be cancelled.
        let context = &Context {
            cancel: CancellationToken::new(),
            ..*context
        };
        match self.kind {
            Kind::Install => self.fail_install(context, reason).await,
            Kind::Upgrade => {
                if matches!(step, Step::UpdateObjects(_) | Step::Wait)
                    && let Some(former) = &self.former
                {
                    context.record(former).await;
                }
                self.fail_upgrade(context, reason, created).await
            }
            Kind::Rollback => {
                let name = quote(&self.release.name);
                let description = match step {
                    Step::UpdateObjects(_) => format!("Rollback {name} failed: {reason}"),
                    Step::Wait => format!("Release {name} failed: {reason}"),
                    // Helm leaves the revision pending after a failed hook, but not here after a
                    // cancellation.
                    _ if reason.ends_with(&ClusterError::Cancelled.to_string()) => {
                        format!("Rollback {name} failed: {reason}")
                    }
                    _ => return self.failure(reason),
                };
                if matches!(step, Step::UpdateObjects(_)) {
                    context.log(LogLine::warning(&description));
                }
                self.release.set_status(Status::FAILED, description);
                if let Some(former) = &mut self.former {
                    if matches!(step, Step::UpdateObjects(_)) {
                        former.info.status = Status::SUPERSEDED;
                    }
                    context.record(former).await;
                }
                context.record(&self.release).await;
                if *step == Step::Wait {
                    let name = &self.release.name;
                    let text = format!("release {name} failed: {reason}");
                    return self.failure(text);
                }
                if let Some(errors) = self.clean_up(context, created).await {
                    return self.failure(format!(
                        "an error occurred while cleaning up resources. original rollback error: \
                         unable to cleanup resources: {errors}"
                    ));
                }
                self.failure(reason)
            }
        }
    }

    async fn fail_install(mut self, context: &Context<'_>, reason: String) -> Failure {
        let name = self.release.name.clone();
        let description = format!("Release {} failed: {reason}", quote(&name));
        self.release.set_status(Status::FAILED, description);
        if !self.rolls_back {
            context.record(&self.release).await;
            return self.failure(reason);
        }
        let text = "install failed and rollback-on-failure is set, uninstalling release";
        context.log(LogLine::debug(text).with("release", &*name));
        let options = Uninstall {
            runs_hooks: self.delivery.runs_hooks,
            timeout: self.delivery.timeout,
            wait: self.delivery.wait,
            ..Uninstall::default()
        };
        match uninstall(context, &name, &options).await {
            Ok(_) => self.failure(format!(
                "release {name} failed, and has been uninstalled due to rollback-on-failure being \
                 set: {reason}"
            )),
            Err(error) => self.failure(format!(
                "an error occurred while uninstalling the release. original install error: \
                 {reason}: {error}"
            )),
        }
    }

    async fn fail_upgrade(
        mut self,
        context: &Context<'_>,
        reason: String,
        created: &[Object],
    ) -> Failure {
        let name = self.release.name.clone();
        let line = LogLine::warning("upgrade failed").with("name", &*name);
        context.log(line.with_error());
        let description = format!("Upgrade {} failed: {reason}", quote(&name));
        self.release.set_status(Status::FAILED, description);
        context.record(&self.release).await;
        if let Some(errors) = self.clean_up(context, created).await {
            return self.failure(format!(
                "an error occurred while cleaning up resources. original upgrade error: {reason}: \
                 unable to cleanup resources: {errors}"
            ));
        }
        if !self.rolls_back {
            return self.failure(reason);
        }
        context.log(LogLine::debug(
            "Upgrade failed and rollback-on-failure is set, rolling back to previous successful \
             release",
        ));
        context.log(LogLine::debug("getting history for release").with("release", &*name));
        let history = match context.store.history(&name).await {
            Ok(history) => history,
            Err(error) => {
                return self.failure(format!(
                    "an error occurred while finding last successful release. original upgrade \
                     error: {reason}: {error}"
                ));
            }
        };
        let was_successful =
            |status: &Status| *status == Status::SUPERSEDED || *status == Status::DEPLOYED;
        let mut history = history.into_iter().rev();
        let Some(last) = history.find(|release| was_successful(&release.info.status)) else {
            return self.failure(format!(
                "unable to find a previously successful release when attempting to rollback. \
                 original upgrade error: {reason}"
            ));
        };
        let options = Rollback {
            version: last.version,
            server_side: ServerSide::of(self.delivery.server_side),
            cleans_up: false,
            delivery: self.delivery,
        };
        // The roll-back performs a plan in turn.
        match Box::pin(rollback(context, &name, &options)).await {
            Ok(_) => self.failure(format!(
                "release {name} failed, and has been rolled back due to rollback-on-failure being \
                 set: {reason}"
            )),
            Err(error) => self.failure(format!(
                "an error occurred while rolling back the release. original upgrade error: \
                 {reason}: {error}"
            )),
        }
    }

    /// Deletes what a failed action has created, and returns the errors.
    async fn clean_up(&self, context: &Context<'_>, created: &[Object]) -> Option<String> {
        if !self.cleans_up || created.is_empty() {
            return None;
        }
        let count = created.len();
        context.log(if self.kind == Kind::Rollback {
            LogLine::debug("cleanup on fail set, cleaning up resources").with("count", count)
        } else {
            LogLine::debug("cleanup on fail set").with("cleaning_resources", count)
        });
        let propagation = Propagation::Background;
        let errors = resources::delete(context.cluster, created, propagation).await;
        if errors.is_empty() {
            context.log(LogLine::debug("resource cleanup complete"));
        }
        (!errors.is_empty()).then(|| resources::texts(&errors, ", "))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "used as a map_err function")]
fn text(error: ClusterError) -> String {
    error.to_string()
}
