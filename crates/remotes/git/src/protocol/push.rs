//! Push commands and reports.
//!
//! Push has one version: commands up to a flush, then the pack. The report may be wrapped into side
//! bands, with human-readable messages in another band.

use super::ProtocolError;
use super::advertisement::Capabilities;
use super::command::AGENT;
use super::pktline::{self, Decoder, Packet};
use crate::error::printable;
use crate::id::ObjectId;

/// The capability of servers that take options.
pub const PUSH_OPTIONS: &str = "push-options";
/// Maximum bytes of messages and report.
const MAX_REPORT: usize = 1 << 20;

/// An update of one reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command<'a> {
    /// The old ID, or `None` for a new reference.
    pub old: Option<ObjectId>,
    /// The new ID.
    pub new: ObjectId,
    /// The full name.
    pub name: &'a str,
    /// Options for the server, as `key=value`.
    pub options: &'a [String],
}

impl Command<'_> {
    /// Writes the command and the pack.
    pub fn write(
        &self,
        capabilities: &Capabilities,
        pack: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ProtocolError> {
        if !capabilities.has("report-status") {
            return Err(ProtocolError::Missing("report-status"));
        }
        let mut ours = String::from(" report-status");
        let has_options = !self.options.is_empty();
        if has_options && !capabilities.has(PUSH_OPTIONS) {
            return Err(ProtocolError::Missing(PUSH_OPTIONS));
        }
        for name in ["side-band-64k", "object-format", PUSH_OPTIONS] {
            if capabilities.has(name) && (has_options || name != PUSH_OPTIONS) {
                ours.push(' ');
                ours.push_str(name);
                if name == "object-format" {
                    ours.push_str("=sha1");
                }
            }
        }
        if capabilities.has("agent") {
            ours.push(' ');
            ours.push_str(AGENT);
        }
        let Self { old, new, name, .. } = self;
        let old = old.unwrap_or(ObjectId::ZERO);
        pktline::line(out, &format!("{old} {new} {name}\0{ours}"));
        pktline::flush(out);
        if has_options {
            for option in self.options {
                pktline::line(out, option);
            }
            pktline::flush(out);
        }
        out.extend_from_slice(pack);
        Ok(())
    }
}

/// The result of a push.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Why the pack was rejected.
    pub unpack: Option<String>,
    /// Why the reference was not updated.
    pub refused: Option<String>,
    /// Human-readable messages of the server.
    pub message: String,
    is_complete: bool,
}

/// Parses a report packet by packet.
#[derive(Debug)]
pub struct Parser {
    name: String,
    banded: bool,
    inner: Decoder,
    message: Vec<u8>,
    read: usize,
    report: Report,
}

impl Parser {
    /// Creates a parser for the report of a command, with or without side bands.
    pub fn new(command: &Command<'_>, capabilities: &Capabilities) -> Self {
        Self {
            name: command.name.to_owned(),
            banded: capabilities.has("side-band-64k"),
            inner: Decoder::default(),
            message: Vec::new(),
            read: 0,
            report: Report::default(),
        }
    }

    /// Adds a packet. Returns the report once it is complete.
    pub fn feed(&mut self, packet: Packet) -> Result<Option<Report>, ProtocolError> {
        self.read += packet.text().map_or(0, <[u8]>::len) + 4;
        if self.read > MAX_REPORT {
            return Err(ProtocolError::TooMuch("1 MiB of a report"));
        }
        if !self.banded {
            self.line(&packet.check_error()?)?;
            return Ok(self.report.is_complete.then(|| self.finish()));
        }
        match &packet {
            Packet::Data(data) => match data.first() {
                Some(1) => {
                    self.inner.push(&data[1..]);
                    while let Some(packet) = self.inner.next_packet()? {
                        self.line(&packet)?;
                    }
                    Ok(None)
                }
                Some(2) => {
                    self.message.extend_from_slice(&data[1..]);
                    Ok(None)
                }
                Some(3) => Err(ProtocolError::Reported(printable(&data[1..]))),
                _ => Err(packet.check_error()?.unexpected("in the report on a push")),
            },
            Packet::Flush if self.report.is_complete => Ok(Some(self.finish())),
            Packet::Flush => Err(ProtocolError::Truncated("before the end of the report")),
            _ => Err(packet.unexpected("in the report on a push")),
        }
    }

