//! Events to the notification controller: a POST each, five seconds of patience,
//! repeated after connection errors and server faults. `429` says that it knows the
//! event already, and is an answer like success.

use std::sync::Arc;
use std::time::Duration;

use reqwest::StatusCode;
use sluice_api::event::Event;
use sluice_dial::retry::{Attempt, is_transient, is_transient_failure, retry_after};
use sluice_dial::{Dial, Retry, explain};
use url::Url;

use super::Outbox;
use crate::host::Host;

const PATIENCE: Duration = Duration::from_secs(5);

/// Sends what comes until the host shuts down and nothing is left.
pub(super) async fn send(host: Host, outbox: Arc<Outbox<Event>>, address: Url) {
    let client = match host.http().get(&Dial::default()) {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(error = %error, "no events will be sent");
            return;
        }
    };
    let stop = host.flush();
    while let Some(event) = outbox.take(stop).await {
        // While we stop, one attempt each: nobody waits for a receiver that is gone.
        let retry = if stop.is_cancelled() {
            Retry::NEVER
        } else {
            Retry::EVENT
        };
        let sent = tokio::select! {
            sent = retry.run(|_| post(&client, &address, &event)) => sent,
            () = after_stop(stop) => Err("the process stops".to_owned()),
        };
        if let Err(reason) = sent {
            outbox.lost();
            tracing::error!(
                error = %reason,
                object = %format!("{}/{}/{}", event.involved_object.kind, event.involved_object.namespace, event.involved_object.name),
                "unable to record event"
            );
        }
    }
}

async fn after_stop(stop: &tokio_util::sync::CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(PATIENCE).await;
}

async fn post(client: &reqwest::Client, address: &Url, event: &Event) -> Attempt<(), String> {
    let answer = client
        .post(address.clone())
        .timeout(PATIENCE)
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
    fn a_duplicate_is_no_failure_and_a_fault_is_tried_again() {
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
