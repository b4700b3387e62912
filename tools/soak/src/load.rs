//! A mixed load, in an order that depends only on a seed.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::server::Server;

/// How many calls may be pending.
const WINDOW: usize = 200;

/// Calls of every kind, cancellations, panics, large payloads and invalid input.
#[derive(Debug)]
pub(crate) struct Load {
    state: u64,
}

impl Load {
    pub(crate) fn new() -> Load {
        Load { state: 1 }
    }

    /// Sends one message. Waits first if too many calls are pending.
    pub(crate) fn step(&mut self, server: &mut Server) {
        while server.open() > WINDOW {
            thread::sleep(Duration::from_millis(1));
        }
        match self.random(1000) {
            0..500 => self.call(server, "echo", json!({"text": "word ".repeat(self.state as usize % 40)})),
            500..600 => self.call_for_a_while(server, "slow", 20),
            600..680 => self.call_for_a_while(server, "block", 12),
            680..730 => self.call(server, "panic", json!({})),
            730..770 => {
                let bytes = self.random(256 << 10);
                self.call(server, "flood", json!({"bytes": bytes}));
            }
            770..790 => self.call(server, "echo", json!({"text": "x".repeat(256 << 10)})),
            790..850 => self.call(server, "echo", json!({"txet": 7})),
            850..860 => self.call(server, "nobody", json!({})),
            860..920 => server.send(b"this is not json"),
            920..950 => server.send(b"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}"),
            950..980 => {
                server.send(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":[]}}")
            }
            980..999 => server.send("[".repeat(10_000).as_bytes()),
            _ if self.random(100) == 0 => server.send(&vec![b'x'; 17 << 20]),
            _ => server.send(b""),
        }
        if self.random(50) == 0 {
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn call(&mut self, server: &mut Server, tool: &str, arguments: Value) {
        let id = server.call(tool, &arguments);
        if self.random(25) == 0 {
            server.cancel(id);
        }
    }

    fn call_for_a_while(&mut self, server: &mut Server, tool: &str, most: u64) {
        let ms = self.random(most);
        self.call(server, tool, json!({"ms": ms}));
    }

    fn random(&mut self, below: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % below
    }
}
