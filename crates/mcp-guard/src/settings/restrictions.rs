//! Settings that only restrict.

use serde_json::Value;

use super::Permissions;
use crate::rules::Layer;

/// Settings that only restrict. They are collected from all layers: no layer can switch off what another has switched on.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Restrictions {
    /// Whether `disableBypassPermissionsMode` is set.
    pub(crate) bypass_disabled: bool,
    /// Whether `disableAutoMode` is set.
    pub(crate) auto_disabled: bool,
    /// The first settings layer in which `denyInsteadOfPrompting` is on. `None` if it is off in all layers.
    pub(crate) deny_instead_of_prompting: Option<Layer>,
    /// The first settings layer in which `blockReadsOutsideWorkingDirectories` is on. `None` if it is off in all layers.
    pub(crate) block_reads: Option<Layer>,
    /// The first settings layer in which `blockWritesOutsideWorkingDirectories` is on. `None` if it is off in all layers.
    pub(crate) block_writes: Option<Layer>,
    /// Whether an administrator's settings set `allowManagedPermissionRulesOnly`.
    pub(crate) managed_rules_only: bool,
}

impl Restrictions {
    pub(super) fn add(&mut self, layer: Layer, permissions: &Permissions) {
        self.bypass_disabled |= is_on(permissions.disable_bypass_permissions_mode.as_ref());
        self.auto_disabled |= is_on(permissions.disable_auto_mode.as_ref());
        let with_layer = |value: &Option<Value>| is_on(value.as_ref()).then_some(layer);
        let add = |switch: &mut Option<Layer>, value| *switch = switch.or(with_layer(value));
        add(&mut self.deny_instead_of_prompting, &permissions.deny_instead_of_prompting);
        add(&mut self.block_reads, &permissions.block_reads_outside_working_directories);
        add(&mut self.block_writes, &permissions.block_writes_outside_working_directories);
    }
}

/// Returns whether a restriction is on. Every value except `null` and `false` switches it on, so that a mistyped value does not switch it off.
pub(super) fn is_on(value: Option<&Value>) -> bool {
    !matches!(value, None | Some(Value::Null | Value::Bool(false)))
}
