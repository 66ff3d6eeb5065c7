//! Input of a tenant that tries to stop the controllers for others, and its servers.
//!
//! Each input was seen to take minutes, gigabytes or all workers somewhere. Sizes are such that a
//! debug build ends within a minute.

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::SocketAddr;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// One hostile input: a repository, and the objects that use it.
#[derive(Debug, Clone)]
pub struct TenantInput {
    /// The name of its objects.
    pub name: &'static str,
    /// The attack, in a few words.
    pub attack: &'static str,
    /// The files of the repository.
    pub files: Vec<(String, String)>,
    /// Another address than that of the repository.
    pub url: Option<String>,
    /// More fields of the spec of the `GitRepository`.
    pub source: Value,
    /// More fields of the spec of the `Kustomization`; `None` without one.
    pub kustomization: Option<Value>,
    /// Config maps and Secrets that it needs: kind, name and content.
    pub configs: Vec<(&'static str, &'static str, Value)>,
}

impl TenantInput {
    fn new(name: &'static str, attack: &'static str) -> Self {
        Self {
            name,
            attack,
            files: Vec::new(),
            url: None,
            source: json!({}),
            kustomization: Some(json!({})),
            configs: Vec::new(),
        }
    }

    fn file(mut self, path: impl Into<String>, text: impl Into<String>) -> Self {
        self.files.push((path.into(), text.into()));
        self
    }

    fn spec(mut self, spec: Value) -> Self {
        self.kustomization = Some(spec);
        self
    }
}

/// All inputs.
pub fn inputs(servers: &TenantServers) -> Vec<TenantInput> {
    let mut inputs = builds();
    inputs.extend(expressions());
    inputs.extend(sources(servers));
    inputs.push(large_answer(servers));
    inputs
}

fn config_map(name: &str, value: &str) -> String {
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\ndata:\n  key: \"{value}\"\n"
    )
}

fn builds() -> Vec<TenantInput> {
    let list = format!("a: [{}1]\n", "1,".repeat(3_000_000));
    let nested = format!("a: {}{}\n", "[".repeat(100_000), "]".repeat(100_000));
    let mut aliases = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let items = vec![format!("*a{}", level - 1); 9].join(", ");
        writeln!(aliases, "a{level}: &a{level} [{items}]").unwrap();
    }
    let mut maps = String::new();
    for number in 0..10 {
        maps += "---\n";
        maps += &config_map(&format!("map-{number}"), "${text//a/bbbbbbbb}");
    }
    let mut patch = "- op: add\n  path: /data/list\n  value: [a, b, c, d, e, f, g, h]\n".to_owned();
    for _ in 0..40 {
        patch += "- op: copy\n  from: /data\n  path: /data/more\n";
    }
    vec![
        TenantInput::new("list", "6 MB of YAML become a tree of three million nodes")
            .file("all.yaml", list),
        TenantInput::new("nested", "a hundred thousand levels of YAML").file("all.yaml", nested),
        TenantInput::new("aliases", "aliases that double").file("all.yaml", aliases),
        TenantInput::new(
            "variables",
            "a large variable that is replaced in many objects",
        )
        .file("all.yaml", maps)
        .spec(json!({ "postBuild": { "substituteFrom": [
                { "kind": "ConfigMap", "name": "variables" } ] } })),
        TenantInput::new("patches", "a patch that doubles its object forty times")
            .file("all.yaml", config_map("patched", "1"))
            .spec(json!({ "patches": [
                { "target": { "kind": "ConfigMap" }, "patch": patch } ] })),
    ]
    .into_iter()
    .map(|input| match input.name {
        "variables" => TenantInput {
            configs: vec![(
                "ConfigMap",
                "variables",
                json!({ "data": { "text": "a".repeat(900_000) } }),
            )],
            ..input
        },
        _ => input,
    })
    .collect()
}

