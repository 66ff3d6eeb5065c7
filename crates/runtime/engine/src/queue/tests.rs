//! Claims about the queue, without a clock.

use proptest::prelude::*;

use super::*;
use crate::cause::Origin;

fn limits(permits: usize) -> Limits {
    Limits {
        permits,
        min_retry_delay: Duration::from_millis(750),
        max_retry_delay: Duration::from_mins(15),
    }
}

fn key(text: &str) -> ObjectKey {
    let (namespace, name) = text.split_once('/').unwrap();
    ObjectKey::new(namespace, name)
}

fn at(seconds: u64) -> Moment {
    Duration::from_secs(seconds)
}

/// Starts all ready objects, ends each at once, and returns their order.
fn drain(queue: &mut Queue, now: Moment) -> Vec<String> {
    let mut order = Vec::new();
    while let Some(grant) = queue.next(now) {
        let (Grant::Start { key, .. } | Grant::Resume { key }) = grant;
        queue.finish_run(&key, Next::Never, now);
        order.push(key.to_string());
    }
    order
}

fn start(queue: &mut Queue, now: Moment) -> Option<String> {
    match queue.next(now)? {
        Grant::Start { key, .. } => Some(key.to_string()),
        Grant::Resume { key } => panic!("{key} is resumed, not started"),
    }
}

#[test]
fn namespaces_alternate() {
    let mut queue = Queue::new(limits(1));
    for name in ["a/1", "a/2", "a/3", "b/1", "c/1", "b/2"] {
        queue.add(&key(name), Cause::Listed, at(0));
    }
    assert_eq!(
        drain(&mut queue, at(0)),
        ["a/1", "b/1", "c/1", "a/2", "b/2", "a/3"]
    );
}

#[test]
fn busy_namespace_delays_others_by_one_object() {
    let mut queue = Queue::new(limits(1));
    for number in 0..1000 {
        queue.add(&key(&format!("flood/{number}")), Cause::Edited, at(0));
    }
    let first = start(&mut queue, at(0)).unwrap();
    queue.add(&key("quiet/only"), Cause::Listed, at(1));
    queue.finish_run(&key(&first), Next::Never, at(1));
    let order: Vec<_> = drain(&mut queue, at(1)).into_iter().take(2).collect();
    assert!(order.contains(&"quiet/only".to_owned()), "{order:?}");
}

#[test]
fn object_enqueued_twice_runs_once() {
    let mut queue = Queue::new(limits(4));
    assert_eq!(
        queue.add(&key("a/1"), Cause::Listed, at(0)),
        AddEffect::Queued
    );
    assert_eq!(
        queue.add(&key("a/1"), Cause::Edited, at(0)),
        AddEffect::Merged
    );
    assert_eq!(queue.depth(), 1);
    assert_eq!(drain(&mut queue, at(0)), ["a/1"]);
}

#[test]
fn object_has_one_run_at_a_time() {
    let mut queue = Queue::new(limits(4));
    queue.add(&key("a/1"), Cause::Listed, at(0));
    assert_eq!(start(&mut queue, at(0)).as_deref(), Some("a/1"));
    assert_eq!(
        queue.add(&key("a/1"), Cause::Edited, at(0)),
        AddEffect::Superseded
    );
    assert_eq!(queue.next(at(0)), None);
    queue.finish_run(&key("a/1"), Next::Interval(at(60)), at(1));
    assert_eq!(start(&mut queue, at(1)).as_deref(), Some("a/1"));
}

#[test]
fn event_cause_replaces_timer_cause() {
    let origin = Cause::Related(Origin {
        kind: "GitRepository".into(),
        key: key("a/source"),
    });
    let mut queue = Queue::new(limits(1));
    queue.add(&key("a/1"), origin.clone(), at(0));
    queue.add(&key("a/1"), Cause::Interval, at(1));
    let grant = queue.next(at(5));
    assert_eq!(
        grant,
        Some(Grant::Start {
            key: key("a/1"),
            cause: origin,
            waited: at(5)
        })
    );
}

