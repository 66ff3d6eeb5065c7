//! Sends events to the notification controller: one POST per event, with a timeout of five seconds,
//! retried after connection errors and server faults. `429` means that the event is known already,
//! and counts as success.

use std::sync::Arc;
use std::time::Duration;

use sluice_api::event::Event;
use sluice_dial::retry::{Attempt, is_transient, is_transient_failure, retry_after};
use sluice_dial::{Retry, StatusCode, explain};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{Outbox, Receiver};

const TIMEOUT: Duration = Duration::from_secs(5);

/// Sends events until `stop` is cancelled and none is left.
pub(super) async fn send(receiver: Receiver, outbox: Arc<Outbox<Event>>, stop: CancellationToken) {
    let Receiver { client, address } = receiver;
    while let Some(event) = outbox.take(&stop).await {
        // One attempt each during shutdown: the receiver may be gone.
        let retry = if stop.is_cancelled() {
            Retry::NEVER
        } else {
            Retry::EVENT
        };
        let sent = tokio::select! {
            sent = retry.run(|_| post(&client, &address, &event)) => sent,
            () = after_stop(&stop) => Err("the process stops".to_owned()),
        };
        if let Err(reason) = sent {
            outbox.count_lost();
            tracing::error!(
                error = %reason,
                object = %format!("{}/{}/{}", event.involved_object.kind, event.involved_object.namespace, event.involved_object.name),
                "unable to record event"
            );
        }
    }
}

async fn after_stop(stop: &CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(TIMEOUT).await;
}

async fn post(client: &sluice_dial::Client, address: &Url, event: &Event) -> Attempt<(), String> {
    let answer = client
        .post(address.clone())
        .timeout(TIMEOUT)
        .json(event)
        .send()
        .await;
    match answer {
        Ok(answer) => judge(answer.status(), retry_after(answer.headers())),
        Err(error) if is_transient_failure(&error) => Attempt::Again {
            error: explain(&error),
            after: None,
        },
        Err(error) => Attempt::Failed(explain(&error)),
    }
}

fn judge(status: StatusCode, after: Option<Duration>) -> Attempt<(), String> {
    match status {
        status if status.is_success() || status == StatusCode::TOO_MANY_REQUESTS => {
            Attempt::Done(())
        }
        status if is_transient(status) => Attempt::Again {
            error: format!("answered {status}"),
            after,
        },
        status => Attempt::Failed(format!("answered {status}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicate_succeeds_and_fault_is_retried() {
        assert!(matches!(
            judge(StatusCode::ACCEPTED, None),
            Attempt::Done(())
        ));
        assert!(matches!(
            judge(StatusCode::TOO_MANY_REQUESTS, None),
            Attempt::Done(())
        ));
        assert!(matches!(
            judge(StatusCode::BAD_GATEWAY, None),
            Attempt::Again { .. }
        ));
        assert!(matches!(
            judge(StatusCode::BAD_REQUEST, None),
            Attempt::Failed(_)
        ));
    }
}
