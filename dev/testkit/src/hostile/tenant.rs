//! Input of a tenant that tries to stop the controllers for others, and its servers.
//!
//! Each input was seen to take minutes, gigabytes or all workers somewhere. Sizes are such that a
//! debug build ends within a minute.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::Duration;

use flate2::{Compress, Compression, Crc, FlushCompress};
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
    pub files: Vec<(String, Vec<u8>)>,
    /// Another address than that of the repository.
    pub url: Option<String>,
    /// More fields of the spec of the `GitRepository`.
    pub source: Value,
    /// More fields of the spec of the `Kustomization`; `None` without one.
    pub kustomization: Option<Value>,
    /// More fields of the spec of a `HelmRelease` of the chart [`CHART`]; `None` without one.
    pub release: Option<Value>,
    /// Config maps and Secrets that it needs: kind, name and content.
    pub configs: Vec<(&'static str, &'static str, Value)>,
    /// A part of the `Ready` message of one of its objects, which names the limit.
    pub refusal: &'static str,
}

/// The chart in the repository of an input with a `HelmRelease`.
pub const CHART: &str = "./chart";

impl TenantInput {
    fn new(name: &'static str, attack: &'static str) -> Self {
        Self {
            name,
            attack,
            files: Vec::new(),
            url: None,
            source: json!({}),
            kustomization: Some(json!({})),
            release: None,
            configs: Vec::new(),
            refusal: "",
        }
    }

    fn refused_by(mut self, refusal: &'static str) -> Self {
        self.refusal = refusal;
        self
    }

    fn file(mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) -> Self {
        self.files.push((path.into(), content.into()));
        self
    }

