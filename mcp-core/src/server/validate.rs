//! Validation of a server when it is built. All errors are collected.

use std::any::TypeId;
use std::sync::Arc;

use crate::ask::Form;
use crate::prompt::spec::PromptSpec;
use crate::resource::Resource;
use crate::server::error::{Fault, ItemKind};
use crate::server::list::{Fixed, Listed, Listing, ResourceEntry, Templated};
use crate::server::state::{RequiredState, StateSource, States};
use crate::tool::name::name_fault;
use crate::tool::spec::ToolSpec;

/// A value that tools borrow, with the id and the name of its type.
pub(crate) type Given = (TypeId, &'static str, StateSource);

/// Collects the errors of a server that is being built.
#[derive(Default)]
pub(crate) struct Faults(pub(crate) Vec<Fault>);

impl Faults {
    pub(crate) fn states(&mut self, given: Vec<Given>) -> States {
        let mut states = States::default();
        for (id, type_name, source) in given {
            if !states.add(id, source) {
                self.0.push(Fault::DuplicateState { type_name });
            }
        }
        states
    }

    pub(crate) fn check_tool(&mut self, spec: &ToolSpec, states: &States) {
        self.check_name(ItemKind::Tool, spec.name(), spec.description());
        if let Some(reason) = spec.input.fault() {
            self.0.push(Fault::Schema { tool: spec.name().to_owned(), reason });
        }
        if let Err(reason) = spec.input.header_params() {
            self.0.push(Fault::Schema { tool: spec.name().to_owned(), reason });
        }
        self.check_needs(ItemKind::Tool, spec.name(), &spec.needs, states);
        self.check_forms(ItemKind::Tool, spec.name(), &spec.forms);
    }

    pub(crate) fn check_prompt(&mut self, spec: &PromptSpec, states: &States) {
        self.check_name(ItemKind::Prompt, spec.name(), spec.description());
        self.check_needs(ItemKind::Prompt, spec.name(), &spec.needs, states);
        self.check_forms(ItemKind::Prompt, spec.name(), &spec.forms);
    }

    /// Splits the resources into those with a fixed URI and those with a template.
    pub(crate) fn resources(&mut self, resources: Vec<Arc<dyn Resource>>, states: &States) -> (Vec<Fixed>, Vec<Templated>) {
        let (mut fixed, mut templated) = (Vec::new(), Vec::new());
        for resource in resources {
            match ResourceEntry::new(resource) {
                Err((uri, reason)) => self.0.push(Fault::ResourceUri { uri, reason }),
                Ok(entry) => {
                    self.check_needs(ItemKind::Resource, entry.spec.uri(), &entry.spec.needs, states);
                    self.check_forms(ItemKind::Resource, entry.spec.uri(), &entry.spec.forms);
                    if entry.template.is_fixed() {
                        fixed.push(Fixed { entry });
                    } else {
                        templated.push(Templated { entry });
                    }
                }
            }
        }
        (fixed, templated)
    }

    fn check_name(&mut self, kind: ItemKind, name: &str, description: &str) {
        if let Some(reason) = name_fault(name) {
            self.0.push(Fault::Name { kind, name: name.to_owned(), reason });
        }
        if description.chars().all(char::is_whitespace) {
            self.0.push(Fault::NoDescription { kind, name: name.to_owned() });
        }
    }

    fn check_needs(&mut self, kind: ItemKind, name: &str, needs: &[RequiredState], states: &States) {
        for needed in needs.iter().filter(|needed| !states.has(needed.id)) {
            let is_shared = states.has(needed.shared);
            self.0.push(Fault::MissingState { kind, name: name.to_owned(), type_name: needed.name, is_shared });
        }
    }

    fn check_forms(&mut self, kind: ItemKind, name: &str, forms: &[Form]) {
        for form in forms {
            if let Some(reason) = form.fault() {
                self.0.push(Fault::Form { kind, name: name.to_owned(), type_name: form.type_name, reason });
            }
        }
    }

    pub(crate) fn listing<E: Listed>(
        &mut self,
        entries: Vec<E>,
        page_size: usize,
        stamp: &Arc<str>,
        kind: ItemKind,
    ) -> Option<Listing<E>> {
        let listing = Listing::new(entries, page_size, stamp.clone());
        let fault = |name| Fault::Duplicate { kind, name };
        listing.map_err(|doubles| self.0.extend(doubles.into_iter().map(fault))).ok()
    }
}
