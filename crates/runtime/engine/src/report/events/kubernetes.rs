//! Events to the Kubernetes API, as `core/v1` Events in the object's namespace.
//!
//! An event yields to applies and statuses: it waits until no other request is in flight, for a
//! bounded time. Events keep their order and their times.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Event;
use kube::Api;
use kube::api::{Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use sluice_api::meta::Time;
use sluice_client::Cluster;
use sluice_system::Clock;
use tokio_util::sync::CancellationToken;

use super::Outbox;
use crate::report::correlate::{Correlator, Draft, Verdict};

/// Attempts per event, besides the retries of the connection.
const ATTEMPTS: u32 = 3;
/// How long an event yields to other requests.
const MAX_YIELD: Duration = Duration::from_secs(30);

/// Sends events, one after another.
pub(super) struct Sender {
    cluster: Cluster,
    controller: &'static str,
    instance: String,
    correlator: Correlator,
    clock: Arc<dyn Clock>,
}

impl Sender {
    pub(super) fn new(
        cluster: Cluster,
        controller: &'static str,
        instance: &str,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            cluster,
            controller,
            instance: instance.to_owned(),
            correlator: Correlator::default(),
            clock,
        }
    }

    /// Sends events until `stop` is cancelled and none is left.
    pub(super) async fn run(mut self, stop: CancellationToken, outbox: Arc<Outbox<Draft>>) {
        while let Some(draft) = outbox.take(&stop).await {
            if !outbox.is_filling() {
                self.yield_to_others(&draft, &stop).await;
            }
            let mut verdict = self.correlator.judge(&draft);
            let mut delay = Duration::from_secs(1);
            for attempt in 1..=ATTEMPTS {
                match self.send(&draft, &mut verdict).await {
                    Ok(()) => break,
                    Err(error)
                        if attempt == ATTEMPTS || stop.is_cancelled() || is_final(&error) =>
                    {
                        outbox.count_lost();
                        let object = format!(
                            "{} {}/{}",
                            draft.involved.kind, draft.involved.namespace, draft.involved.name
                        );
                        let error = self
                            .cluster
                            .error(format!("record event for {object}"), error);
                        tracing::debug!(error = %error, "unable to record event");
                        break;
                    }
                    Err(_) => {
                        tokio::select! {
                            () = tokio::time::sleep(delay) => delay *= 2,
                            () = stop.cancelled() => {}
                        }
                    }
                }
            }
        }
    }

    /// Waits until no other request is in flight, the event is old, or the process stops.
    async fn yield_to_others(&self, draft: &Draft, stop: &CancellationToken) {
        tokio::select! {
            biased;
            () = stop.cancelled() => {}
            () = self.cluster.idle() => {}
            () = tokio::time::sleep(remaining_yield(draft.at, self.clock.now())) => {}
        }
    }

    async fn send(&mut self, draft: &Draft, verdict: &mut Verdict) -> Result<(), kube::Error> {
        let namespace = if draft.involved.namespace.is_empty() {
            "default"
        } else {
            &draft.involved.namespace
        };
        let api: Api<Event> = Api::namespaced(self.cluster.client().clone(), namespace);
        if let Verdict::Repeat {
            number,
            name,
            count,
            message,
        } = verdict
        {
            let patch = json!({
                "count": count,
                "lastTimestamp": Time::from(draft.at),
                "message": message,
                "metadata": { "annotations": draft.annotations },
            });
            match api
                .patch(name, &PatchParams::default(), &Patch::Merge(patch))
                .await
            {
                Ok(_) => return Ok(()),
                // Events expire after an hour.
                Err(kube::Error::Api(status)) if status.code == 404 => {
                    self.correlator.record_name(*number, None, draft.at);
                    *verdict = Verdict::Create {
                        number: *number,
                        count: 1,
                        message: std::mem::take(message),
                    };
                }
                Err(error) => return Err(error),
            }
        }
        let Verdict::Create {
            number,
            count,
            message,
        } = verdict
        else {
            return Ok(());
        };
        let mut event = event(draft, namespace, message, self.controller, &self.instance);
        event.count = Some(*count);
        let created = api.create(&PostParams::default(), &event).await?;
        self.correlator
            .record_name(*number, created.metadata.name, draft.at);
        Ok(())
    }
}

/// How much longer an event of `at` yields. The clock may be corrected meanwhile.
fn remaining_yield(at: Timestamp, now: Timestamp) -> Duration {
    let age = Duration::try_from(now.duration_since(at)).unwrap_or_default();
    MAX_YIELD.saturating_sub(age)
}

/// Whether a retry cannot help: the event is malformed, exists already, or is forbidden (a
/// namespace in deletion rejects new objects).
fn is_final(error: &kube::Error) -> bool {
    matches!(error, kube::Error::Api(status) if matches!(status.code, 400..=499) && status.code != 429)
}

fn event(draft: &Draft, namespace: &str, message: &str, controller: &str, instance: &str) -> Event {
    let nanoseconds = draft.at.as_nanosecond();
    let value: Value = json!({
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {
            "name": format!("{}.{nanoseconds:x}", draft.involved.name),
            "namespace": namespace,
            "annotations": draft.annotations,
        },
        "involvedObject": draft.involved,
        "type": draft.type_,
        "reason": draft.reason,
        "message": message,
        "source": { "component": controller },
        "reportingComponent": controller,
        "reportingInstance": instance,
        "firstTimestamp": Time::from(draft.at),
        "lastTimestamp": Time::from(draft.at),
        "count": 1,
    });
    serde_json::from_value(value).expect("the fields are those of an Event")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sluice_api::event::InvolvedObject;

    #[test]
    fn old_event_does_not_yield() {
        let second = |second| Timestamp::from_second(second).expect("a timestamp");
        for (now, left) in [(1_000, 30), (1_010, 20), (1_040, 0), (900, 30)] {
            assert_eq!(
                remaining_yield(second(1_000), second(now)),
                Duration::from_secs(left),
                "at {now}"
            );
        }
    }

    #[test]
    fn event_has_object_controller_and_time() {
        let draft = Draft {
            involved: InvolvedObject {
                kind: "Kustomization".into(),
                name: "apps".into(),
                ..InvolvedObject::default()
            },
            type_: "Warning",
            reason: "BuildFailed".into(),
            message: "it failed".into(),
            annotations: [(
                "kustomize.toolkit.fluxcd.io/revision".to_owned(),
                "main@sha1:1".to_owned(),
            )]
            .into(),
            at: "2024-05-01T10:00:00.5Z".parse().unwrap(),
        };
        let event = serde_json::to_value(event(
            &draft,
            "flux-system",
            "it failed",
            "kustomize-controller",
            "pod-0",
        ))
        .unwrap();
        assert_eq!(event["metadata"]["name"], "apps.17cb550db4bfa500");
        assert_eq!(event["firstTimestamp"], "2024-05-01T10:00:00Z");
        assert_eq!(event["source"]["component"], "kustomize-controller");
        assert_eq!(event["involvedObject"]["name"], "apps");
        assert_eq!(
            event["metadata"]["annotations"]["kustomize.toolkit.fluxcd.io/revision"],
            "main@sha1:1"
        );
    }
}
