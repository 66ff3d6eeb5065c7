//! A tree of things that own things, drawn with box characters as `flux tree` draws it.

use super::plain;

/// One line and what hangs below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    pub label: String,
    pub children: Vec<Self>,
}

impl Node {
    pub fn new(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            children: Vec::new(),
        }
    }

    /// The whole tree as text, this node first.
    pub fn render(&self) -> String {
        let mut text = format!("{}\n", plain(&self.label));
        self.render_children("", &mut text);
        text
    }

    fn render_children(&self, prefix: &str, text: &mut String) {
        let last = self.children.len().saturating_sub(1);
        for (index, child) in self.children.iter().enumerate() {
            let (branch, below) = if index == last {
                ("└── ", "    ")
            } else {
                ("├── ", "│   ")
            };
            text.push_str(prefix);
            text.push_str(branch);
            text.push_str(&plain(&child.label));
            text.push('\n');
            child.render_children(&format!("{prefix}{below}"), text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_join_siblings_and_the_last_one_turns() {
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
