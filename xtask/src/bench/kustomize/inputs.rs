//! The generated overlays, which are deterministic.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sluice_system::fs;

/// Patches and generated maps of a large overlay.
const PATCHES: usize = 20;
pub(in crate::bench) const MAPS: usize = 50;
/// Objects of one application, in one file.
const OBJECTS: usize = 5;

/// An overlay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Shape {
    /// Ten objects with a prefix, labels, images and a generator
    Small,
    /// A thousand objects: namespace, labels, images, patches, generated maps
    Thousand,
    /// The same with ten thousand
    TenThousand,
    /// Ten levels of bases with two hundred objects
    Deep,
    /// A base that fifty overlays share
    Shared,
    /// Two hundred small overlays in one process
    Many,
}

/// Target ratios of time, and of memory if there is a target.
type Targets = (f64, Option<f64>);

impl Shape {
    pub(super) fn all() -> Vec<Self> {
        <Self as clap::ValueEnum>::value_variants().to_vec()
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Small => "10 objects",
            Self::Thousand => "1,000 objects",
            Self::TenThousand => "10,000 objects",
            Self::Deep => "10 levels, 200 objects",
            Self::Shared => "50 overlays of one base",
            Self::Many => "200 overlays",
        }
    }

    /// The target of memory is of the time when the builder was a program of its own. The program
    /// with all commands and controllers misses it for small inputs.
    pub(super) fn targets(self) -> Targets {
        let time = match self {
            Self::Small => 0.2,
            Self::TenThousand => 0.03,
            _ => 0.1,
        };
        (time, Some(0.3))
    }

    /// Whether the command runs on it: a command takes one folder.
    pub(super) fn is_whole_process(self) -> bool {
        self != Self::Many
    }

    /// Builds of each folder in one process, our threads, and the targets.
    pub(super) fn in_process(self) -> Option<(usize, &'static str, Targets)> {
        match self {
            Self::Small => Some((200, "1", (0.3, None))),
            Self::Many => Some((1, "2", (0.3, None))),
            _ => None,
        }
    }
}

/// Writes a shape and returns the folders to build.
pub(crate) fn write(root: &Path, shape: Shape) -> Result<Vec<PathBuf>, fs::Error> {
    match shape {
        Shape::Small => small(root, 0)?,
        Shape::Thousand => flat(root, 1_000)?,
        Shape::TenThousand => flat(root, 10_000)?,
        Shape::Deep => return deep(root).map(|top| vec![top]),
        Shape::Shared => return shared(root).map(|top| vec![top]),
        Shape::Many => {
            let folders = (0..200).map(|index| {
                let folder = root.join(format!("overlay-{index:03}"));
                small(&folder, index).map(|()| folder)
            });
            return folders.collect();
        }
    }
    Ok(vec![root.to_path_buf()])
}

fn put(root: &Path, name: &str, text: &str) -> Result<(), fs::Error> {
    fs::create_dir_all(root)?;
    fs::write(root.join(name), text)
}

fn small(root: &Path, index: usize) -> Result<(), fs::Error> {
    let mut file = format!(
        "namePrefix: p{index}-\nlabels:\n- pairs: {{team: a}}\n  includeSelectors: true\nimages:\n- name: example.com/app\n  newTag: v2\n\
         configMapGenerator:\n- name: settings-0\n  literals: [mode=fast, index={index}]\nresources:\n"
    );
    for app in 0..2 {
        let name = format!("app-{app}.yaml");
        put(root, &name, &application(app, 1))?;
        let _ = writeln!(file, "- {name}");
    }
    put(root, "kustomization.yaml", &file)
}

