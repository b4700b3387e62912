// The body of the `search` tool, included by every Rust peer: all of them do the same work.
fn run_search(query: &str, limit: u32, filter: Option<&Filter>) -> Found {
    let kind = filter.map_or(Kind::Doc, |filter| filter.kind);
    let least = filter.and_then(|filter| filter.min_score).unwrap_or(0.0);
    let hits: Vec<Hit> = (0..limit)
        .map(|id| Hit { id, title: format!("{query} #{id}"), kind, score: 1.0 / (1.0 + f64::from(id)) })
        .filter(|hit| hit.score >= least)
        .collect();
    Found { total: hits.len() as u32, hits }
}
