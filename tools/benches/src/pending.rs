//! Checks that each request of a range of ids gets one correct response.

use std::ops::Range;

use crate::fault::Fault;
use crate::reply::Reply;
use crate::work::Work;

/// A range of ids, and which of them have a response.
#[derive(Debug)]
pub(crate) struct Replies {
    ids: Range<u64>,
    seen: Vec<bool>,
    answered: usize,
    refused: usize,
    may_refuse: bool,
}

impl Replies {
    /// A range without responses. `may_refuse` allows errors, for servers that reject calls under load.
    pub(crate) fn new(ids: Range<u64>, may_refuse: bool) -> Replies {
        let seen = vec![false; (ids.end - ids.start) as usize];
        Replies { ids, seen, answered: 0, refused: 0, may_refuse }
    }

    /// Takes a line. Returns whether it is a response, and not a notification or request.
    pub(crate) fn take(&mut self, work: &Work<'_>, line: &[u8]) -> Result<bool, Fault> {
        let reply = Reply::parse(line)?;
        let Some(id) = reply.id()? else { return Ok(false) };
        if !self.ids.contains(&id) {
            return Err(Fault::UnknownId { id });
        }
        if std::mem::replace(&mut self.seen[(id - self.ids.start) as usize], true) {
            return Err(Fault::Twice { id });
        }
        self.answered += 1;
        if self.may_refuse && reply.is_refusal() {
            self.refused += 1;
            return Ok(true);
        }
        work.check(id, &reply)?;
        Ok(true)
    }

    /// The number of ids with a response.
    pub(crate) fn answered(&self) -> usize {
        self.answered
    }

    /// The number of rejected calls, after all responses.
    pub(crate) fn close(self) -> Result<usize, Fault> {
        match self.seen.len() - self.answered {
            0 => Ok(self.refused),
            replies => Err(Fault::Missing { replies }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(id: u64, text: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#)
    }

    /// Checks these lines as the responses to calls 1 and 2, whose sums are -479 and -459.
    fn account(lines: &[String]) -> Result<usize, Fault> {
        let mut replies = Replies::new(1..3, false);
        for line in lines {
            replies.take(&Work::Add("add"), line.as_bytes())?;
        }
        replies.close()
    }

    #[test]
    fn right_replies_pass_in_any_order_and_notifications_are_not_replies() {
        let unasked = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#.to_owned();
        assert_eq!(account(&[sum(2, "-459"), unasked, sum(1, "-479")]), Ok(0));
    }

    #[test]
    fn a_wrong_sum_is_caught() {
        assert!(matches!(account(&[sum(1, "-478")]), Err(Fault::Answer { id: 1, .. })));
    }

    #[test]
    fn a_reply_that_comes_twice_or_never_or_to_nobody_is_caught() {
        assert_eq!(account(&[sum(1, "-479"), sum(1, "-479")]), Err(Fault::Twice { id: 1 }));
        assert_eq!(account(&[sum(1, "-479")]), Err(Fault::Missing { replies: 1 }));
        assert_eq!(account(&[sum(3, "0")]), Err(Fault::UnknownId { id: 3 }));
        assert!(matches!(account(&["{\"id\":".to_owned()]), Err(Fault::NotJson { .. })));
        assert!(matches!(account(&[sum(1, "x").replace("\"id\":1", "\"id\":null")]), Err(Fault::NoId { .. })));
    }

    #[test]
    fn a_refusal_is_wrong_unless_the_server_is_known_for_it() {
        let refusal = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"busy"}}"#;
        assert!(matches!(account(&[refusal.to_owned()]), Err(Fault::Refused { .. })));
        let mut replies = Replies::new(1..2, true);
        replies.take(&Work::Add("add"), refusal.as_bytes()).unwrap();
        assert_eq!(replies.close(), Ok(1));
    }

    #[test]
    fn a_hit_that_is_not_right_in_everything_is_caught() {
        let hits: Vec<String> = (0..5)
            .map(|id| {
                format!(r#"{{"id":{id},"title":"hello 1 #{id}","kind":"code","score":{}}}"#, 1.0 / (1.0 + f64::from(id)))
            })
            .collect();
        let reply =
            format!(r#"{{"id":1,"result":{{"content":[],"structuredContent":{{"total":5,"hits":[{}]}}}}}}"#, hits.join(","));
        let take = |line: &str| Replies::new(1..2, false).take(&Work::Search, line.as_bytes());
        assert_eq!(take(&reply), Ok(true));
        for (right, wrong) in [("\"total\":5", "\"total\":4"), ("#4", "#5"), ("code", "doc"), ("0.2}", "0.3}")] {
            assert!(take(&reply.replace(right, wrong)).is_err(), "{wrong}");
        }
    }
}
