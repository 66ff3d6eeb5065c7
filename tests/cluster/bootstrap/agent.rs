//! `bootstrap git` by the keys of an SSH agent: this machine comes in with one of them, and the
//! cluster gets a key pair of its own, which the agent never sees.

use k8s_openapi::api::core::v1::Secret;
use serde_json::json;
use sluice_git::serve::Change;
use sluice_testkit::{SshAgent, SshServer, wait};

use super::{NAMESPACE, Stage, head, json};
use crate::binary::Ended;

async fn run(stage: &Stage, socket: &str, line: &str) -> Ended {
    let kubeconfig = stage.world.bed.kubeconfig();
    let line = format!("git --timeout=2m {line}");
    let agent = Some(("SSH_AUTH_SOCK", socket));
    stage.run(&kubeconfig, &line, agent).await
}

#[tokio::test(flavor = "multi_thread")]
async fn with_an_agent_no_key_file_is_needed() {
    let stage = Stage::new().await;
    let (ssh, stranger) = (SshServer::start().await, SshServer::start().await);
    let repository = ssh.create("fleet.git", "main");
    let first = repository.commit("main", "First", &[Change::write("README.md", "# Fleet\n")]);
    let first = first.unwrap().to_string();
    let agent = SshAgent::start().await;
    let socket = agent.socket().display().to_string();
    let line = format!(
        "--url={} --path=clusters/one --silent",
        ssh.url("fleet.git")
    );
    let hint = "  hint: ssh-add adds a key to the agent, and --private-key-file names one";
    let refused = async |socket: &str, said: &str| {
        let refused = run(&stage, socket, &line).await;
        assert_eq!(refused.code, 1, "{refused:#?}");
        for said in ["✗ failed to clone repository: ", said, hint] {
            assert!(refused.stderr.contains(said), "{said}: {refused:#?}");
        }
        assert_eq!(head(&repository), Some(first.clone()), "nothing was pushed");
    };
    let gone = format!("{socket}-gone");
    refused(&gone, "-gone' cannot be reached: No such file").await;
    refused(&socket, "the SSH agent has no keys, or is locked").await;
    agent.add(&stranger.client_key()).await;
    refused(&socket, "the server accepts no key of the SSH agent").await;

    agent.add(&ssh.client_key()).await;
    let _controllers = stage.controllers();
    // What a person does at the question that --silent leaves out.
    let let_in = async {
        let secrets = stage.api::<Secret>();
        let public = wait::eventually("the cluster has a key", || async {
            let secret = secrets.get(NAMESPACE).await;
            let secret = secret.map_err(|error| error.to_string())?;
            let public = secret.data.and_then(|mut data| data.remove("identity.pub"));
            public.ok_or_else(|| "there is none".to_owned())
        })
        .await;
        ssh.authorize(&String::from_utf8(public.0).unwrap());
    };
    let flags = format!("{line} --output=json");
    let (done, ()) = tokio::join!(run(&stage, &socket, &flags), let_in);
    let result = json(&done.well());
    let commits = result["commits"].as_array().unwrap();
    assert_eq!(commits.len(), 2, "{result}");
    assert_eq!(head(&repository).as_deref(), commits[1].as_str());
    let own = result["publicKey"].as_str().unwrap();
    assert!(own.starts_with("ecdsa-sha2-nistp384 "), "{own}");
    assert!(!ssh.client_public_key().contains(own), "{own}");

    let before = stage.versions().await;
    let again = run(&stage, &socket, &flags).await.well();
    assert_eq!(json(&again)["commits"], json!([]));
    assert_eq!(stage.versions().await, before, "nothing is written anew");
}
