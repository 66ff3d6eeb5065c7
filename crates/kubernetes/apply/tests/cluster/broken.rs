//! Waits over watches that break: whatever happens in between, the wait still ends.

use std::future::pending;

use serde_json::json;
use sluice_apply::{ApplyOutcome, WaitTarget};
use sluice_object::Object;
use sluice_testkit::{Fault, FaultProxy, When, wait};

use crate::wait::{set_status, source};
use crate::{Corner, within};

fn watch() -> When {
    When::any().verb("watch").resource("gitrepositories")
}

/// Waits until this many watches have been opened in all.
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

/// A corner in which the health of one object is waited for.
async fn waiting(prefix: &str) -> (Corner, FaultProxy, Object, ApplyOutcome) {
    let (corner, proxy) = Corner::spoiled(prefix).await;
    let object = source(&corner, "a");
    let applied = corner.apply(vec![object.clone()]).await.expect("applied");
    (corner, proxy, object, applied)
}

#[tokio::test]
async fn a_watch_that_the_server_ends_goes_on_where_it_was() {
    let (corner, proxy, object, applied) = waiting("cut").await;
    let wait = corner.applier.wait(applied.targets, within(60), pending());
    let disturb = async {
        for count in 1..4 {
            opened(&proxy, count).await;
            proxy.cut_watches();
        }
        opened(&proxy, 4).await;
        set_status(&corner, &object, "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, disturb);
    waited.expect("healthy");
}

#[tokio::test]
async fn what_happens_while_a_watch_is_reset_and_dropped_is_heard_afterwards() {
    let (corner, proxy, object, applied) = waiting("reset").await;
    let wait = corner.applier.wait(applied.targets, within(60), pending());
    let disturb = async {
        opened(&proxy, 1).await;
        proxy.inject(watch().times(1), Fault::Reset);
        proxy.inject(watch().times(2), Fault::Drop);
        // In the middle of the stream; nobody hears of the status.
        proxy.sever();
        set_status(&corner, &object, "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, disturb);
    waited.expect("healthy");
    assert!(proxy.count(&watch()) > 2, "{:?}", proxy.calls());
}

#[tokio::test]
async fn what_happens_while_the_server_forgets_the_version_is_read() {
    let (corner, proxy, object, applied) = waiting("expired").await;
    let wait = corner.applier.wait(applied.targets, within(60), pending());
    let disturb = async {
        opened(&proxy, 1).await;
        proxy.inject(watch().times(2), Fault::GONE);
        proxy.cut_watches();
        set_status(&corner, &object, "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, disturb);
    waited.expect("healthy");
}

#[tokio::test]
async fn what_could_not_be_read_is_read_again_however_much_is_told_of_others() {
    let (corner, proxy, object, _) = waiting("chatty").await;
    let applied = corner
        .apply(vec![object.clone(), corner.config_map("b", "1")])
        .await;
    let mut targets = applied.expect("applied").targets;
    targets.iter_mut().for_each(WaitTarget::forget);
    set_status(&corner, &object, "Reconciling", "0").await;
    let read = When::any().verb("get").resource("configmaps");
    proxy.inject(read.clone().times(1), Fault::INTERNAL_ERROR);
    let answered = read.and(|call| call.status == Some(200));
    let before = proxy.count(&answered);
    let wait = corner.applier.wait(targets, within(60), pending());
    let disturb = async {
        // More often than what could not be read is read again.
        let mut news = 0;
        while proxy.count(&answered) == before {
            news += 1;
            set_status(&corner, &object, "Reconciling", &news.to_string()).await;
        }
        set_status(&corner, &object, "Ready", "fine").await;
    };
    let (waited, ()) = tokio::join!(wait, disturb);
    waited.expect("healthy");
}

#[tokio::test]
async fn a_server_that_is_busy_or_broken_for_a_while_is_waited_for() {
    let (corner, proxy, object, applied) = waiting("busy").await;
    let faults = [
        Fault::UNAVAILABLE,
        Fault::INTERNAL_ERROR,
        Fault::TOO_MANY_REQUESTS,
    ];
    for (index, fault) in faults.into_iter().enumerate() {
        proxy.inject(watch().nth(index + 1), fault);
    }
    let wait = corner.applier.wait(applied.targets, within(60), pending());
    let ready = set_status(&corner, &object, "Ready", "fine");
    let (waited, ()) = tokio::join!(wait, ready);
    waited.expect("healthy");
}

/// An object that was deleted and is held by a finalizer only.
async fn going(corner: &Corner) -> (Object, ApplyOutcome) {
    let held = corner.object(
        "source.toolkit.fluxcd.io/v1",
        "GitRepository",
        "held",
        &json!({"spec": {"interval": "1m", "url": "https://example.com/a.git"},
            "metadata": {"finalizers": ["example.com/hold"]}}),
    );
    let applied = corner.apply(vec![held.clone()]).await.expect("applied");
    corner
        .api(&held)
        .await
        .delete("held", &kube::api::DeleteParams::default())
        .await
        .expect("deleted");
    (held, applied)
}

async fn let_go(corner: &Corner, held: &Object) {
    let released = json!({"metadata": {"finalizers": null}});
    corner.meddle(held, &released).await;
}

#[tokio::test]
async fn a_deletion_that_no_watch_told_of_is_noticed() {
    let (corner, proxy, _, _) = waiting("deletion").await;
    let (held, applied) = going(&corner).await;
    let wait = corner.applier.wait_gone(applied.targets, within(60));
    let disturb = async {
        opened(&proxy, 1).await;
        proxy.inject(watch().times(2), Fault::GONE);
        proxy.sever();
        let_go(&corner, &held).await;
    };
    let (waited, ()) = tokio::join!(wait, disturb);
    waited.expect("gone");
}

#[tokio::test]
async fn a_deletion_before_a_watch_that_starts_over_is_open_is_noticed() {
    let (corner, proxy, _, _) = waiting("between").await;
    let (held, applied) = going(&corner).await;
    let wait = corner.applier.wait_gone(applied.targets, within(60));
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
        let_go(&corner, &held).await;
    };
    let (waited, ()) = tokio::join!(wait, disturb);
    waited.expect("gone");
}

#[tokio::test]
async fn a_server_that_forgets_every_version_is_asked_ever_more_rarely() {
    let (corner, proxy, _, applied) = waiting("forgetful").await;
    proxy.inject(watch(), Fault::GONE);
    let soon = sluice_apply::WaitOptions {
        timeout: std::time::Duration::from_secs(3),
        fail_fast: false,
    };
    let waited = corner.applier.wait(applied.targets, soon, pending()).await;
    waited.expect_err("it never became ready");
    // After 0, 100, 300, 700, 1500 and 3100 ms at the soonest.
    assert!(proxy.count(&watch()) <= 6, "{}", proxy.count(&watch()));
}
