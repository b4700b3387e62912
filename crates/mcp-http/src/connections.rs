//! The open connections: limited in number, in total and for each peer.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_core::Cancellation;
use tokio::sync::Notify;

use crate::peer::Peer;

/// The open connections. If there are too many, idle ones are closed to make room for new ones.
#[derive(Debug)]
pub(crate) struct Connections {
    max: usize,
    max_per_peer: usize,
    table: Mutex<Table>,
    freed: Notify,
}

#[derive(Debug, Default)]
struct Table {
    /// The number of the last event: connections and the ends of requests are numbered in order of time.
    last_event: u64,
    open: BTreeMap<u64, Connection>,
}

#[derive(Debug)]
struct Connection {
    /// The address that the connection comes from. `None` for a trusted proxy, which connects for many clients.
    peer: Option<Peer>,
    activity: Activity,
    close: Cancellation,
}

/// What a connection is doing, in the order in which connections are closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Activity {
    /// No complete request head was received yet.
    Unused,
    /// The last request has ended.
    Idle { since: u64 },
    /// A request is being served. Such a connection is not closed.
    Busy,
}

/// An open connection. Dropping it makes room for another one.
#[derive(Debug)]
pub(crate) struct OpenConnection {
    connections: Arc<Connections>,
    number: u64,
    close: Cancellation,
}

/// A request that is being served. Its connection is idle when it is dropped.
#[derive(Debug)]
pub(crate) struct ServedRequest(Arc<OpenConnection>);

/// Why a connection is not admitted now.
#[derive(Debug, PartialEq, Eq)]
enum Full {
    /// The peer has too many connections, none of them idle.
    Peer,
    /// There are too many connections in total, none of them idle.
    Total,
}

impl Connections {
    pub(crate) fn new(max: usize, max_per_peer: usize) -> Arc<Connections> {
        Arc::new(Connections { max, max_per_peer, table: Mutex::default(), freed: Notify::new() })
    }

    /// Admits a connection; waits while there are too many and none of them is idle. Returns `None` if the peer has too many
    /// connections, none of them idle.
    pub(crate) async fn admit(self: &Arc<Connections>, peer: Option<Peer>) -> Option<OpenConnection> {
        loop {
            let freed = self.freed.notified();
            match self.try_admit(peer) {
                Ok(connection) => return Some(connection),
                Err(Full::Peer) => return None,
                Err(Full::Total) => freed.await,
            }
        }
    }

    fn try_admit(self: &Arc<Connections>, peer: Option<Peer>) -> Result<OpenConnection, Full> {
        let mut table = self.lock();
        let of_peer = table.open.values().filter(|connection| peer.is_some() && connection.peer == peer).count();
        if of_peer >= self.max_per_peer && !table.close_idle(|connection| connection.peer == peer) {
            return Err(Full::Peer);
        }
        if table.open.len() >= self.max && !table.close_idle(|_| true) {
            return Err(Full::Total);
        }
        let (number, close) = (table.next_event(), Cancellation::new());
        table.open.insert(number, Connection { peer, activity: Activity::Unused, close: close.clone() });
        Ok(OpenConnection { connections: self.clone(), number, close })
    }

    /// Closes one idle connection, if there is one.
    pub(crate) fn close_idle(&self) -> bool {
        self.lock().close_idle(|_| true)
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn next_event(&mut self) -> u64 {
        self.last_event += 1;
        self.last_event
    }

    /// Closes one of these connections that is idle: first one that was never used, then one of the peer that has the most,
    /// then the oldest. Connections of trusted proxies are closed last. Returns whether there was one.
    fn close_idle(&mut self, of: impl Fn(&Connection) -> bool) -> bool {
        let mut counts: HashMap<Peer, usize> = HashMap::new();
        for peer in self.open.values().filter_map(|connection| connection.peer) {
            *counts.entry(peer).or_default() += 1;
        }
        let idle = self.open.iter().filter(|(_, connection)| connection.activity != Activity::Busy && of(connection));
        let order = |(number, connection): &(&u64, &Connection)| {
            let count = connection.peer.and_then(|peer| counts.get(&peer).copied()).unwrap_or(0);
            (connection.activity != Activity::Unused, Reverse(count), connection.activity, **number)
        };
        let Some(number) = idle.min_by_key(order).map(|(number, _)| *number) else { return false };
        if let Some(connection) = self.open.remove(&number) {
            connection.close.cancel();
        }
        true
    }
}

impl OpenConnection {
    /// Marks the connection as busy until the returned value is dropped.
    pub(crate) fn serve_request(self: &Arc<OpenConnection>) -> ServedRequest {
        if let Some(connection) = self.connections.lock().open.get_mut(&self.number) {
            connection.activity = Activity::Busy;
        }
        ServedRequest(self.clone())
    }

