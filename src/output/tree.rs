//! Draws a tree of owned objects with box characters, like `flux tree`.
//!
//! A line may end in a note about its object's health. On a terminal, notes are truncated to its
//! width and coloured. The text alone carries the meaning. Elsewhere, notes stay whole and plain.

use console::{Style, measure_text_width, truncate_str};

use super::plain;

/// Minimum columns of a note, even on a narrow terminal.
const NOTE: usize = 13;

/// Severity of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Printed in green.
    Good,
    /// Not ready yet.
    Open,
    /// Printed in red.
    Bad,
}

impl Tone {
    fn style(self) -> Style {
        match self {
            Self::Good => Style::new().green(),
            Self::Open => Style::new().yellow(),
            Self::Bad => Style::new().red(),
        }
    }
}

/// Output device of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Canvas {
    /// Number of columns, or `None` without a limit.
    pub width: Option<usize>,
    /// Whether colours are printed.
    pub colours: bool,
}

impl Canvas {
    /// Standard output.
    pub fn stdout() -> Self {
        let terminal = console::Term::stdout();
        Self {
            width: terminal.is_term().then(super::width),
            colours: terminal.is_term() && console::colors_enabled(),
        }
    }

    /// Formats a line: prefix, label and note.
    fn line(self, prefix: &str, node: &Node) -> String {
        let one_line = |text: &str| plain(text).replace('\n', " ");
        let mut line = format!("{prefix}{}", one_line(&node.label));
        // The name and the first word of the note always stay.
        let least = measure_text_width(&line) + NOTE;
        if let Some((tone, note)) = &node.note {
            let note = format!("({})", one_line(note));
            let style = tone.style().force_styling(true);
            line.push(' ');
            if self.colours {
                line.push_str(&style.apply_to(note).to_string());
            } else {
                line.push_str(&note);
            }
        }
        match (self.width, &node.note) {
            (Some(width), Some(_)) => truncate_str(&line, width.max(least), "…").into_owned(),
            _ => line,
        }
    }
}

/// One line and its children.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Text of the line.
    pub label: String,
    /// Text after the label, with its tone.
    pub note: Option<(Tone, String)>,
    /// Lines below.
    pub children: Vec<Self>,
}

impl Node {
    /// Creates a line without children.
    pub fn new(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            note: None,
            children: Vec::new(),
        }
    }

    /// Formats the whole tree, this node first.
    pub fn render(&self) -> String {
        self.render_on(Canvas::default())
    }

    /// Formats the whole tree for a canvas.
    pub fn render_on(&self, canvas: Canvas) -> String {
        let mut text = canvas.line("", self);
        text.push('\n');
        self.render_children(canvas, "", &mut text);
        text
    }

    fn render_children(&self, canvas: Canvas, prefix: &str, text: &mut String) {
        let last = self.children.len().saturating_sub(1);
        for (index, child) in self.children.iter().enumerate() {
            let (branch, below) = if index == last {
                ("└── ", "    ")
            } else {
                ("├── ", "│   ")
            };
            text.push_str(&canvas.line(&format!("{prefix}{branch}"), child));
            text.push('\n');
            child.render_children(canvas, &format!("{prefix}{below}"), text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_fit_the_terminal() {
        let mut root = Node::new("Kustomization/flux-system/apps");
        let mut web = Node::new("Deployment/apps/web");
        web.note = Some((Tone::Open, "InProgress: 0 of 2\nreplicas".to_owned()));
        root.children.push(web);
        let plain = "Kustomization/flux-system/apps\n\
                     └── Deployment/apps/web (InProgress: 0 of 2 replicas)\n";
        assert_eq!(root.render(), plain);
        let coloured = root.render_on(Canvas {
            width: None,
            colours: true,
        });
        assert!(coloured.contains("\u{1b}[33m(InProgress: 0 of 2 replicas)\u{1b}[0m"));
        assert_eq!(console::strip_ansi_codes(&coloured), plain);
        for (width, note) in [(40, "(InProgress: 0 …"), (20, "(InProgress…")] {
            for colours in [false, true] {
                let width = Some(width);
                let narrow = root.render_on(Canvas { width, colours });
                let narrow = console::strip_ansi_codes(&narrow).into_owned();
                let expected =
                    format!("Kustomization/flux-system/apps\n└── Deployment/apps/web {note}\n");
                assert_eq!(narrow, expected);
            }
        }
    }

    #[test]
    fn last_branch_has_a_corner() {
        let mut root = Node::new("Kustomization/flux-system/apps");
        let mut deployment = Node::new("Deployment/apps/web");
        deployment.children.push(Node::new("ReplicaSet/apps/web-1"));
        root.children.push(deployment);
        root.children.push(Node::new("Service/apps/web"));
        assert_eq!(
            root.render(),
            "Kustomization/flux-system/apps\n\
             ├── Deployment/apps/web\n\
             │   └── ReplicaSet/apps/web-1\n\
             └── Service/apps/web\n"
        );
    }
}