    fn line(&mut self, packet: &Packet) -> Result<(), ProtocolError> {
        let Some(text) = packet.text() else {
            self.report.is_complete = true;
            return Ok(());
        };
        let line = printable(text);
        let of_ours = |rest: &str| rest.split(' ').next() == Some(self.name.as_str());
        if line == "unpack ok" {
            // Success.
        } else if let Some(reason) = line.strip_prefix("unpack ") {
            self.report.unpack = Some(reason.to_owned());
        } else if let Some(rest) = line.strip_prefix("ng ").filter(|rest| of_ours(rest)) {
            let reason = rest.split_once(' ').map_or("", |(_, reason)| reason);
            self.report.refused = Some(reason.to_owned());
        } else if line.strip_prefix("ok ").is_some_and(of_ours) || line.starts_with("option ") {
            // Success.
        } else {
            return Err(packet.unexpected("in the report on a push"));
        }
        Ok(())
    }

    fn finish(&mut self) -> Report {
        self.report.message = printable(&self.message);
        std::mem::take(&mut self.report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "refs/heads/main";

    fn capabilities(words: &[&str]) -> Capabilities {
        let mut capabilities = Capabilities::default();
        for word in words {
            capabilities.add(word);
        }
        capabilities
    }

    fn command() -> Command<'static> {
        Command {
            old: None,
            new: ObjectId::from_bytes([0xaa; 20]),
            name: NAME,
            options: &[],
        }
    }

    /// Parses a report with these lines after a message, with or without side bands.
    fn report(
        lines: &[&str],
        message: &str,
        banded: bool,
    ) -> Result<Option<Report>, ProtocolError> {
        let mut inner = Vec::new();
        for line in lines {
            pktline::line(&mut inner, line);
        }
        pktline::flush(&mut inner);
        let mut out = Vec::new();
        if banded {
            pktline::data(&mut out, &[&[2], message.as_bytes()].concat());
            pktline::data(&mut out, &[&[1], inner.as_slice()].concat());
            pktline::flush(&mut out);
        } else {
            out = inner;
        }
        let known = if banded {
            vec!["side-band-64k"]
        } else {
            Vec::new()
        };
        let mut parser = Parser::new(&command(), &capabilities(&known));
        let mut last = None;
        for packet in Decoder::all(&out)? {
            last = parser.feed(packet)?;
        }
        Ok(last)
    }

    #[test]
    fn push_is_command_and_pack() {
        let mut out = Vec::new();
        let known = capabilities(&["report-status", "side-band-64k", "object-format=sha1"]);
        command().write(&known, b"PACK", &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let (zeros, new) = ("00".repeat(20), "aa".repeat(20));
        let line =
            format!("{zeros} {new} {NAME}\0 report-status side-band-64k object-format=sha1\n");
        assert_eq!(text, format!("{:04x}{line}0000PACK", line.len() + 4));
        let refused = command().write(&capabilities(&[]), b"", &mut Vec::new());
        assert_eq!(refused, Err(ProtocolError::Missing("report-status")));
    }

    #[test]
    fn options_need_a_server_that_takes_them() {
        let options = ["topic=x".to_owned(), "wip=".to_owned()];
        let command = Command {
            options: &options,
            ..command()
        };
        let known = capabilities(&["report-status", "push-options"]);
        let mut out = Vec::new();
        command.write(&known, b"PACK", &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("\0 report-status push-options\n"), "{text}");
        assert!(
            text.ends_with("0000000ctopic=x\n0009wip=\n0000PACK"),
            "{text}"
        );
        let refused = command.write(&capabilities(&["report-status"]), b"", &mut Vec::new());
        assert_eq!(refused, Err(ProtocolError::Missing("push-options")));
    }

    #[test]
    fn report_has_result() {
        let moved = format!("ok {NAME}");
        let refused = format!("ng {NAME} protected branch hook declined");
        for banded in [false, true] {
            let done = report(&["unpack ok", &moved], "", banded).unwrap().unwrap();
            assert_eq!((done.unpack, done.refused), (None, None));
            let not = report(&["unpack ok", &refused], "no\x1b[1m!\n", banded);
            let not = not.unwrap().unwrap();
            assert_eq!(
                not.refused.as_deref(),
                Some("protected branch hook declined")
            );
            assert_eq!(not.message, if banded { "no\u{fffd}[1m!" } else { "" });
            let broken = report(&["unpack disk full"], "", banded).unwrap().unwrap();
            assert_eq!(broken.unpack.as_deref(), Some("disk full"));
        }
    }

    #[test]
    fn invalid_report_is_rejected() {
        for banded in [false, true] {
            assert!(report(&["surprise"], "", banded).is_err());
            assert!(report(&["ok refs/heads/other"], "", banded).is_err());
        }
        let mut parser = Parser::new(&command(), &capabilities(&["side-band-64k"]));
        assert!(parser.feed(Packet::Flush).is_err());
    }
}