/// Writes many objects in one folder, with typical transformations.
pub(in crate::bench) fn flat(root: &Path, objects: usize) -> Result<(), fs::Error> {
    let apps = objects / OBJECTS;
    let mut file = String::from(
        "namespace: prod\nnamePrefix: x-\nlabels:\n- pairs: {team: a}\n  includeSelectors: true\ncommonAnnotations: {owner: b}\n\
         images:\n- name: example.com/app\n  newName: example.org/app\n  newTag: v2\n",
    );
    file.push_str("configMapGenerator:\n");
    for map in 0..MAPS {
        let _ = writeln!(
            file,
            "- name: settings-{map}\n  literals: [mode=fast, index={map}]"
        );
    }
    file.push_str("patches:\n");
    for patch in 0..PATCHES {
        let app = patch * apps / PATCHES;
        let text = if patch % 2 == 0 {
            // Limits must exceed requests.
            let limit = 64 + patch;
            format!(
                "- patch: |\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {{name: app-{app}}}\n    spec:\n      replicas: {patch}\n      \
                 template:\n        spec:\n          containers:\n          - name: app\n            resources: {{limits: {{memory: {limit}Mi}}}}"
            )
        } else {
            format!(
                "- target: {{kind: Service, name: app-{app}}}\n  patch: |\n    - {{op: replace, path: /spec/type, value: NodePort}}"
            )
        };
        let _ = writeln!(file, "{text}");
    }
    file.push_str("resources:\n");
    for app in 0..apps {
        let name = format!("app-{app}.yaml");
        put(root, &name, &application(app, MAPS))?;
        let _ = writeln!(file, "- {name}");
    }
    put(root, "kustomization.yaml", &file)
}

fn deep(root: &Path) -> Result<PathBuf, fs::Error> {
    let level = |level: usize| root.join(format!("level-{level}"));
    flat(&level(0), 200)?;
    for number in 1..=10 {
        let file = format!(
            "resources: [../level-{}]\nnamePrefix: l{number}-\nlabels:\n- pairs: {{level-{number}: a}}\n  includeTemplates: true\n\
             commonAnnotations: {{level-{number}: b}}\nimages:\n- name: example.org/app\n  newTag: v{number}\n",
            number - 1
        );
        put(&level(number), "kustomization.yaml", &file)?;
    }
    Ok(level(10))
}

fn shared(root: &Path) -> Result<PathBuf, fs::Error> {
    small(&root.join("base"), 0)?;
    let mut top = String::from("resources:\n");
    for number in 0..50 {
        let file = format!(
            "resources: [../base]\nnamespace: tenant-{number}\nnameSuffix: -t{number}\nimages:\n- name: example.com/app\n  newTag: v{number}\n"
        );
        let name = format!("tenant-{number}");
        put(&root.join(&name), "kustomization.yaml", &file)?;
        let _ = writeln!(top, "- ../{name}");
    }
    let folder = root.join("top");
    put(&folder, "kustomization.yaml", &top)?;
    Ok(folder)
}

/// The five objects of an application; `maps` is the number of generated maps.
fn application(app: usize, maps: usize) -> String {
    let map = app % maps;
    format!(
        "apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-{app}
  labels: {{app: app-{app}}}
spec:
  replicas: 2
  selector:
    matchLabels: {{app: app-{app}}}
  template:
    metadata:
      labels: {{app: app-{app}}}
    spec:
      serviceAccountName: app-{app}
      containers:
      - name: app
        image: example.com/app:v1
        args: [--listen=:8080, --log-level=info]
        ports:
        - {{name: http, containerPort: 8080}}
        envFrom:
        - configMapRef: {{name: settings-{map}}}
        resources:
          requests: {{cpu: 100m, memory: 64Mi}}
        volumeMounts:
        - {{name: data, mountPath: /data}}
      volumes:
      - name: data
        configMap: {{name: app-{app}}}
---
apiVersion: v1
kind: Service
metadata:
  name: app-{app}
spec:
  type: ClusterIP
  selector: {{app: app-{app}}}
  ports:
  - {{name: http, port: 80, targetPort: http}}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: app-{app}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: app-{app}
data:
  config.yaml: |
    index: {app}
    log:
      level: info
      format: json
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: app-{app}
spec:
  rules:
  - host: app-{app}.example.com
    http:
      paths:
      - path: /
        pathType: Prefix
        backend:
          service:
            name: app-{app}
            port: {{name: http}}
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_can_be_built() {
        for shape in Shape::all() {
            // The largest is the same as the previous one.
            if shape == Shape::TenThousand {
                continue;
            }
            let root = tempfile::tempdir().unwrap();
            for folder in write(root.path(), shape).unwrap() {
                let tree = sluice_kustomize::fs::DiskFs;
                let options = sluice_kustomize::Options::cli();
                let built = sluice_kustomize::build(&tree, &folder, &options).unwrap();
                assert!(built.resources().len() > 10, "{shape:?}");
            }
        }
    }
}