    fn config(mut self, kind: &'static str, name: &'static str, content: Value) -> Self {
        self.configs.push((kind, name, content));
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
    inputs.extend(charts());
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
            .file("all.yaml", list)
            .refused_by("a text has more than"),
        TenantInput::new("nested", "a hundred thousand levels of YAML").file("all.yaml", nested),
        TenantInput::new("aliases", "aliases that double").file("all.yaml", aliases()),
        TenantInput::new(
            "variables",
            "a large variable that is replaced in many objects",
        )
        .config(
            "ConfigMap",
            "variables",
            json!({ "data": { "text": "a".repeat(900_000) } }),
        )
        .file("all.yaml", maps)
        .spec(json!({ "postBuild": { "substituteFrom": [
                { "kind": "ConfigMap", "name": "variables" } ] } })),
        TenantInput::new("patches", "a patch that doubles its object forty times")
            .file("all.yaml", config_map("patched", "1"))
            .spec(json!({ "patches": [
                { "target": { "kind": "ConfigMap" }, "patch": patch } ] })),
    ]
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

/// Charts, and a short timeout for their renders.
fn charts() -> Vec<TenantInput> {
    let chart = |name, attack| {
        let metadata = "apiVersion: v2\nname: hostile\nversion: 1.0.0\n";
        let input = TenantInput::new(name, attack).file("chart/Chart.yaml", metadata);
        TenantInput {
            kustomization: None,
            release: Some(json!({ "timeout": "1s" })),
            ..input
        }
    };
    let template =
        |name, attack, text: &str| chart(name, attack).file("chart/templates/a.yaml", text);
    let include = "{{ define \"a\" }}{{ include \"a\" . }}{{ end }}{{ include \"a\" . }}";
    let hoard = "{{ $all := list }}{{ range 1000 }}{{ $all = append $all (repeat 30000000 \"x\") }}{{ end }}";
    let mut schema = r#"{"$defs": {"a0": {"type": "object"}"#.to_owned();
    for level in 1..40 {
        let reference = format!(r##"{{"$ref": "#/$defs/a{}"}}"##, level - 1);
        write!(
            schema,
            r#", "a{level}": {{"allOf": [{reference}, {reference}]}}"#
        )
        .unwrap();
    }
    schema.push_str(r##"}, "$ref": "#/$defs/a39"}"##);
    let mut values = chart("values", "values whose aliases double");
    values.release = Some(json!({ "valuesFrom": [{ "kind": "ConfigMap", "name": "values" }] }));
    vec![
        template(
            "loop",
            "a template that loops for a billion rounds",
            "{{ range 1000000000 }}{{ end }}",
        )
        .refused_by("render budget exceeded"),
        template(
            "repeat",
            "a template that repeats a text a billion times",
            "{{ repeat 1000000000 \"x\" }}",
        )
        .refused_by("output limit exceeded: the value is too large"),
        template(
            "hoard",
            "a template that keeps texts of 30 MB in a list",
            hoard,
        )
        .refused_by("output limit exceeded: too many bytes"),
        // The message ends before the limit that it names.
        template("include", "a template that includes itself", include)
            .refused_by("error calling include: template: hostile/templates/a.yaml"),
        chart("schema", "a schema that doubles at each reference")
            .file("chart/values.schema.json", schema)
            .refused_by("the schema needs more than 1000000 steps"),
        values
            .config(
                "ConfigMap",
                "values",
                json!({ "data": { "values.yaml": aliases() } }),
            )
            .refused_by("excessive aliasing"),
        chart("unpacked", "an archive in a chart that unpacks to 125 MiB")
            .file("chart/charts/bomb-1.0.0.tgz", unpacked_chart())
            .refused_by("decompressed chart is larger than the maximum size"),
    ]
}

/// An archive of 25 files. Each has the largest size that a file of a chart may have.
fn unpacked_chart() -> Vec<u8> {
    let mut headers = Vec::new();
    for number in 0..25 {
        let mut header = tar::Header::new_gnu();
        header.set_path(format!("bomb/{number}")).unwrap();
        header.set_size(5 << 20);
        header.set_mode(0o644);
        header.set_cksum();
        headers.push(header);
    }
    let content = vec![b' '; 1 << 20];
    let files = headers
        .iter()
        .map(|header| [(&header.as_bytes()[..], 1), (&content[..], 5)]);
    gzip(files.flatten().chain([(&[0; 1024][..], 1)]))
}

/// YAML whose last line has 9^12 nodes.
fn aliases() -> String {
    let mut aliases = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let items = vec![format!("*a{}", level - 1); 9].join(", ");
        writeln!(aliases, "a{level}: &a{level} [{items}]").unwrap();
    }
    aliases
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
    TenantInput::new("bomb", "an API server whose answers unpack to a gigabyte")
        .config(
            "Secret",
            "remote",
            json!({ "stringData": { "value": kubeconfig.to_string() } }),
        )
        .file("all.yaml", config_map("bomb", "1"))
        .spec(json!({ "kubeConfig": { "secretRef": { "name": "remote" } } }))
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
    let spaces = vec![b' '; 1 << 20];
    gzip([(&spaces[..], 1024)])
}

/// Compresses texts that are repeated. Each is compressed once, because a gigabyte takes a debug
/// build minutes.
fn gzip<'t>(parts: impl IntoIterator<Item = (&'t [u8], usize)>) -> Vec<u8> {
    let mut zip = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let mut sum = Crc::new();
    for (text, times) in parts {
        let mut block = Vec::with_capacity(text.len() + 1024);
        let mut compress = Compress::new(Compression::fast(), false);
        // A full flush ends the block at a byte, and nothing refers to earlier ones.
        let flush = FlushCompress::Full;
        compress.compress_vec(text, &mut block, flush).unwrap();
        let mut own = Crc::new();
        own.update(text);
        for _ in 0..times {
            zip.extend_from_slice(&block);
            sum.combine(&own);
        }
    }
    // An empty last block.
    zip.extend([3, 0]);
    zip.extend(sum.sum().to_le_bytes());
    zip.extend(sum.amount().to_le_bytes());
    zip
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

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn repeated_blocks_are_one_member() {
        let zip = gzip([(&b"a1"[..], 1), (&b"b2"[..], 3)]);
        let mut text = String::new();
        let mut decoder = flate2::read::GzDecoder::new(&zip[..]);
        decoder.read_to_string(&mut text).unwrap();
        assert_eq!(text, "a1b2b2b2");
    }
}
