//! The current connection of a client. A lost connection is restored.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use mcp_core::protocol::Revision;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use crate::connection::Connection;
use crate::error::{CallError, ConnectError};
use crate::event_stream::{Events, Feed};
use crate::handshake::{self, Memory};
use crate::recovery::{STABLE, State};
use crate::shared::Shared;
use crate::transport::Transport;

/// The state that all handles of a client share.
pub(crate) struct Inner {
    pub(crate) shared: Arc<Shared>,
    transport: Box<dyn Transport>,
    current: Mutex<Option<Arc<Connection>>>,
    /// The lock held while connecting.
    memory: tokio::sync::Mutex<Memory>,
    state: watch::Sender<State>,
    states: Feed<State>,
    is_closed: AtomicBool,
}

impl Inner {
    /// Opens the first connection.
    pub(crate) async fn connect(transport: Box<dyn Transport>, shared: Arc<Shared>) -> Result<Arc<Inner>, ConnectError> {
        let inner = Arc::new(Inner {
            shared,
            transport,
            current: Mutex::default(),
            memory: tokio::sync::Mutex::default(),
            state: watch::Sender::new(State::Connecting),
            states: Feed::default(),
            is_closed: AtomicBool::new(false),
        });
        let mut memory = inner.memory.lock().await;
        let connection = handshake::connect(&*inner.transport, &inner.shared, &mut memory).await?;
        drop(memory);
        inner.install(connection);
        Ok(inner)
    }

    pub(crate) fn state(&self) -> State {
        self.state.borrow().clone()
    }

    pub(crate) fn states(&self) -> Events<State> {
        self.states.subscribe()
    }

    /// Returns the connection. Opens a new one if it was lost.
    pub(crate) async fn connection(self: &Arc<Inner>) -> Result<Arc<Connection>, CallError> {
        if let Some(connection) = self.living() {
            return Ok(connection);
        }
        if self.is_closed() {
            return Err(CallError::Closed);
        }
        let mut memory = self.memory.lock().await;
        match self.living() {
            Some(connection) => Ok(connection),
            None => self.reconnect(&mut memory).await,
        }
    }

    pub(crate) fn is_http(&self) -> bool {
        self.transport.is_http()
    }

    /// Returns whether requests use HTTP in a revision where arguments can go into headers.
    pub(crate) fn uses_headers(&self, connection: &Connection) -> bool {
        self.transport.is_http() && connection.revision().is_some_and(Revision::is_stateless)
    }

    pub(crate) fn living(&self) -> Option<Arc<Connection>> {
        self.current().clone().filter(|connection| !connection.is_lost())
    }

    async fn reconnect(self: &Arc<Inner>, memory: &mut Memory) -> Result<Arc<Connection>, CallError> {
        let recovery = &self.shared.options.recovery;
        if !self.can_recover() {
            let lost = ConnectError::Ended("the connection is lost, and recovery is off".to_owned());
            return Err(self.give_up(memory, lost));
        }
        loop {
            if recovery.gives_up(memory.failures) {
                // Connections were opened but lost again soon.
                let last = ConnectError::Ended("the connection was lost soon after it was opened".to_owned());
                return Err(self.give_up(memory, last));
            }
            let delay = recovery.delay(memory.failures);
            if !delay.is_zero() {
                self.enter(State::Waiting { failures: memory.failures, delay });
                tokio::select! {
                    () = sleep(delay) => {}
                    () = self.until_closed() => {}
                }
            }
            if self.is_closed.load(Ordering::Acquire) {
                return Err(CallError::Closed);
            }
            self.enter(State::Connecting);
            match handshake::connect(&*self.transport, &self.shared, memory).await {
                Ok(connection) => {
                    self.install(connection.clone());
                    return Ok(connection);
                }
                Err(error) => {
                    memory.failures += 1;
                    tracing::warn!(%error, failures = memory.failures, "cannot connect to the server");
                    if recovery.gives_up(memory.failures) {
                        return Err(self.give_up(memory, error));
                    }
                }
            }
        }
    }

    fn give_up(&self, memory: &mut Memory, last: ConnectError) -> CallError {
        self.enter(State::Failed);
        match std::mem::take(&mut memory.failures) {
            0 => last.into(),
            attempts => ConnectError::GaveUp { attempts, last: Box::new(last) }.into(),
        }
    }

    /// Makes this the current connection, and starts a task that restores it when it is lost.
    fn install(self: &Arc<Inner>, connection: Arc<Connection>) {
        // The new connection may lead to another server, so the caches are dropped.
        self.shared.cache.clear();
        self.shared.tools.clear();
        *self.current() = Some(connection.clone());
        if self.is_closed.load(Ordering::Acquire) {
            connection.lose("the client was closed");
            return;
        }
        self.enter(State::Connected);
        let (inner, began) = (Arc::downgrade(self), Instant::now());
        self.shared.runtime.spawn(async move {
            connection.until_lost().await;
            drop(connection);
            Inner::recover(&inner, began).await;
        });
    }

    /// Restores a lost connection without waiting for the next call, so that subscriptions continue.
    async fn recover(inner: &Weak<Inner>, began: Instant) {
        let Some(inner) = inner.upgrade() else { return };
        if inner.is_closed.load(Ordering::Acquire) {
            return;
        }
        let mut memory = inner.memory.lock().await;
        memory.failures = if began.elapsed() >= STABLE { 0 } else { memory.failures + 1 };
        if inner.living().is_some() {
            return;
        }
        // The error is ignored here: the state shows it, and the next call returns it.
        let _ = inner.reconnect(&mut memory).await;
    }

    pub(crate) fn can_recover(&self) -> bool {
        self.transport.can_reopen() && self.shared.options.recovery.is_on() && !self.is_closed.load(Ordering::Acquire)
    }

    /// Fails all calls. Returns the connection, which the caller must close.
    pub(crate) fn shut(&self) -> Option<Arc<Connection>> {
        if self.is_closed.swap(true, Ordering::AcqRel) {
            return None;
        }
        self.enter(State::Closed);
        let connection = self.current().take();
        if let Some(connection) = &connection {
            connection.lose("the client was closed");
        }
        connection
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    async fn until_closed(&self) {
        // An error would mean that the sender was dropped, but `self` owns it.
        let _ = self.state.subscribe().wait_for(|state| *state == State::Closed).await;
    }

    fn enter(&self, state: State) {
        let changed = self.state.send_if_modified(|current| {
            let open = *current != State::Closed && *current != state;
            if open {
                *current = state.clone();
            }
            open
        });
        if changed {
            self.states.send(&state);
        }
    }

    fn current(&self) -> MutexGuard<'_, Option<Arc<Connection>>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
