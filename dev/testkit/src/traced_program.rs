//! A process that dies before its n-th change of a file: every state that a kill can leave on a
//! disk, one after the other.
//!
//! The process is traced, and killed at the entry of a system call that would change something
//! below a folder; so what it did before is all there is, and nothing depends on who is quicker.
//! Run without a number, it lives, and tells how many changes there are. What it maps and writes
//! without a call is seen at the next one.
//!
//! Refuses to say anything of a power cut, which may lose what was not yet synced.

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

/// Whether processes can be traced here.
pub const AVAILABLE: bool = cfg!(all(target_arch = "x86_64", target_env = "gnu"));

/// A program that is to die.
#[derive(Debug, Clone)]
pub struct TracedProgram {
    program: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    below: PathBuf,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// By itself, with this code, after these changes.
    Ended {
        /// The code that it exited with.
        code: i32,
        /// What it changed, in order, for a reader.
        changes: Vec<String>,
    },
    /// It was killed when it was about to do this.
    Killed(String),
}

/// Waits, in the program that is to die, until it is watched. Called before the first change.
pub fn ready() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    assert_eq!(
        line, "go\n",
        "this program is run by a test, which watches it"
    );
}

impl TracedProgram {
    /// A program, and the folder below which its changes count.
    pub fn new(program: impl Into<PathBuf>, below: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            below: below.into(),
        }
    }

    /// One test of the running test binary, which is ignored when all are run.
    pub fn test(name: &str, below: impl Into<PathBuf>) -> Self {
        let mut program = Self::new(std::env::current_exe().unwrap(), below);
        for argument in [name, "--exact", "--ignored", "--nocapture"] {
            program.arguments.push(argument.to_owned());
        }
        program
    }

    /// Sets a variable of its environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// Runs it until it ends, or until it is about to make this change, counted from 1.
    pub fn run(&self, until: Option<usize>) -> End {
        let program = self.clone();
        // Only the thread that traces may wait for what it traces.
        std::thread::spawn(move || program.trace(until))
            .join()
            .unwrap()
    }

    fn spawn(&self) -> Child {
        #[expect(
            clippy::disallowed_methods,
            reason = "the process that is to die is the test's own"
        )]
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
        #[expect(
            clippy::zombie_processes,
            reason = "it is waited for by its number, with its threads"
        )]
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

    /// What a thread is about to change below the folder.
    fn change(&self, pid: Pid) -> Option<String> {
        let (name, path) = call(pid)?;
        let below = path.starts_with(&self.below);
        // What has no name is gone with the process.
        let named = !path.as_os_str().as_bytes().ends_with(b" (deleted)");
        (below && named).then(|| {
            let path = path.strip_prefix(&self.below).unwrap_or(&path);
            format!("{name} {}", path.display())
        })
    }
}

/// Traces every thread that there is; those to come are traced by themselves.
fn seize(main: Pid) {
    let options =
        Options::PTRACE_O_TRACESYSGOOD | Options::PTRACE_O_TRACECLONE | Options::PTRACE_O_EXITKILL;
    let mut seen = HashSet::new();
    loop {
        #[expect(
            clippy::disallowed_methods,
            reason = "what is read here is no file, and its path is in the message of the panic"
        )]
        let tasks = std::fs::read_dir(format!("/proc/{main}/task")).unwrap();
        let before = seen.len();
        for task in tasks {
            let name = task.unwrap().file_name();
            let task: i32 = name.to_str().unwrap().parse().unwrap();
            // One that came of a thread that is traced is traced already.
            if seen.insert(task) && ptrace::seize(Pid::from_raw(task), options).is_ok() {
                ptrace::interrupt(Pid::from_raw(task)).unwrap();
            }
        }
        if seen.len() == before {
            return;
        }
    }
}

/// Lets a thread run until its next system call begins or ends; it may be dead by now.
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

/// The name of a system call that changes something, and the path that it changes.
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

/// Which argument tells what is changed.
enum Place {
    /// A path, if the flags say that it is made.
    Open(usize, usize),
    /// The same below an open folder.
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
        libc::SYS_mkdir => ("make folder", Place::Path(0)),
        libc::SYS_mkdirat => ("make folder", Place::At(0, 1)),
        libc::SYS_rmdir | libc::SYS_unlink => ("remove", Place::Path(0)),
        libc::SYS_unlinkat => ("remove", Place::At(0, 1)),
        libc::SYS_rename => ("rename", Place::Path(0)),
        libc::SYS_renameat | libc::SYS_renameat2 => ("rename", Place::At(0, 1)),
        libc::SYS_link | libc::SYS_symlink => ("link", Place::Path(1)),
        libc::SYS_linkat => ("link", Place::At(2, 3)),
        libc::SYS_symlinkat => ("link", Place::At(1, 2)),
        libc::SYS_truncate => ("cut", Place::Path(0)),
        libc::SYS_chmod => ("change mode", Place::Path(0)),
        libc::SYS_fchmodat => ("change mode", Place::At(0, 1)),
        libc::SYS_fchmod => ("change mode", Place::Handle(0)),
        libc::SYS_ftruncate | libc::SYS_fallocate => ("cut", Place::Handle(0)),
        libc::SYS_write | libc::SYS_pwrite64 | libc::SYS_writev | libc::SYS_pwritev => {
            ("write", Place::Handle(0))
        }
        libc::SYS_copy_file_range => ("write", Place::Handle(2)),
        libc::SYS_sendfile => ("write", Place::Handle(0)),
        _ => return None,
    })
}

/// The path of an open file.
fn handle_path(pid: Pid, handle: u64) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/fd/{handle}")).ok()
}

/// A path in the memory of a process, made absolute.
fn named(pid: Pid, folder: Option<u64>, address: u64) -> Option<PathBuf> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the memory of a process is no file that anybody could be told of"
    )]
    let memory = File::open(format!("/proc/{pid}/mem")).ok()?;
    let mut bytes = vec![0; libc::PATH_MAX.unsigned_abs() as usize];
    // What follows the path may not be there to be read.
    let mut read = 0;
    while !bytes[..read].contains(&0) && read < bytes.len() {
        let at = address + read as u64;
        // To the end of the page at most.
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
        // The kernel looks at the lower half of it.
        Some(folder) if folder & 0xffff_ffff != u64::from(libc::AT_FDCWD.cast_unsigned()) => {
            handle_path(pid, folder)?
        }
        _ => std::fs::read_link(format!("/proc/{pid}/cwd")).ok()?,
    };
    Some(folder.join(path))
}