fn expressions() -> Vec<TenantInput> {
    let ten = "[0,1,2,3,4,5,6,7,8,9]";
    let mut expensive = "a + b + c + d + e".to_owned();
    for name in ["e", "d", "c", "b", "a"] {
        expensive = format!("{ten}.map({name}, {expensive})");
    }
    let dependency =
        json!({ "name": "expressions", "readyExpr": format!("{expensive}.size() == 11") });
    let many: Vec<Value> = (0..101)
        .map(|number| json!({ "name": format!("none-{number}") }))
        .collect();
    vec![
        TenantInput::new("expressions", "a hundred expressions of a million steps")
            .file("all.yaml", config_map("expressions", "1"))
            .spec(json!({ "dependsOn": vec![dependency; 100] })),
        TenantInput::new("dependencies", "more dependencies than allowed")
            .file("all.yaml", config_map("dependencies", "1"))
            .spec(json!({ "dependsOn": many })),
    ]
}

fn sources(servers: &TenantServers) -> Vec<TenantInput> {
    let rule = "*a".repeat(2000);
    let rules = vec![rule; 250].join("\n");
    let mut ignored = TenantInput::new("rules", "ignore rules that backtrack on each path")
        .file(".sourceignore", rules);
    let long = "a".repeat(200);
    for number in 0..300 {
        ignored = ignored.file(format!("{long}/{long}/{long}-{number}"), "");
    }
    let mut names = TenantInput::new("names", "directories of long names, nested a hundred times");
    for number in 0..20 {
        let path = vec![format!("{number}-{}", "x".repeat(30)); 100].join("/");
        names = names.file(format!("{path}/a.yaml"), config_map("deep", "1"));
    }
    let server = |name, attack, path: &str| TenantInput {
        url: Some(format!("http://{}/{path}", servers.address)),
        source: json!({ "timeout": "5s" }),
        kustomization: None,
        ..TenantInput::new(name, attack)
    };
    vec![
        ignored,
        names,
        server("drip-a", "a server that sends a byte per second", "drip"),
        server("drip-b", "another one", "drip"),
        server("drip-c", "another one", "drip"),
        server("drip-d", "another one", "drip"),
        server("later", "a server that asks to wait for a day", "later"),
    ]
}

fn large_answer(servers: &TenantServers) -> TenantInput {
    let kubeconfig = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "a",
        "clusters": [{ "name": "a", "cluster": { "server": format!("http://{}/bomb", servers.address) } }],
        "users": [{ "name": "a", "user": { "token": "none" } }],
        "contexts": [{ "name": "a", "context": { "cluster": "a", "user": "a" } }],
    });
    TenantInput {
        configs: vec![(
            "Secret",
            "remote",
            json!({ "stringData": { "value": kubeconfig.to_string() } }),
        )],
        ..TenantInput::new("bomb", "an API server whose answers unpack to a gigabyte")
            .file("all.yaml", config_map("bomb", "1"))
            .spec(json!({ "kubeConfig": { "secretRef": { "name": "remote" } } }))
    }
}

/// Servers of the tenant on one port: `/drip`, `/later` and `/bomb`.
#[derive(Debug)]
pub struct TenantServers {
    address: SocketAddr,
}

impl TenantServers {
    /// Starts them. They end with the runtime.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let bomb: std::sync::Arc<[u8]> = bomb().into();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let bomb = std::sync::Arc::clone(&bomb);
                tokio::spawn(async move { drop(serve(stream, &bomb).await) });
            }
        });
        Self { address }
    }
}

/// A gigabyte of spaces, in a megabyte of gzip.
fn bomb() -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..1024 {
        encoder.write_all(&spaces).unwrap();
    }
    encoder.finish().unwrap()
}

async fn serve(mut stream: TcpStream, bomb: &[u8]) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut part = [0; 1024];
        match stream.read(&mut part).await? {
            0 => return Ok(()),
            read => head.extend_from_slice(&part[..read]),
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default();
    if path.starts_with("/drip") {
        let answer = "HTTP/1.1 200 OK\r\ncontent-type: \
                      application/x-git-upload-pack-advertisement\r\nconnection: close\r\n\r\n";
        stream.write_all(answer.as_bytes()).await?;
        loop {
            stream.write_all(b"0").await?;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
    if path.starts_with("/later") {
        let answer = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 86400\r\ncontent-length: \
                      0\r\nconnection: close\r\n\r\n";
        return stream.write_all(answer.as_bytes()).await;
    }
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: \
         gzip\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        bomb.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.write_all(bomb).await
}