#[test]
fn request_overtakes_routine_objects() {
    let mut queue = Queue::new(limits(1));
    for name in ["a/1", "a/2", "a/3"] {
        queue.add(&key(name), Cause::Listed, at(0));
    }
    queue.add(&key("a/3"), Cause::Requested, at(0));
    queue.add(&key("a/new"), Cause::Created, at(0));
    assert_eq!(drain(&mut queue, at(0)), ["a/3", "a/new", "a/1", "a/2"]);
}

#[test]
fn prompt_objects_do_not_starve_routine_ones() {
    let mut queue = Queue::new(limits(1));
    queue.add(&key("a/routine"), Cause::Interval, at(0));
    for number in 0..20 {
        queue.add(&key(&format!("a/{number}")), Cause::Edited, at(0));
    }
    let place = drain(&mut queue, at(0))
        .iter()
        .position(|name| name == "a/routine");
    assert_eq!(place, Some(usize::from(MAX_PROMPT_IN_ROW)));
}

#[test]
fn released_permit_goes_to_another_object() {
    let mut queue = Queue::new(limits(1));
    queue.add(&key("a/endless"), Cause::Listed, at(0));
    assert!(start(&mut queue, at(0)).is_some());
    queue.add(&key("a/other"), Cause::Listed, at(0));
    assert_eq!(queue.next(at(0)), None);

    queue.release(&key("a/endless"));
    assert_eq!((queue.working_count(), queue.waiting_count()), (0, 1));
    assert_eq!(drain(&mut queue, at(0)), ["a/other"]);
}

#[test]
fn reclaimed_permit_precedes_new_runs() {
    let mut queue = Queue::new(limits(1));
    queue.add(&key("a/waiter"), Cause::Listed, at(0));
    assert!(start(&mut queue, at(0)).is_some());
    queue.release(&key("a/waiter"));
    queue.add(&key("a/1"), Cause::Edited, at(0));
    queue.add(&key("a/2"), Cause::Edited, at(0));
    assert_eq!(start(&mut queue, at(0)).as_deref(), Some("a/1"));
    queue.reclaim(&key("a/waiter"));
    assert_eq!(queue.next(at(0)), None, "there is one permit");
    queue.finish_run(&key("a/1"), Next::Never, at(0));
    assert_eq!(
        queue.next(at(0)),
        Some(Grant::Resume {
            key: key("a/waiter")
        })
    );
}

#[test]
fn reclaimed_permits_do_not_starve_namespaces() {
    let mut queue = Queue::new(limits(1));
    for number in 0..10 {
        let waiter = key(&format!("flood/{number}"));
        queue.add(&waiter, Cause::Listed, at(0));
        assert!(start(&mut queue, at(0)).is_some());
        queue.release(&waiter);
    }
    for number in 0..10 {
        queue.reclaim(&key(&format!("flood/{number}")));
    }
    queue.add(&key("quiet/only"), Cause::Listed, at(0));
    let order = drain(&mut queue, at(0));
    assert_eq!(order.iter().position(|name| name == "quiet/only"), Some(1));
}

#[test]
fn namespace_cannot_occupy_all_workers() {
    let mut queue = Queue::new(limits(2));
    for number in 0..4 {
        queue.add(&key(&format!("flood/{number}")), Cause::Listed, at(0));
    }
    assert!(start(&mut queue, at(0)).is_some());
    assert!(start(&mut queue, at(0)).is_some());
    assert_eq!(start(&mut queue, at(0)), None);
    queue.add(&key("quiet/1"), Cause::Listed, at(1));
    queue.add(&key("quiet/2"), Cause::Listed, at(1));
    queue.add(&key("other/1"), Cause::Listed, at(1));
    assert_eq!(start(&mut queue, at(1)).as_deref(), Some("quiet/1"));
    assert_eq!(start(&mut queue, at(1)), None, "the reserve is one permit");
    queue.finish_run(&key("quiet/1"), Next::Never, at(2));
    assert_eq!(start(&mut queue, at(2)).as_deref(), Some("other/1"));
    queue.finish_run(&key("other/1"), Next::Never, at(3));
    queue.finish_run(&key("flood/0"), Next::Never, at(3));
    queue.finish_run(&key("flood/1"), Next::Never, at(3));
    assert!(queue.working_in.is_empty());
    assert_eq!(drain(&mut queue, at(3)).len(), 3);
}

