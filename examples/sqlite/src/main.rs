//! A server with read-only access to a SQLite database: it lists the tables and runs queries. Blocking database calls are
//! plain `fn` tools, so they do not delay other calls.
//!
//! ```sh
//! cargo run -p sqlite-server -- path/to/data.db
//! ```

use std::process::ExitCode;
use std::sync::Mutex;

use mcp_core::{Builder, Json, ToolError, server, tool, toolset};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use serde_json::{Map, Value, json};

/// An open database. Its tools are blocking functions: they wait for each other, but do not delay other calls.
struct Database(Mutex<Connection>);

#[toolset]
impl Database {
    /// List the `create table` statements of all tables.
    #[tool(read_only)]
    fn tables(&self) -> Result<Vec<String>, ToolError> {
        let connection = self
            .0
            .lock()
            .map_err(|_| "the database is unavailable, because an earlier query panicked: restart the server")?;
        let mut statement = connection.prepare("select sql from sqlite_master where type = 'table' order by name")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Run one read-only SQL query and return its rows as objects.
    #[tool(read_only, timeout = "30s", max_result_size = 200_000)]
    fn query(
        &self,
        /// a single `select` statement, with `?` for each parameter
        sql: String,
        /// the values of the `?`, in order
        #[default(Vec::new())]
        parameters: Vec<Value>,
        #[default(100)]
        #[schemars(range(min = 1, max = 1000))]
        limit: usize,
    ) -> Result<Json<Vec<Map<String, Value>>>, ToolError> {
        let connection = self
            .0
            .lock()
            .map_err(|_| "the database is unavailable, because an earlier query panicked: restart the server")?;
        let mut statement = connection.prepare(&sql)?;
        if !statement.readonly() {
            return Err("the query writes to the database: use a `select` statement".into());
        }
        let names: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
        let mut rows = statement.query(params_from_iter(parameters.iter().map(sql_value)))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()?.filter(|_| found.len() < limit) {
            let cells = names.iter().enumerate().map(|(index, name)| Ok((name.clone(), json_value(row.get_ref(index)?))));
            found.push(cells.collect::<Result<_, rusqlite::Error>>()?);
        }
        Ok(Json(found))
    }
}

fn sql_value(value: &Value) -> rusqlite::types::Value {
    match value {
        Value::Null => rusqlite::types::Value::Null,
        Value::Bool(bool) => i64::from(*bool).into(),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.into(),
            None => number.as_f64().into(),
        },
        Value::String(text) => text.clone().into(),
        other => other.to_string().into(),
    }
}

fn json_value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(integer) => json!(integer),
        ValueRef::Real(real) => json!(real),
        ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => json!(format!("[{} bytes]", bytes.len())),
    }
}

fn open(path: &str) -> Result<Builder, rusqlite::Error> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    Ok(server!().tools(Database(Mutex::new(connection))))
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("the path of the database is missing: pass it as the first argument")?;
    // The framework parses the arguments after the path, as in `sqlite-server notes.db tools`.
    Ok(mcp_stdio::Stdio::new().arguments(words).run(open(&path)?))
}

#[cfg(test)]
mod tests {
    use mcp_test::Client;

    use super::*;

    fn client() -> Client {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("create table egg (id integer, colour text); insert into egg values (1, 'red'), (2, 'blue')")
            .unwrap();
        Client::new(server!().tools(Database(Mutex::new(connection))))
    }

    #[tokio::test]
    async fn rows_are_returned_as_objects() {
        let rows: Value =
            client().call_as("query", json!({"sql": "select * from egg where id > ?", "parameters": [1]})).await;
        assert_eq!(rows, json!([{"id": 2, "colour": "blue"}]));
    }

    #[tokio::test]
    async fn the_limit_is_applied_and_validated() {
        let rows: Value = client().call_as("query", json!({"sql": "select * from egg", "limit": 1})).await;
        assert_eq!(rows.as_array().unwrap().len(), 1);
        let refusal = client().call("query", json!({"sql": "select 1", "limit": 0})).await;
        assert!(refusal.is_error && refusal.to_text().contains("limit"), "{}", refusal.to_text());
    }

    #[tokio::test]
    async fn writes_and_invalid_queries_are_rejected_with_the_reason() {
        let client = client();
        let refusal = client.call("query", json!({"sql": "delete from egg"})).await;
        assert_eq!(refusal.to_text(), "the query writes to the database: use a `select` statement");
        let refusal = client.call("query", json!({"sql": "select 1 from nowhere"})).await;
        assert!(refusal.to_text().contains("no such table: nowhere"), "{}", refusal.to_text());
        assert!(client.call("tables", json!({})).await.to_text().contains("TABLE egg"));
    }
}
