//! Progress of a call: increasing, and not more often than a client can use.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Number;
use serde_json::value::RawValue;

use crate::host::Outgoing;
use crate::methods;
use crate::protocol::Revision;

/// The shortest time between two reports.
const PACE: Duration = Duration::from_millis(100);

/// How much is done, or how much there is in all.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Amount(f64);

impl Amount {
    /// Nobody knows how much there is.
    pub const UNKNOWN: Amount = Amount(f64::NAN);

    fn known(self) -> Option<f64> {
        self.0.is_finite().then_some(self.0)
    }

    /// Whole numbers without a point.
    fn to_json(self) -> Option<Number> {
        let whole = self.0 as i64;
        if whole as f64 == self.0 { Some(whole.into()) } else { Number::from_f64(self.0) }
    }
}

macro_rules! amounts {
    ($($type:ty),*) => {$(
        impl From<$type> for Amount {
            fn from(amount: $type) -> Amount {
                Amount(amount as f64)
            }
        }
    )*};
}

amounts!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f32, f64);

/// The reports of one call that has a progress token.
#[derive(Debug)]
pub(crate) struct Progress {
    token: Box<RawValue>,
    revision: Revision,
    last: Option<f64>,
    sent_at: Option<Instant>,
    held: Option<Outgoing>,
}

impl Progress {
    pub(crate) fn new(token: Box<RawValue>, revision: Revision) -> Progress {
        Progress { token, revision, last: None, sent_at: None, held: None }
    }

    /// Takes a report; gives back what is to be sent now. Of what comes too fast only the latest is held.
    pub(crate) fn report(&mut self, done: Amount, total: Amount, message: String, now: Instant) -> Option<Outgoing> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Params<'a> {
            progress_token: &'a RawValue,
            progress: Option<Number>,
            #[serde(skip_serializing_if = "Option::is_none")]
            total: Option<Number>,
            #[serde(skip_serializing_if = "Option::is_none")]
            message: Option<String>,
        }
        let progress = done.known()?;
        if self.last.is_some_and(|last| progress <= last) {
            return None;
        }
        self.last = Some(progress);
        let message = Some(message).filter(|text| !text.is_empty() && self.revision.has_annotations());
        let params = Params { progress_token: &self.token, progress: done.to_json(), total: total.to_json(), message };
        let report = Outgoing::notification(methods::PROGRESS, &params);
        if self.sent_at.is_some_and(|sent| now.duration_since(sent) < PACE) {
            self.held = Some(report);
            return None;
        }
        self.sent_at = Some(now);
        self.held = None;
        Some(report)
    }

    /// When a held report may go out.
    pub(crate) fn due_at(&self) -> Option<Instant> {
        self.held.as_ref().and(self.sent_at).map(|sent| sent + PACE)
    }

    /// What was held, now.
    pub(crate) fn flush(&mut self) -> Option<Outgoing> {
        self.held.take()
    }

    /// What was held, if its time has come.
    pub(crate) fn flush_due(&mut self, now: Instant) -> Option<Outgoing> {
        if self.due_at()? > now {
            return None;
        }
        self.sent_at = Some(now);
        self.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress() -> Progress {
        Progress::new(RawValue::from_string("7".into()).unwrap(), Revision::V2025_11_25)
    }

    fn text(message: Option<Outgoing>) -> String {
        message.map_or_else(String::new, |message| String::from_utf8(message.into_bytes()).unwrap())
    }

    #[test]
    fn of_a_flood_the_first_and_the_last_go_out() {
        let (mut progress, now) = (progress(), Instant::now());
        assert!(text(progress.report(1.into(), 10.into(), "one".into(), now)).contains(r#""progress":1,"total":10"#));
        for done in 2..=9 {
            assert_eq!(progress.report(done.into(), 10.into(), String::new(), now), None);
        }
        assert_eq!(progress.flush_due(now + PACE / 2), None);
        assert!(text(progress.flush_due(now + PACE)).contains(r#""progress":9"#));
        assert_eq!(progress.flush(), None);
    }

    #[test]
    fn what_does_not_increase_is_dropped() {
        let (mut progress, now) = (progress(), Instant::now());
        assert!(progress.report(5.into(), Amount::UNKNOWN, String::new(), now).is_some());
        assert_eq!(progress.report(5.into(), Amount::UNKNOWN, String::new(), now + PACE * 2), None);
        assert_eq!(progress.report(f64::NAN.into(), Amount::UNKNOWN, String::new(), now + PACE * 2), None);
        assert!(!text(progress.report(6.into(), Amount::UNKNOWN, String::new(), now + PACE * 2)).contains("total"));
    }
}