#[test]
fn run_ends_in_every_permit_state() {
    let mut queue = Queue::new(limits(1));
    for stage in 0..3 {
        queue.add(&key("a/1"), Cause::Listed, at(0));
        assert!(start(&mut queue, at(0)).is_some(), "stage {stage}");
        if stage > 0 {
            queue.release(&key("a/1"));
        }
        if stage > 1 {
            queue.reclaim(&key("a/1"));
        }
        queue.finish_run(&key("a/1"), Next::Never, at(0));
        assert_eq!((queue.working_count(), queue.waiting_count()), (0, 0));
        assert_eq!(queue.next(at(0)), None);
    }
}

#[test]
fn next_run_is_due_after_its_delay() {
    let mut queue = Queue::new(limits(1));
    queue.add(&key("a/1"), Cause::Listed, at(0));
    assert!(start(&mut queue, at(0)).is_some());
    queue.finish_run(&key("a/1"), Next::Interval(at(60)), at(10));
    assert_eq!(queue.due(), Some(at(70)));
    assert_eq!(queue.next(at(69)), None);
    let grant = queue.next(at(70));
    assert_eq!(
        grant,
        Some(Grant::Start {
            key: key("a/1"),
            cause: Cause::Interval,
            waited: at(0)
        })
    );
}

#[test]
fn early_run_replaces_the_timer() {
    let mut queue = Queue::new(limits(1));
    queue.add(&key("a/1"), Cause::Listed, at(0));
    assert!(start(&mut queue, at(0)).is_some());
    queue.finish_run(&key("a/1"), Next::Interval(at(60)), at(0));
    queue.add(&key("a/1"), Cause::Edited, at(30));
    assert!(start(&mut queue, at(30)).is_some());
    queue.finish_run(&key("a/1"), Next::Never, at(31));
    assert_eq!(queue.due(), None);
    assert_eq!(queue.next(at(1000)), None);
}

#[test]
fn failures_double_the_delay_until_a_success() {
    let mut queue = Queue::new(limits(1));
    let mut delays = Vec::new();
    let mut now = at(0);
    queue.add(&key("a/1"), Cause::Listed, now);
    for _ in 0..13 {
        assert!(start(&mut queue, now).is_some());
        delays.push(queue.finish_run(&key("a/1"), Next::Backoff, now).unwrap());
        now = queue.due().unwrap();
    }
    assert_eq!(delays[..3], [750, 1500, 3000].map(Duration::from_millis));
    assert_eq!(delays[10], Duration::from_secs(768));
    assert_eq!(delays[11..], [Duration::from_mins(15); 2]);

    assert!(start(&mut queue, now).is_some());
    queue.finish_run(&key("a/1"), Next::After(at(1)), now);
    now = queue.due().unwrap();
    assert!(start(&mut queue, now).is_some());
    assert_eq!(
        queue.finish_run(&key("a/1"), Next::Backoff, now),
        Some(Duration::from_millis(750))
    );
}

#[test]
fn repeated_immediate_reruns_are_delayed() {
    let mut queue = Queue::new(limits(1));
    queue.add(&key("a/1"), Cause::Listed, at(0));
    let delays: Vec<_> = (0..6)
        .map(|_| {
            assert!(start(&mut queue, at(0)).is_some());
            queue.finish_run(&key("a/1"), Next::Now, at(0)).unwrap()
        })
        .collect();
    assert_eq!(delays[..5], [Duration::ZERO; 5]);
    assert_eq!(delays[5], Duration::from_millis(750));
}

#[test]
fn superseded_failure_reruns_at_once_and_counts() {
    let mut queue = Queue::new(limits(1));
    queue.add(&key("a/1"), Cause::Listed, at(0));
    assert!(start(&mut queue, at(0)).is_some());
    queue.add(&key("a/1"), Cause::Edited, at(0));
    queue.finish_run(&key("a/1"), Next::Backoff, at(0));
    assert!(start(&mut queue, at(0)).is_some());
    assert_eq!(
        queue.finish_run(&key("a/1"), Next::Backoff, at(0)),
        Some(Duration::from_millis(1500))
    );
}

