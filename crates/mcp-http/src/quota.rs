//! A limit on something that clients use at the same time, in total and for each client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::peer::Client;

/// Counts what all clients use, and what each client uses.
#[derive(Debug)]
pub(crate) struct Quota {
    total: usize,
    per_client: usize,
    used: Mutex<Used>,
}

#[derive(Debug, Default)]
struct Used {
    total: usize,
    clients: HashMap<Client, usize>,
}

/// The limit that would be exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exceeded {
    Total,
    Client,
}

/// What one request or stream of a client uses. Dropping it returns the share.
#[derive(Debug)]
pub(crate) struct Share {
    quota: Arc<Quota>,
    client: Client,
    amount: usize,
}

impl Quota {
    pub(crate) fn new(total: usize, per_client: usize) -> Arc<Quota> {
        Arc::new(Quota { total, per_client, used: Mutex::default() })
    }

    /// Takes `amount` for `client`. A client that is [unknown](Client::Unknown) is limited by the total alone.
    pub(crate) fn take(self: &Arc<Quota>, client: &Client, amount: usize) -> Result<Share, Exceeded> {
        self.add(client, amount)?;
        Ok(Share { quota: self.clone(), client: client.clone(), amount })
    }

    fn add(&self, client: &Client, amount: usize) -> Result<(), Exceeded> {
        let mut used = self.used();
        let of_client = used.clients.get(client).copied().unwrap_or(0);
        if *client != Client::Unknown && of_client.saturating_add(amount) > self.per_client {
            return Err(Exceeded::Client);
        }
        if used.total.saturating_add(amount) > self.total {
            return Err(Exceeded::Total);
        }
        used.total += amount;
        used.clients.insert(client.clone(), of_client + amount);
        Ok(())
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// Increases the share to `amount`. Never decreases it.
    pub(crate) fn grow_to(&mut self, amount: usize) -> Result<(), Exceeded> {
        if amount > self.amount {
            self.quota.add(&self.client, amount - self.amount)?;
            self.amount = amount;
        }
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut used = self.quota.used();
        used.total -= self.amount;
        let is_last = used.clients.get_mut(&self.client).is_some_and(|amount| {
            *amount -= self.amount;
            *amount == 0
        });
        if is_last {
            used.clients.remove(&self.client);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(name: &str) -> Client {
        Client::Principal(name.into())
    }

    #[test]
    fn a_client_cannot_use_more_than_its_share_nor_all_clients_more_than_the_total() {
        let quota = Quota::new(3, 2);
        let first = quota.take(&client("ada"), 1).unwrap();
        let _second = quota.take(&client("ada"), 1).unwrap();
        assert_eq!(quota.take(&client("ada"), 1).unwrap_err(), Exceeded::Client);
        let _third = quota.take(&client("bob"), 1).unwrap();
        assert_eq!(quota.take(&client("carol"), 1).unwrap_err(), Exceeded::Total);
        drop(first);
        assert!(quota.take(&client("carol"), 1).is_ok());
        assert!(quota.take(&client("ada"), 1).is_ok());
        assert_eq!(quota.used().clients.len(), 2, "clients that use nothing are not kept");
    }

    #[test]
    fn a_share_that_grows_counts_against_both_limits() {
        let quota = Quota::new(10, 6);
        let mut share = quota.take(&client("ada"), 0).unwrap();
        assert!(share.grow_to(6).is_ok() && share.grow_to(2).is_ok());
        assert_eq!(share.grow_to(7), Err(Exceeded::Client));
        assert_eq!(quota.take(&client("bob"), 5).unwrap_err(), Exceeded::Total);
        drop(share);
        assert!(quota.take(&client("bob"), 5).is_ok());
    }

    #[test]
    fn clients_without_a_known_address_are_limited_by_the_total_alone() {
        let quota = Quota::new(3, 1);
        let taken = quota.take(&Client::Unknown, 3).unwrap();
        assert_eq!(quota.take(&Client::Unknown, 1).unwrap_err(), Exceeded::Total);
        drop(taken);
        assert_eq!(quota.used().total, 0);
    }
}
