//! Waits in the middle of an apply are spent as the caller says, so that they hold no worker.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::BoxFuture;
use serde_json::json;
use sluice_apply::{Inventory, WaitRunner};
use sluice_testkit::{Fault, When, wait};

use crate::{Corner, actions, definition};

/// Counts waits: those under way, the most at once, and all.
#[derive(Debug, Default)]
struct Spent {
    now: AtomicUsize,
    most: AtomicUsize,
    all: AtomicUsize,
}

impl WaitRunner for Spent {
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
async fn the_removal_of_what_is_recreated_is_one_wait_that_is_lent() {
    let corner = Corner::new("recreate").await;
    let fixed = |name: &str, value: &str| {
        corner.object(
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
            corner.config_map("c", value),
        ]
    };
    let applied = corner.apply(set("1")).await.expect("applied");
    let known = Inventory::of(&applied.changes);
    let spent = Spent::default();
    let applying = corner.apply_lending(set("2"), &known, true, Some(&spent));
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
            corner
                .meddle(&held, &json!({"metadata": {"finalizers": null}}))
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
        let live = corner.live(&fixed(name, "")).await.expect("made anew");
        assert_eq!(live.str_at(&["data", "key"]), Some("2"));
    }
}

#[tokio::test]
async fn the_moment_that_a_new_kind_takes_to_be_served_is_lent() {
    let (corner, proxy) = Corner::spoiled("late").await;
    let group = format!("{}.example.com", corner.bed.name("g"));
    let widget = |name: &str| corner.object(&format!("{group}/v1"), "Widget", name, &json!({}));
    let unserved = Fault::Answer {
        status: 404,
        retry_after: None,
    };
    proxy.inject(When::any().resource("widgets").times(8), unserved);
    let spent = Spent::default();
    let set = vec![
        widget("a"),
        widget("b"),
        widget("c"),
        definition(&group, &["v1"]),
    ];
    let applied = corner
        .apply_lending(set, &Inventory::default(), false, Some(&spent))
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
    // One for the definition to be established, one for all objects of the new kind; between them
    // one more where the server says of the definition that it is established before it names it.
    let all = spent.all.load(Ordering::SeqCst);
    assert!((2..=3).contains(&all), "{all}");
    assert_eq!(spent.most.load(Ordering::SeqCst), 1);
}
