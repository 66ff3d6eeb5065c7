//! The caller runs the waits of an apply, so that they hold no worker permit.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::BoxFuture;
use serde_json::json;
use sluice_apply::{Inventory, WaitRunner};
use sluice_testkit::{Fault, When, wait};

use crate::{Sandbox, actions, definition};

/// Counts waits: running, maximum in parallel, and total.
#[derive(Debug, Default)]
struct CountingRunner {
    now: AtomicUsize,
    most: AtomicUsize,
    all: AtomicUsize,
}

impl WaitRunner for CountingRunner {
    fn run_wait<'a>(&'a self, wait: BoxFuture<'a, ()>) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(now, Ordering::SeqCst);
            self.all.fetch_add(1, Ordering::SeqCst);
            wait.await;
            self.now.fetch_sub(1, Ordering::SeqCst);
        })
    }
}

#[tokio::test]
async fn removals_before_recreation_are_one_wait() {
    let sandbox = Sandbox::new("recreate").await;
    let fixed = |name: &str, value: &str| {
        sandbox.object(
            "v1",
            "ConfigMap",
            name,
            &json!({"immutable": true, "data": {"key": value},
                "metadata": {"finalizers": ["example.com/hold"]}}),
        )
    };
    let set = |value: &str| {
        vec![
            fixed("a", value),
            fixed("b", value),
            sandbox.config_map("c", value),
        ]
    };
    let applied = sandbox.apply(set("1")).await.expect("applied");
    let known = Inventory::of(&applied.changes);
    let spent = CountingRunner::default();
    let applying = sandbox.apply_with_runner(set("2"), &known, true, Some(&spent));
    let releasing = async {
        wait::eventually("the wait for both is lent", || async {
            match spent.now.load(Ordering::SeqCst) {
                1 => Ok(()),
                other => Err(other.to_string()),
            }
        })
        .await;
        for name in ["a", "b"] {
            let held = fixed(name, "1");
            sandbox
                .change_as_other(&held, &json!({"metadata": {"finalizers": null}}))
                .await;
        }
    };
    let (applied, ()) = tokio::join!(applying, releasing);
    assert_eq!(
        actions(&applied.expect("applied")),
        [
            "ConfigMap configured",
            "ConfigMap created",
            "ConfigMap created"
        ]
    );
    let count = |number: &AtomicUsize| number.load(Ordering::SeqCst);
    assert_eq!((count(&spent.all), count(&spent.most)), (1, 1));
    for name in ["a", "b"] {
        let live = sandbox.live(&fixed(name, "")).await.expect("recreated");
        assert_eq!(live.str_at(&["data", "key"]), Some("2"));
    }
}

#[tokio::test]
async fn waits_for_a_new_kind_use_the_runner() {
    let (sandbox, proxy) = Sandbox::with_faults("late").await;
    let group = format!("{}.example.com", sandbox.bed.name("g"));
    let widget = |name: &str| sandbox.object(&format!("{group}/v1"), "Widget", name, &json!({}));
    let unserved = Fault::Answer {
        status: 404,
        retry_after: None,
    };
    proxy.inject(When::any().resource("widgets").times(8), unserved);
    let spent = CountingRunner::default();
    let set = vec![
        widget("a"),
        widget("b"),
        widget("c"),
        definition(&group, &["v1"]),
    ];
    let applied = sandbox
        .apply_with_runner(set, &Inventory::default(), false, Some(&spent))
        .await
        .expect("applied");
    assert_eq!(
        actions(&applied),
        [
            "CustomResourceDefinition created",
            "Widget created",
            "Widget created",
            "Widget created"
        ]
    );
    // One wait for the established definition, and one for all objects of the new kind. A third one
    // when the server reports the definition as established before discovery lists it.
    let all = spent.all.load(Ordering::SeqCst);
    assert!((2..=3).contains(&all), "{all}");
    assert_eq!(spent.most.load(Ordering::SeqCst), 1);
}