    /// Completes when the connection must be closed to make room for another one.
    pub(crate) async fn closed(&self) {
        self.close.cancelled().await;
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.connections.lock().open.remove(&self.number);
        self.connections.freed.notify_one();
    }
}

impl Drop for ServedRequest {
    fn drop(&mut self) {
        let mut table = self.0.connections.lock();
        let since = table.next_event();
        if let Some(connection) = table.open.get_mut(&self.0.number) {
            connection.activity = Activity::Idle { since };
        }
        drop(table);
        self.0.connections.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(last: u8) -> Option<Peer> {
        Some(Peer::new([192, 0, 2, last].into()))
    }

    fn admit(connections: &Arc<Connections>, last: u8) -> Result<Arc<OpenConnection>, Full> {
        connections.try_admit(peer(last)).map(Arc::new)
    }

    fn closed(connection: &OpenConnection) -> bool {
        connection.close.is_cancelled()
    }

    #[test]
    fn a_peer_over_its_limit_loses_its_oldest_unused_connection() {
        let connections = Connections::new(10, 2);
        let (one, two) = (admit(&connections, 1).unwrap(), admit(&connections, 1).unwrap());
        let other = admit(&connections, 2).unwrap();
        drop(one.serve_request());
        let three = admit(&connections, 1).unwrap();
        assert_eq!([&one, &two, &three, &other].map(|each| closed(each)), [false, true, false, false]);
    }

    #[test]
    fn a_busy_connection_is_not_closed() {
        let connections = Connections::new(2, 1);
        let one = admit(&connections, 1).unwrap();
        let request = one.serve_request();
        assert_eq!(admit(&connections, 1).unwrap_err(), Full::Peer);
        let two = admit(&connections, 2).unwrap();
        let _busy = two.serve_request();
        assert_eq!(admit(&connections, 3).unwrap_err(), Full::Total);
        drop(request);
        assert!(admit(&connections, 3).is_ok() && closed(&one) && !closed(&two));
    }

    #[test]
    fn at_the_total_the_peer_with_the_most_connections_loses_its_oldest() {
        let connections = Connections::new(4, 3);
        let first = admit(&connections, 1).unwrap();
        let many = [2, 2, 2].map(|last| admit(&connections, last).unwrap());
        let fifth = admit(&connections, 3).unwrap();
        assert_eq!(many.each_ref().map(|each| closed(each)), [true, false, false]);
        assert!(!closed(&first) && !closed(&fifth));
    }

    #[test]
    fn unused_connections_are_closed_before_idle_ones_and_those_of_proxies_last() {
        let connections = Connections::new(3, 3);
        let proxy = Arc::new(connections.try_admit(None).unwrap());
        let (used, unused) = (admit(&connections, 1).unwrap(), admit(&connections, 1).unwrap());
        [&proxy, &used].into_iter().for_each(|each| drop(each.serve_request()));
        let _next = admit(&connections, 2).unwrap().serve_request();
        assert!(closed(&unused) && !closed(&used) && !closed(&proxy));
        let _next = admit(&connections, 2).unwrap().serve_request();
        assert!(closed(&used) && !closed(&proxy));
        let _next = admit(&connections, 2).unwrap().serve_request();
        assert!(closed(&proxy));
    }

    #[tokio::test]
    async fn a_connection_waits_for_room() {
        let connections = Connections::new(1, 1);
        let one = admit(&connections, 1).unwrap();
        let request = one.serve_request();
        let waiting = tokio::spawn({
            let connections = connections.clone();
            async move { connections.admit(peer(2)).await.is_some() }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(request);
        assert!(waiting.await.unwrap() && closed(&one));
    }
}
