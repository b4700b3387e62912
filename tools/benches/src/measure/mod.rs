//! The measurements.

mod calls;
mod flight;
mod growth;
mod http;
mod in_flight;
mod latency;
mod memory;
mod plan;
mod served;
mod sessions;
#[cfg(test)]
mod shell;
mod starts;
mod tools;

pub(crate) use calls::calls;
pub(crate) use growth::{history, mounts};
pub(crate) use http::http;
pub(crate) use in_flight::in_flight;
pub(crate) use memory::memory;
pub(crate) use plan::{AgentPlan, Plan};
pub(crate) use served::Served;
pub(crate) use sessions::sessions;
pub(crate) use starts::starts;
pub(crate) use tools::{MANY, list, tools};

/// The order of the servers in a round. Each round begins with another server.
pub(crate) fn rotated(count: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |place| (place + round) % count)
}

#[cfg(test)]
mod tests {
    use super::rotated;

    #[test]
    fn each_round_has_every_server_once_and_begins_with_another() {
        assert_eq!(rotated(3, 0).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(rotated(3, 4).collect::<Vec<_>>(), [1, 2, 0]);
    }
}
