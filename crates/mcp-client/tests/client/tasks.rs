//! Calls that continue as tasks, in both forms.

use std::time::Duration;

use mcp_client::{CallOrTask, Client, Revision};
use mcp_core::Elicited;
use mcp_core::task::TaskStatus;
use serde_json::{Map, json};

use crate::test_server::{Served, Way};

const WAYS: [(Way, Revision); 6] = [
    (Way::InProcess, Revision::V2025_11_25),
    (Way::Streams, Revision::V2025_11_25),
    (Way::Http, Revision::V2025_11_25),
    (Way::InProcess, Revision::V2026_07_28),
    (Way::Streams, Revision::V2026_07_28),
    (Way::Http, Revision::V2026_07_28),
];

async fn connect(way: Way, revision: Revision) -> (Client, Served) {
    let (builder, served) = way.serve().await;
    let accept = async |_| Ok(Elicited::Accepted(Map::from_iter([("name".to_owned(), json!("Ada"))])));
    (builder.revision(revision).on_elicit(accept).await.unwrap(), served)
}

#[tokio::test]
async fn a_task_is_followed_to_its_result_and_its_questions_are_answered() {
    for (way, revision) in WAYS {
        let (client, _served) = connect(way, revision).await;
        let started = client.call("report", ()).start_task(Some(Duration::from_secs(60))).await.unwrap();
        let CallOrTask::Task(task) = started else { panic!("{way:?} {revision}: no task") };
        let result = client.task(task.id()).result().await.unwrap_or_else(|error| panic!("{way:?} {revision}: {error}"));
        assert_eq!(result.to_text(), "approved by Ada", "{way:?} {revision}");
        assert_eq!(task.status().await.unwrap().status, TaskStatus::Completed, "{way:?} {revision}");
    }
}

#[tokio::test]
async fn a_plain_call_that_becomes_a_task_returns_the_result() {
    for (way, revision) in WAYS {
        let (client, _served) = connect(way, revision).await;
        let text: String = client.call_as("report", ()).await.unwrap_or_else(|error| panic!("{way:?} {revision}: {error}"));
        assert_eq!(text, "approved by Ada", "{way:?} {revision}");
    }
}

#[tokio::test]
async fn a_tool_that_runs_only_as_a_task_is_called_like_any_other() {
    for (way, revision) in WAYS {
        let (client, _served) = connect(way, revision).await;
        // In 2025-11-25 the list of tools states that the tool requires a task.
        client.tools().all().await.unwrap();
        assert_eq!(client.call_as::<String>("long", ()).await.unwrap(), "done", "{way:?} {revision}");
    }
}

#[tokio::test]
async fn a_task_can_be_cancelled() {
    for (way, revision) in WAYS {
        let (builder, _served) = way.serve().await;
        // The question of the task is never answered.
        let client = builder.revision(revision).on_elicit(async |_| std::future::pending().await).await.unwrap();
        let CallOrTask::Task(task) = client.call("report", ()).start_task(None).await.unwrap() else { panic!("no task") };
        task.cancel().await.unwrap();
        assert_eq!(task.status().await.unwrap().status, TaskStatus::Cancelled, "{way:?} {revision}");
        assert!(task.result().await.is_err());
    }
}

#[tokio::test]
async fn tasks_are_listed_where_the_revision_has_a_list() {
    let (client, _served) = connect(Way::Streams, Revision::V2025_11_25).await;
    let CallOrTask::Task(task) = client.call("report", ()).start_task(None).await.unwrap() else { panic!("no task") };
    let listed = client.tasks().all().await.unwrap();
    assert_eq!(listed[0].id, task.id());
}

#[tokio::test]
async fn revisions_without_tasks_refuse_to_start_one() {
    let (client, _served) = connect(Way::Streams, Revision::V2025_06_18).await;
    let error = client.call("report", ()).start_task(None).await.unwrap_err();
    assert!(error.not_begun(), "{error:?}");
}
