//! The files of the page.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// Path, type and content of each file.
const FILES: [(&str, &str, &str); 17] = [
    ("/", HTML, include_str!("../page/index.html")),
    ("/style.css", CSS, include_str!("../page/style.css")),
    ("/main.js", JAVASCRIPT, include_str!("../page/main.js")),
    ("/dom.js", JAVASCRIPT, include_str!("../page/dom.js")),
    ("/api.js", JAVASCRIPT, include_str!("../page/api.js")),
    ("/json.js", JAVASCRIPT, include_str!("../page/json.js")),
    ("/list.js", JAVASCRIPT, include_str!("../page/list.js")),
    ("/server.js", JAVASCRIPT, include_str!("../page/server.js")),
    ("/form.js", JAVASCRIPT, include_str!("../page/form.js")),
    ("/content.js", JAVASCRIPT, include_str!("../page/content.js")),
    ("/copy.js", JAVASCRIPT, include_str!("../page/copy.js")),
    ("/tools.js", JAVASCRIPT, include_str!("../page/tools.js")),
    ("/complete.js", JAVASCRIPT, include_str!("../page/complete.js")),
    ("/prompts.js", JAVASCRIPT, include_str!("../page/prompts.js")),
    ("/resources.js", JAVASCRIPT, include_str!("../page/resources.js")),
    ("/questions.js", JAVASCRIPT, include_str!("../page/questions.js")),
    ("/journal.js", JAVASCRIPT, include_str!("../page/journal.js")),
];

/// Routes for all files.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.into_iter().fold(Router::new(), |router, (path, kind, content)| {
        router.route(path, get(move || async move { ([(CONTENT_TYPE, kind)], content) }))
    })
}