#[test]
fn forgotten_object_leaves_no_state() {
    let mut queue = Queue::new(limits(1));
    for (name, next) in [
        ("a/asleep", Next::Interval(at(60))),
        ("a/failing", Next::Backoff),
    ] {
        queue.add(&key(name), Cause::Listed, at(0));
        assert!(start(&mut queue, at(0)).is_some());
        queue.finish_run(&key(name), next, at(0));
    }
    queue.add(&key("a/queued"), Cause::Listed, at(0));
    for name in ["a/asleep", "a/failing", "a/queued"] {
        queue.forget(&key(name));
    }
    assert_eq!(queue.next(at(1000)), None);
    assert!(queue.items.is_empty() && queue.timers.is_empty() && queue.namespaces.is_empty());
    assert_eq!(queue.depth(), 0);
}

#[test]
fn object_recreated_during_its_run_runs_again() {
    let mut queue = Queue::new(limits(1));
    queue.add(&key("a/1"), Cause::Listed, at(0));
    assert!(start(&mut queue, at(0)).is_some());
    queue.forget(&key("a/1"));
    queue.add(&key("a/1"), Cause::Created, at(0));
    queue.finish_run(&key("a/1"), Next::Never, at(0));
    assert_eq!(drain(&mut queue, at(0)), ["a/1"]);
}

#[derive(Debug, Clone)]
enum Step {
    Add(u8, bool),
    Next,
    Release(u8),
    Reclaim(u8),
    Done(u8, u8),
    Forget(u8),
    Pass(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..12_u8, any::<bool>()).prop_map(|(object, prompt)| Step::Add(object, prompt)),
        4 => Just(Step::Next),
        1 => (0..12_u8).prop_map(Step::Release),
        1 => (0..12_u8).prop_map(Step::Reclaim),
        2 => (0..12_u8, 0..5_u8).prop_map(|(object, next)| Step::Done(object, next)),
        1 => (0..12_u8).prop_map(Step::Forget),
        1 => (0..20_u8).prop_map(Step::Pass),
    ];
    proptest::collection::vec(step, 0..300)
}

fn numbered(object: u8) -> ObjectKey {
    ObjectKey::new(&format!("ns-{}", object % 3), &object.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_sequence_keeps_permits_and_serves_all(steps in steps()) {
        let mut queue = Queue::new(limits(3));
        let mut now = at(0);
        let mut running: HashMap<ObjectKey, bool> = HashMap::new();
        for step in steps {
            match step {
                Step::Add(object, prompt) => {
                    let cause = if prompt { Cause::Edited } else { Cause::Listed };
                    queue.add(&numbered(object), cause, now);
                }
                Step::Next => match queue.next(now) {
                    Some(Grant::Start { key, .. }) => {
                        prop_assert!(running.insert(key, true).is_none(), "one run per object");
                    }
                    Some(Grant::Resume { key }) => {
                        prop_assert_eq!(running.insert(key, true), Some(false));
                    }
                    None => {}
                },
                Step::Release(object) => {
                    queue.release(&numbered(object));
                    if let Some(holds) = running.get_mut(&numbered(object)) {
                        *holds = false;
                    }
                }
                Step::Reclaim(object) => queue.reclaim(&numbered(object)),
                Step::Done(object, next) => {
                    let next = [Next::Never, Next::Now, Next::Backoff, Next::After(at(3)), Next::Interval(at(9))][usize::from(next)];
                    queue.finish_run(&numbered(object), next, now);
                    running.remove(&numbered(object));
                }
                Step::Forget(object) => queue.forget(&numbered(object)),
                Step::Pass(seconds) => now += at(u64::from(seconds)),
            }
            prop_assert!(queue.working_count() <= 3 + RESERVED_PERMITS);
            prop_assert_eq!(queue.working_count(), running.values().filter(|holds| **holds).count());
            prop_assert_eq!(queue.waiting_count(), running.values().filter(|holds| !**holds).count());
        }
        // When all runs have ended, every queued object starts.
        for key in running.keys() {
            queue.finish_run(key, Next::Never, now);
        }
        let queued = queue.depth();
        let started = drain(&mut queue, now).len();
        prop_assert!(started >= queued);
        prop_assert_eq!((queue.depth(), queue.working_count(), queue.waiting_count()), (0, 0, 0));
        prop_assert!(queue.namespaces.is_empty() && queue.ring.is_empty());
    }
}
