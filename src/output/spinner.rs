//! Shows a spinner on a terminal during silent work. Without a terminal, it does nothing.

use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::{interactive, stderr};

const FRAMES: [&str; 8] = ["⣾", "⣷", "⣯", "⣟", "⡿", "⢿", "⣻", "⣽"];
const STEP: Duration = Duration::from_millis(100);
/// Escape sequence that clears the line.
const CLEAR: &str = "\r\u{1b}[2K";

/// A spinner that stops when dropped.
#[derive(Debug)]
pub struct Spinner(Option<(Sender<()>, JoinHandle<()>)>);

impl Spinner {
    /// Starts the spinner if it is enabled and stderr is a terminal.
    pub fn start(wanted: bool, text: &'static str) -> Self {
        if !wanted || !interactive() {
            return Self(None);
        }
        let (stop, stopped) = channel::<()>();
        let thread = std::thread::spawn(move || {
            for frame in FRAMES.iter().cycle() {
                stderr(&format!("{CLEAR}{frame} {text}"));
                // The dropped sender is the stop signal.
                if stopped.recv_timeout(STEP)
                    == Err(std::sync::mpsc::RecvTimeoutError::Disconnected)
                {
                    break;
                }
            }
            stderr(CLEAR);
        });
        Self(Some((stop, thread)))
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.0.take() {
            drop(stop);
            drop(thread.join());
        }
    }
}
