//! Waits over broken watches still end.

use std::future::pending;

use serde_json::json;
use sluice_apply::{ApplyOutcome, WaitTarget};
use sluice_object::Object;
use sluice_testkit::{Fault, FaultProxy, When, wait};

use crate::wait::{set_status, source};
use crate::{Sandbox, within};

fn watch() -> When {
    When::any().verb("watch").resource("gitrepositories")
}

/// Waits until this many watches were opened in total.
async fn opened(proxy: &FaultProxy, count: usize) {
    wait::eventually(&format!("{count} watches were opened"), || async {
        let opened = watch().and(|call| call.status == Some(200));
        match proxy.count(&opened) {
            found if found >= count => Ok(()),
            found => Err(found.to_string()),
        }
    })
    .await;
}

/// A sandbox with an object to wait for.
async fn waiting(prefix: &str) -> (Sandbox, FaultProxy, Object, ApplyOutcome) {
    let (sandbox, proxy) = Sandbox::with_faults(prefix).await;
    let object = source(&sandbox, "a");
    let applied = sandbox.apply(vec![object.clone()]).await.expect("applied");
    (sandbox, proxy, object, applied)
}

#[tokio::test]
async fn watch_resumes_after_the_server_ends_it() {
    let (sandbox, proxy, object, applied) = waiting("cut").await;
    let wait = sandbox.applier.wait(applied.targets, within(60), pending());
    let disturb = async {
        for count in 1..4 {
            opened(&proxy, count).await;
            proxy.cut_watches();
        }
        opened(&proxy, 4).await;
        set_status(&sandbox, &object, "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, disturb);
    waited.expect("healthy");
}

#[tokio::test]
async fn watch_recovers_events_after_a_reset() {
    let (sandbox, proxy, object, applied) = waiting("reset").await;
    let wait = sandbox.applier.wait(applied.targets, within(60), pending());
    let disturb = async {
        opened(&proxy, 1).await;
        proxy.inject(watch().times(1), Fault::Reset);
        proxy.inject(watch().times(2), Fault::Drop);
        // The stream breaks before the event with the status.
        proxy.sever();
        set_status(&sandbox, &object, "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, disturb);
    waited.expect("healthy");
    assert!(proxy.count(&watch()) > 2, "{:?}", proxy.calls());
}

#[tokio::test]
async fn watch_recovers_events_after_a_dropped_version() {
    let (sandbox, proxy, object, applied) = waiting("expired").await;
    let wait = sandbox.applier.wait(applied.targets, within(60), pending());
    let disturb = async {
        opened(&proxy, 1).await;
        proxy.inject(watch().times(2), Fault::GONE);
        proxy.cut_watches();
        set_status(&sandbox, &object, "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, disturb);
    waited.expect("healthy");
}

#[tokio::test]
async fn failed_read_is_retried_despite_other_updates() {
    let (sandbox, proxy, object, _) = waiting("chatty").await;
    let applied = sandbox
        .apply(vec![object.clone(), sandbox.config_map("b", "1")])
        .await;
    let mut targets = applied.expect("applied").targets;
    targets.iter_mut().for_each(WaitTarget::discard_state);
    set_status(&sandbox, &object, "Reconciling", "0").await;
    let read = When::any().verb("get").resource("configmaps");
    proxy.inject(read.clone().times(1), Fault::INTERNAL_ERROR);
    let answered = read.and(|call| call.status == Some(200));
    let before = proxy.count(&answered);
    let wait = sandbox.applier.wait(targets, within(60), pending());
    let disturb = async {
        // More often than the interval of the retry.
        let mut news = 0;
        while proxy.count(&answered) == before {
            news += 1;
            set_status(&sandbox, &object, "Reconciling", &news.to_string()).await;
        }
        set_status(&sandbox, &object, "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, disturb);
    waited.expect("healthy");
}

#[tokio::test]
async fn wait_survives_a_busy_server() {
    let (sandbox, proxy, object, applied) = waiting("busy").await;
    let faults = [
        Fault::UNAVAILABLE,
        Fault::INTERNAL_ERROR,
        Fault::TOO_MANY_REQUESTS,
    ];
    for (index, fault) in faults.into_iter().enumerate() {
        proxy.inject(watch().nth(index + 1), fault);
    }
    let wait = sandbox.applier.wait(applied.targets, within(60), pending());
    let ready = set_status(&sandbox, &object, "Ready", "fine");
    let (waited, ()) = tokio::join!(wait, ready);
    waited.expect("healthy");
}

/// A deleted object with a finalizer.
async fn going(sandbox: &Sandbox) -> (Object, ApplyOutcome) {
    let held = sandbox.object(
        "source.toolkit.fluxcd.io/v1",
        "GitRepository",
        "held",
        &json!({"spec": {"interval": "1m", "url": "https://example.com/a.git"},
            "metadata": {"finalizers": ["example.com/hold"]}}),
    );
    let applied = sandbox.apply(vec![held.clone()]).await.expect("applied");
    sandbox
        .api(&held)
        .await
        .delete("held", &kube::api::DeleteParams::default())
        .await
        .expect("deleted");
    (held, applied)
}

async fn let_go(sandbox: &Sandbox, held: &Object) {
    let released = json!({"metadata": {"finalizers": null}});
    sandbox.change_as_other(held, &released).await;
}

#[tokio::test]
async fn deletion_without_an_event_is_detected() {
    let (sandbox, proxy, _, _) = waiting("deletion").await;
    let (held, applied) = going(&sandbox).await;
    let wait = sandbox.applier.wait_gone(applied.targets, within(60));
    let disturb = async {
        opened(&proxy, 1).await;
        proxy.inject(watch().times(2), Fault::GONE);
        proxy.sever();
        let_go(&sandbox, &held).await;
    };
    let (waited, ()) = tokio::join!(wait, disturb);
    waited.expect("gone");
}

#[tokio::test]
async fn deletion_before_a_restarted_watch_is_detected() {
    let (sandbox, proxy, _, _) = waiting("between").await;
    let (held, applied) = going(&sandbox).await;
    let wait = sandbox.applier.wait_gone(applied.targets, within(60));
    let disturb = async {
        opened(&proxy, 1).await;
        proxy.inject(watch().times(1), Fault::GONE);
        proxy.inject(watch().times(5), Fault::UNAVAILABLE);
        proxy.sever();
        wait::eventually("the watch is refused", || async {
            let refused = watch().and(|call| call.status == Some(503));
            match proxy.count(&refused) {
                found if found >= 2 => Ok(()),
                found => Err(found.to_string()),
            }
        })
        .await;
        let_go(&sandbox, &held).await;
    };
    let (waited, ()) = tokio::join!(wait, disturb);
    waited.expect("gone");
}

#[tokio::test]
async fn restarts_of_a_watch_back_off() {
    let (sandbox, proxy, _, applied) = waiting("forgetful").await;
    proxy.inject(watch(), Fault::GONE);
    let soon = sluice_apply::WaitOptions {
        timeout: std::time::Duration::from_secs(3),
        fail_fast: false,
    };
    let waited = sandbox.applier.wait(applied.targets, soon, pending()).await;
    waited.expect_err("it never became ready");
    // At the earliest after 0, 100, 300, 700, 1500 and 3100 ms.
    assert!(proxy.count(&watch()) <= 6, "{}", proxy.count(&watch()));
}
