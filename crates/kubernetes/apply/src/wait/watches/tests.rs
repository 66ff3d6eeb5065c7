//! The state of a watch, without a server.

use sluice_object::status::Status;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;

fn observed(version: u64, status: Status) -> ObservedState {
    ObservedState {
        health: Health::new(status, ""),
        ..ObservedState::absent(Version(version))
    }
}

fn known(names: &[(&str, u64)]) -> Vec<(Box<str>, ObservedState)> {
    names
        .iter()
        .map(|(name, version)| (Box::from(*name), observed(*version, Status::InProgress)))
        .collect()
}

fn complete_since(version: u64) -> State {
    State {
        complete_since: Some(Version(version)),
        ..State::default()
    }
}

fn received(receiver: &mut UnboundedReceiver<Box<Update>>) -> Vec<(String, Status)> {
    std::iter::from_fn(|| receiver.try_recv().ok())
        .map(|update| (update.name.to_string(), update.state.health.status))
        .collect()
}

use Status::{Current, InProgress, NotFound};

#[test]
fn subscriber_only_receives_its_objects() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = complete_since(5);
    let (_, outdated) = state.join(Some(known(&[("a", 5)])), 7, &sender);
    assert!(outdated.is_empty());
    state.update("a", observed(6, Current));
    state.update("b", observed(7, Current));
    assert_eq!(received(&mut receiver), [("a".to_owned(), Current)]);
}

#[test]
fn later_subscriber_receives_newer_states() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = complete_since(5);
    state.update("a", observed(9, Current));
    let (_, outdated) = state.join(Some(known(&[("a", 6)])), 0, &sender);
    assert!(outdated.is_empty());
    assert_eq!(received(&mut receiver), [("a".to_owned(), Current)]);
}

#[test]
fn known_state_is_not_sent_again() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = complete_since(5);
    state.update("a", observed(6, Current));
    let (_, outdated) = state.join(Some(known(&[("a", 8)])), 0, &sender);
    assert!(outdated.is_empty());
    state.update("a", observed(7, NotFound));
    assert_eq!(received(&mut receiver), [("a".to_owned(), NotFound)]);
}

#[test]
fn older_state_does_not_replace_a_newer_one() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = complete_since(5);
    state.join(Some(known(&[("a", 5)])), 0, &sender);
    state.update("a", observed(9, Current));
    state.update("a", observed(8, InProgress));
    state.update_absent("a");
    assert_eq!(received(&mut receiver), [("a".to_owned(), Current)]);
}

#[test]
fn objects_with_missed_events_are_read() {
    let (sender, _receiver) = unbounded_channel();
    for (mut state, version, is_outdated) in [
        (complete_since(5), 5, false),
        (complete_since(5), 9, false),
        (complete_since(5), 4, true),
        (State::default(), 9, true),
    ] {
        let (_, outdated) = state.join(Some(known(&[("a", version)])), 0, &sender);
        assert_eq!(!outdated.is_empty(), is_outdated, "{version}");
    }
}

#[test]
fn object_that_a_read_does_not_find_is_gone() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = State::default();
    state.join(Some(known(&[("a", 5)])), 0, &sender);
    state.update_absent("a");
    assert_eq!(received(&mut receiver), [("a".to_owned(), NotFound)]);
}

#[test]
fn subscriber_that_left_receives_nothing() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = complete_since(5);
    let (number, _) = state.join(Some(known(&[("a", 5), ("b", 5)])), 0, &sender);
    let (all, _) = state.join(None, 1, &sender);
    state.leave(number);
    state.leave(all);
    state.update("a", observed(6, Current));
    assert_eq!(received(&mut receiver), []);
    assert!(state.by_name.is_empty() && state.of_all.is_empty());
}

#[test]
fn subscriber_of_all_objects_receives_known_states() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = State::default();
    state.update("a", observed(6, InProgress));
    state.join(None, 0, &sender);
    state.update("b", observed(7, Current));
    assert_eq!(
        received(&mut receiver),
        [("a".to_owned(), InProgress), ("b".to_owned(), Current)]
    );
}

fn snapshot(state: &mut State, names: &[(&str, u64)], version: u64) -> Vec<Box<str>> {
    state.begin_snapshot();
    for (name, version) in names {
        state.update(name, observed(*version, Current));
    }
    state.end_snapshot(Version(version))
}

#[test]
fn snapshot_reports_missing_objects_as_gone() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = State::default();
    state.join(None, 0, &sender);
    state.update("a", observed(6, InProgress));
    state.update("b", observed(7, InProgress));
    received(&mut receiver);
    snapshot(&mut state, &[("a", 8)], 9);
    let news = [("a".to_owned(), Current), ("b".to_owned(), NotFound)];
    assert_eq!(received(&mut receiver), news);
    snapshot(&mut state, &[("a", 8)], 9);
    assert_eq!(received(&mut receiver), [], "no news");
    snapshot(&mut state, &[], 10);
    assert_eq!(received(&mut receiver), [("a".to_owned(), NotFound)]);
    snapshot(&mut state, &[], 11);
    assert_eq!(received(&mut receiver), [], "reported once");
}

#[test]
fn snapshot_keeps_newer_objects() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = State::default();
    state.join(Some(known(&[("new", 12), ("gone", 3)])), 0, &sender);
    state.update("new", observed(12, Current));
    received(&mut receiver);
    let unknown = snapshot(&mut state, &[], 9);
    assert_eq!(received(&mut receiver), []);
    assert_eq!(unknown, [Box::from("gone")], "an unknown object is read");
}

#[test]
fn states_without_subscribers_are_dropped_eventually() {
    let (sender, _receiver) = unbounded_channel();
    let mut state = complete_since(1);
    state.join(Some(known(&[("subscribed", 1)])), 0, &sender);
    for index in 0..=MAX_UNSUBSCRIBED as u64 {
        state.update(&format!("other-{index}"), observed(index + 2, Current));
    }
    state.update("subscribed", observed(MAX_UNSUBSCRIBED as u64 + 9, Current));
    assert!(state.states.len() < MAX_UNSUBSCRIBED);
    assert!(state.states.contains_key("subscribed"));
    let (_, outdated) = state.join(Some(known(&[("other-1", 3)])), 0, &sender);
    assert_eq!(outdated, [Box::from("other-1")]);
}
