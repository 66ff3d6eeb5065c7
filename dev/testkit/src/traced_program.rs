//! Kills a program before its n-th change of a file. Tests cover every state that a kill can leave
//! on a disk.
//!
//! The program is traced. The tracer kills it at the entry of a system call that changes something
//! below a folder. So the result does not depend on timing. Without a number the program runs to
//! its end and reports its changes. Changes through memory maps are seen at the next system call.
//!
//! It does not simulate a power cut, which may lose unsynced data.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use nix::libc::{self, c_long};
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// Whether this platform supports tracing.
pub const AVAILABLE: bool = cfg!(all(target_arch = "x86_64", target_env = "gnu"));

/// A program that the tracer can kill.
#[derive(Debug, Clone)]
pub struct TracedProgram {
    program: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    below: PathBuf,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// It exited after these changes.
    Ended {
        /// The exit code.
        code: i32,
        /// Its changes, in order.
        changes: Vec<String>,
    },
    /// The tracer killed it before this change.
    Killed(String),
}

/// Waits, in the traced program, for the tracer. Call it before the first change.
pub fn ready() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    assert_eq!(line, "go\n", "only a tracing test may run this program");
}

impl TracedProgram {
    /// Creates a program, and names the folder whose changes count.
    pub fn new(program: impl Into<PathBuf>, below: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            below: below.into(),
        }
    }

    /// Runs one ignored test of the current test binary.
    pub fn test(name: &str, below: impl Into<PathBuf>) -> Self {
        let mut program = Self::new(std::env::current_exe().unwrap(), below);
        for argument in [name, "--exact", "--ignored", "--nocapture"] {
            program.arguments.push(argument.to_owned());
        }
        program
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// Runs the program to its end, or to this change, counted from 1.
    pub fn run(&self, until: Option<usize>) -> End {
        let program = self.clone();
        // Only the tracing thread may wait for the traced process.
        std::thread::spawn(move || program.trace(until))
            .join()
            .unwrap()
    }

    fn spawn(&self) -> Child {
        #[expect(clippy::disallowed_methods, reason = "the test owns this process")]
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    fn trace(&self, until: Option<usize>) -> End {
        #[expect(clippy::zombie_processes, reason = "waitpid reaps it with its threads")]
        let mut child = self.spawn();
        let main = Pid::from_raw(i32::try_from(child.id()).unwrap());
        seize(main);
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"go\n").unwrap();
        let mut threads = HashMap::new();
        let mut changes = Vec::new();
        loop {
            let flags = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
            match waitpid(None, Some(flags)).unwrap() {
                WaitStatus::Exited(pid, code) if pid == main => {
                    return End::Ended { code, changes };
                }
                WaitStatus::Signaled(pid, signal, _) if pid == main => {
                    assert_eq!(signal, Signal::SIGKILL, "it died of something else");
                    return End::Killed(changes.pop().unwrap_or_default());
                }
                WaitStatus::PtraceSyscall(pid) => {
                    let inside: &mut bool = threads.entry(pid).or_default();
                    *inside = is_entry(pid);
                    if *inside && let Some(change) = self.change(pid) {
                        changes.push(change);
                        if until == Some(changes.len()) {
                            kill(main, Signal::SIGKILL).unwrap();
                            continue;
                        }
                    }
                    go_on(pid, None);
                }
                WaitStatus::Stopped(pid, signal) => go_on(pid, Some(signal)),
                WaitStatus::PtraceEvent(pid, ..) => go_on(pid, None),
                _ => {}
            }
        }
    }

    /// The change below the folder that a thread is about to make.
    fn change(&self, pid: Pid) -> Option<String> {
        let (name, path) = call(pid)?;
        let below = path.starts_with(&self.below);
        // Unnamed files disappear with the process.
        let named = !path.as_os_str().as_bytes().ends_with(b" (deleted)");
        (below && named).then(|| {
            let path = path.strip_prefix(&self.below).unwrap_or(&path);
            format!("{name} {}", path.display())
        })
    }
}

/// Traces all existing threads; new ones are traced automatically.
fn seize(main: Pid) {
    let options =
        Options::PTRACE_O_TRACESYSGOOD | Options::PTRACE_O_TRACECLONE | Options::PTRACE_O_EXITKILL;
    let mut seen = HashSet::new();
    loop {
        #[expect(clippy::disallowed_methods, reason = "/proc: the panic names the path")]
        let tasks = std::fs::read_dir(format!("/proc/{main}/task")).unwrap();
        let before = seen.len();
        for task in tasks {
            let name = task.unwrap().file_name();
            let task: i32 = name.to_str().unwrap().parse().unwrap();
            // Threads of a traced thread are traced already.
            if seen.insert(task) && ptrace::seize(Pid::from_raw(task), options).is_ok() {
                ptrace::interrupt(Pid::from_raw(task)).unwrap();
            }
        }
        if seen.len() == before {
            return;
        }
    }
}

/// Resumes a thread until its next system call begins or ends. The thread may be dead.
fn go_on(pid: Pid, signal: Option<Signal>) {
    let _dead = ptrace::syscall(pid, signal);
}

#[cfg(all(target_arch = "x86_64", target_env = "gnu"))]
fn is_entry(pid: Pid) -> bool {
    ptrace::syscall_info(pid).is_ok_and(|info| info.op == libc::PTRACE_SYSCALL_INFO_ENTRY)
}

