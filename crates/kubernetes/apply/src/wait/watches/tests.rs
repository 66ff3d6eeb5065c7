//! Who hears what, without a server: the state of one watch.

use sluice_object::status::Status;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;

fn seen(version: u64, status: Status) -> Seen {
    Seen {
        health: Health::new(status, ""),
        ..Seen::gone(Version(version))
    }
}

fn known(names: &[(&str, u64)]) -> Vec<(Box<str>, Seen)> {
    names
        .iter()
        .map(|(name, version)| (Box::from(*name), seen(*version, Status::InProgress)))
        .collect()
}

fn began_at(version: u64) -> State {
    State {
        began: Some(Version(version)),
        ..State::default()
    }
}

fn heard(receiver: &mut UnboundedReceiver<Box<Update>>) -> Vec<(String, Status)> {
    std::iter::from_fn(|| receiver.try_recv().ok())
        .map(|update| (update.name.to_string(), update.seen.health.status))
        .collect()
}

use Status::{Current, InProgress, NotFound};

#[test]
fn a_subscriber_hears_of_its_objects_only() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = began_at(5);
    let (_, unsure) = state.join(Some(known(&[("a", 5)])), 7, &sender);
    assert!(unsure.is_empty());
    state.hear("a", seen(6, Current));
    state.hear("b", seen(7, Current));
    assert_eq!(heard(&mut receiver), [("a".to_owned(), Current)]);
}

#[test]
fn who_joins_later_is_told_what_was_heard_since() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = began_at(5);
    state.hear("a", seen(9, Current));
    let (_, unsure) = state.join(Some(known(&[("a", 6)])), 0, &sender);
    assert!(unsure.is_empty());
    assert_eq!(heard(&mut receiver), [("a".to_owned(), Current)]);
}

#[test]
fn what_was_heard_before_is_no_news() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = began_at(5);
    state.hear("a", seen(6, Current));
    let (_, unsure) = state.join(Some(known(&[("a", 8)])), 0, &sender);
    assert!(unsure.is_empty());
    state.hear("a", seen(7, NotFound));
    assert_eq!(heard(&mut receiver), [("a".to_owned(), NotFound)]);
}

#[test]
fn an_older_answer_does_not_undo_a_newer_event() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = began_at(5);
    state.join(Some(known(&[("a", 5)])), 0, &sender);
    state.hear("a", seen(9, Current));
    state.hear("a", seen(8, InProgress));
    state.hear_absent("a");
    assert_eq!(heard(&mut receiver), [("a".to_owned(), Current)]);
}

#[test]
fn objects_whose_news_may_have_been_missed_are_read() {
    let (sender, _receiver) = unbounded_channel();
    for (mut state, version, is_unsure) in [
        (began_at(5), 5, false),
        (began_at(5), 9, false),
        (began_at(5), 4, true),
        (State::default(), 9, true),
    ] {
        let (_, unsure) = state.join(Some(known(&[("a", version)])), 0, &sender);
        assert_eq!(!unsure.is_empty(), is_unsure, "{version}");
    }
}

#[test]
fn an_object_that_a_read_does_not_find_is_gone_unless_it_was_heard_of() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = State::default();
    state.join(Some(known(&[("a", 5)])), 0, &sender);
    state.hear_absent("a");
    assert_eq!(heard(&mut receiver), [("a".to_owned(), NotFound)]);
}

#[test]
fn who_left_hears_nothing_and_leaves_nothing_behind() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = began_at(5);
    let (number, _) = state.join(Some(known(&[("a", 5), ("b", 5)])), 0, &sender);
    let (all, _) = state.join(None, 1, &sender);
    state.leave(number);
    state.leave(all);
    state.hear("a", seen(6, Current));
    assert_eq!(heard(&mut receiver), []);
    assert!(state.by_name.is_empty() && state.of_all.is_empty());
}

#[test]
fn who_follows_all_objects_is_told_what_exists_already() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = State::default();
    state.hear("a", seen(6, InProgress));
    state.join(None, 0, &sender);
    state.hear("b", seen(7, Current));
    assert_eq!(
        heard(&mut receiver),
        [("a".to_owned(), InProgress), ("b".to_owned(), Current)]
    );
}

fn snapshot(state: &mut State, names: &[(&str, u64)], version: u64) -> Vec<Box<str>> {
    state.begin_snapshot();
    for (name, version) in names {
        state.hear(name, seen(*version, Current));
    }
    state.end_snapshot(Version(version))
}

#[test]
fn snapshot_reports_missing_objects_as_gone() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = State::default();
    state.join(None, 0, &sender);
    state.hear("a", seen(6, InProgress));
    state.hear("b", seen(7, InProgress));
    heard(&mut receiver);
    snapshot(&mut state, &[("a", 8)], 9);
    let news = [("a".to_owned(), Current), ("b".to_owned(), NotFound)];
    assert_eq!(heard(&mut receiver), news);
    snapshot(&mut state, &[("a", 8)], 9);
    assert_eq!(heard(&mut receiver), [], "no news");
    snapshot(&mut state, &[], 10);
    assert_eq!(heard(&mut receiver), [("a".to_owned(), NotFound)]);
    snapshot(&mut state, &[], 11);
    assert_eq!(heard(&mut receiver), [], "reported once");
}

#[test]
fn snapshot_keeps_newer_objects() {
    let (sender, mut receiver) = unbounded_channel();
    let mut state = State::default();
    state.join(Some(known(&[("new", 12), ("gone", 3)])), 0, &sender);
    state.hear("new", seen(12, Current));
    heard(&mut receiver);
    let unknown = snapshot(&mut state, &[], 9);
    assert_eq!(heard(&mut receiver), []);
    assert_eq!(unknown, [Box::from("gone")], "an unknown object is read");
}

#[test]
fn objects_that_nobody_asks_for_are_forgotten_in_the_end() {
    let (sender, _receiver) = unbounded_channel();
    let mut state = began_at(1);
    state.join(Some(known(&[("asked", 1)])), 0, &sender);
    for index in 0..=MAX_UNASKED as u64 {
        state.hear(&format!("other-{index}"), seen(index + 2, Current));
    }
    state.hear("asked", seen(MAX_UNASKED as u64 + 9, Current));
    assert!(state.heard.len() < MAX_UNASKED);
    assert!(state.heard.contains_key("asked"));
    let (_, unsure) = state.join(Some(known(&[("other-1", 3)])), 0, &sender);
    assert_eq!(unsure, [Box::from("other-1")]);
}
