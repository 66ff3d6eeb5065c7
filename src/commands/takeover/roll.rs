//! Changes the image of a Deployment and waits for its rollout. `takeover` and `give-back` make
//! only these writes, and report each.

use std::collections::BTreeSet;
use std::time::Instant;

use serde::Serialize;
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_lifecycle::ready::deployed;
use sluice_lifecycle::takeover::ComponentJudgement;
use sluice_lifecycle::takeover::keeper::{FURTHER, Keeper, kept_by_helm};
use sluice_lifecycle::takeover::record::{self, ANNOTATION, Step, Write};
use sluice_object::Object;

use crate::cluster::{Context, FIELD_MANAGER, refusal};
use crate::error::CommandError;

/// A completed write.
#[derive(Debug, Serialize)]
pub(in crate::commands) struct CompletedWrite {
    object: String,
    from: String,
    to: String,
    /// Change of the annotation that stores the former image.
    annotation: &'static str,
}

/// Replaces the images of Deployments in sequence, within the command's timeout.
pub(in crate::commands) struct Roll<'a> {
    context: &'a Context,
    began: Instant,
    written: Vec<CompletedWrite>,
}

impl<'a> Roll<'a> {
    pub(in crate::commands) fn new(context: &'a Context) -> Self {
        Self {
            context,
            began: Instant::now(),
            written: Vec::new(),
        }
    }

    pub(in crate::commands) fn writes(&self) -> &[CompletedWrite] {
        &self.written
    }

    /// Reports why a component keeps its image.
    pub(super) fn refused(&self, answer: &ComponentJudgement) {
        let progress = self.context.progress;
        progress.failure(format!("{} is not taken over", answer.component));
        for missing in &answer.missing {
            progress.failure(format!("{}: {}", missing.object, missing.reason));
        }
    }

    /// Sets our image on a Deployment.
    pub(super) async fn take(
        &mut self,
        deployment: &Object,
        becomes: &str,
    ) -> Result<(), CommandError> {
        let step = record::take(deployment, becomes);
        self.carry_out(deployment, &step).await
    }

    /// Restores the former image of a Deployment, or Flux's own if none is stored.
    pub(in crate::commands) async fn give_back(
        &mut self,
        deployment: &Object,
        stock: Option<&str>,
    ) -> Result<(), CommandError> {
        let step = record::give_back(deployment, stock);
        self.carry_out(deployment, &step).await
    }

    async fn carry_out(&mut self, deployment: &Object, step: &Step) -> Result<(), CommandError> {
        let (context, name) = (self.context, deployment.name());
        match step {
            Step::Nothing => context
                .progress
                .success(format!("{}: nothing to write", deployment.id())),
            Step::Write(write) => self.write(deployment, write).await?,
            Step::Foreign(image) => {
                return Err(CommandError::cluster(format!(
                    "{} runs {image}, which was set after the takeover",
                    deployment.id()
                ))
                .hint(format!(
                    "nothing was written to it; the former image is in its annotation {ANNOTATION}"
                )));
            }
        }
        context
            .progress
            .wait(format!("waiting for {name} to become ready"));
        let limit = context.timeout().saturating_sub(self.began.elapsed());
        let session = context.session()?;
        let ready = deployed(&session, name, limit).await;
        ready.map_err(|error| {
            CommandError::from(error)
                .hint("run the command again to continue")
                .hint(format!(
                    "`{} give-back` restores the former controllers",
                    context.program
                ))
        })?;
        context
            .progress
            .success(format!("{name}: deployment ready"));
        Ok(())
    }

    async fn write(&mut self, deployment: &Object, write: &Write) -> Result<(), CommandError> {
        let gvk = GroupVersionKind::gvk("apps", "v1", "Deployment");
        let options = PatchOptions {
            field_manager: Some(FIELD_MANAGER),
            ..PatchOptions::default()
        };
        let (namespace, name) = (Some(deployment.namespace()), deployment.name());
        let id = deployment.id();
        let patched = self
            .context
            .cluster()?
            .json_patch(&gvk, namespace, name, write.operations(), options)
            .await;
        patched.map_err(|error| {
            if error.is_invalid() {
                CommandError::cluster(format!("{id} was changed by another client meanwhile"))
                    .details([error.message().clone()])
                    .hint("nothing was written to it; run the command again")
            } else {
                refusal(&error)
            }
        })?;
        let annotation = if write.record.is_some() {
            "written"
        } else {
            "removed"
        };
        self.context.progress.success(format!(
            "{id} written: image {} → {}, annotation {ANNOTATION} {annotation}",
            write.from, write.to
        ));
        self.written.push(CompletedWrite {
            object: id.to_string(),
            from: write.from.clone(),
            to: write.to.clone(),
            annotation,
        });
        Ok(())
    }
}

/// Returns the error for a Deployment that a Git repository would revert.
pub(in crate::commands) fn revert_error(keeper: &Keeper, verb: &str) -> CommandError {
    let error = CommandError::user(format!(
        "this cluster follows a repository: Kustomization {} would undo the {verb}",
        keeper.kustomization
    ));
    let error = match &keeper.command {
        Some(command) => error
            .hint(format!("change it by a commit: {command}"))
            .hint(FURTHER),
        None => error.hint("change the images in the source of the Kustomization"),
    };
    error.hint(
        "set --force to write anyway; suspend the Kustomization first, or it reverts the write",
    )
}

/// Rejects Deployments that an upgrade of a Helm release would revert.
pub(in crate::commands) fn refuse_helm(
    releases: &BTreeSet<String>,
    verb: &str,
) -> Result<(), CommandError> {
    if releases.is_empty() {
        return Ok(());
    }
    let kept = kept_by_helm(releases);
    Err(CommandError::user(format!("{verb} refused: {kept}"))
        .hint("change the images in the values of the release")
        .hint("set --force to write anyway; the next upgrade of the release reverts the write"))
}