#[cfg(not(all(target_arch = "x86_64", target_env = "gnu")))]
fn is_entry(_: Pid) -> bool {
    false
}

/// Returns the name of a system call that changes a file, and its path.
#[cfg(all(target_arch = "x86_64", target_env = "gnu"))]
fn call(pid: Pid) -> Option<(&'static str, PathBuf)> {
    let registers = ptrace::getregs(pid).ok()?;
    let arguments = [registers.rdi, registers.rsi, registers.rdx, registers.r10];
    let number = c_long::try_from(registers.orig_rax).ok()?;
    let makes = |flags: u64| {
        let makes = libc::O_CREAT | libc::O_TRUNC;
        flags & u64::try_from(makes).unwrap() != 0
    };
    let (name, place) = place(number)?;
    let path = match place {
        Place::Open(path, flags) if makes(arguments[flags]) => named(pid, None, arguments[path])?,
        Place::OpenAt if makes(arguments[2]) => named(pid, Some(arguments[0]), arguments[1])?,
        Place::Open(..) | Place::OpenAt => return None,
        Place::Path(path) => named(pid, None, arguments[path])?,
        Place::At(folder, path) => named(pid, Some(arguments[folder]), arguments[path])?,
        Place::Handle(handle) => handle_path(pid, arguments[handle])?,
    };
    Some((name, path))
}

#[cfg(not(all(target_arch = "x86_64", target_env = "gnu")))]
fn call(_: Pid) -> Option<(&'static str, PathBuf)> {
    None
}

/// The argument with the changed path.
enum Place {
    /// A path, if the flags create or truncate it.
    Open(usize, usize),
    /// A path below an open folder, if the flags create or truncate it.
    OpenAt,
    /// A path.
    Path(usize),
    /// A path below an open folder.
    At(usize, usize),
    /// An open file.
    Handle(usize),
}

fn place(number: c_long) -> Option<(&'static str, Place)> {
    Some(match number {
        libc::SYS_open => ("create", Place::Open(0, 1)),
        libc::SYS_openat => ("create", Place::OpenAt),
        libc::SYS_creat => ("create", Place::Path(0)),
        libc::SYS_mkdir => ("create folder", Place::Path(0)),
        libc::SYS_mkdirat => ("create folder", Place::At(0, 1)),
        libc::SYS_rmdir | libc::SYS_unlink => ("remove", Place::Path(0)),
        libc::SYS_unlinkat => ("remove", Place::At(0, 1)),
        libc::SYS_rename => ("rename", Place::Path(0)),
        libc::SYS_renameat | libc::SYS_renameat2 => ("rename", Place::At(0, 1)),
        libc::SYS_link | libc::SYS_symlink => ("link", Place::Path(1)),
        libc::SYS_linkat => ("link", Place::At(2, 3)),
        libc::SYS_symlinkat => ("link", Place::At(1, 2)),
        libc::SYS_truncate => ("truncate", Place::Path(0)),
        libc::SYS_chmod => ("change mode", Place::Path(0)),
        libc::SYS_fchmodat => ("change mode", Place::At(0, 1)),
        libc::SYS_fchmod => ("change mode", Place::Handle(0)),
        libc::SYS_ftruncate | libc::SYS_fallocate => ("truncate", Place::Handle(0)),
        libc::SYS_write | libc::SYS_pwrite64 | libc::SYS_writev | libc::SYS_pwritev => {
            ("write", Place::Handle(0))
        }
        libc::SYS_copy_file_range => ("write", Place::Handle(2)),
        libc::SYS_sendfile => ("write", Place::Handle(0)),
        _ => return None,
    })
}

/// Returns the path of an open file.
fn handle_path(pid: Pid, handle: u64) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/fd/{handle}")).ok()
}

/// Reads a path from the memory of a process and makes it absolute.
fn named(pid: Pid, folder: Option<u64>, address: u64) -> Option<PathBuf> {
    #[expect(
        clippy::disallowed_methods,
        reason = "/proc: an error means that the process is gone"
    )]
    let memory = File::open(format!("/proc/{pid}/mem")).ok()?;
    let mut bytes = vec![0; libc::PATH_MAX.unsigned_abs() as usize];
    // Memory after the path may not be readable.
    let mut read = 0;
    while !bytes[..read].contains(&0) && read < bytes.len() {
        let at = address + read as u64;
        // Reads at most to the end of the page.
        let left = usize::try_from(4096 - at % 4096).unwrap();
        let end = (read + left).min(bytes.len());
        read += memory.read_at(&mut bytes[read..end], at).ok()?;
    }
    let length = bytes.iter().position(|byte| *byte == 0)?;
    let path = Path::new(std::ffi::OsStr::from_bytes(&bytes[..length]));
    if path.is_absolute() {
        return Some(path.to_owned());
    }
    let folder = match folder {
        // The kernel reads the lower half only.
        Some(folder) if folder & 0xffff_ffff != u64::from(libc::AT_FDCWD.cast_unsigned()) => {
            handle_path(pid, folder)?
        }
        _ => std::fs::read_link(format!("/proc/{pid}/cwd")).ok()?,
    };
    Some(folder.join(path))
}
