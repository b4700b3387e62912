//! The changes between two versions of the SDK.

use std::collections::BTreeSet;

use crate::declarations::Declarations;

/// Returns what changed in the declarations, one line for each name: `+` is new, `-` is gone, `~` has another type.
#[must_use]
pub fn changes(old: &Declarations, new: &Declarations) -> Vec<String> {
    let mut changes = Vec::new();
    compare(&mut changes, "function", &names(&old.functions), &names(&new.functions));
    let constants = |of: &Declarations| of.constants.keys().cloned().collect();
    compare(&mut changes, "constant", &constants(old), &constants(new));
    for (name, values) in &old.constants {
        let Some(now) = new.constants.get(name) else { continue };
        compare(&mut changes, &format!("value of {name}"), &names(values), &names(now));
    }
    let types = |of: &Declarations| of.types().map(ToOwned::to_owned).collect::<BTreeSet<String>>();
    compare(&mut changes, "type", &types(old), &types(new));
    for name in types(old).intersection(&types(new)) {
        members(&mut changes, name, old, new);
    }
    changes
}

fn names(names: &[String]) -> BTreeSet<String> {
    names.iter().cloned().collect()
}

fn compare(changes: &mut Vec<String>, kind: &str, old: &BTreeSet<String>, new: &BTreeSet<String>) {
    changes.extend(new.difference(old).map(|name| format!("+ {kind} {name}")));
    changes.extend(old.difference(new).map(|name| format!("- {kind} {name}")));
}

fn members(changes: &mut Vec<String>, name: &str, old: &Declarations, new: &Declarations) {
    let (was, is) = (old.members(name).unwrap_or_default(), new.members(name).unwrap_or_default());
    for member in &is {
        match was.iter().find(|before| before.name == member.name) {
            None => changes.push(format!("+ {name}.{}: {}", member.name, member.text())),
            Some(before) if before.text() != member.text() => {
                changes.push(format!("~ {name}.{}: {} (was {})", member.name, member.text(), before.text()));
            }
            Some(_) => {}
        }
    }
    for gone in was.iter().filter(|before| is.iter().all(|member| member.name != before.name)) {
        changes.push(format!("- {name}.{}", gone.name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_gone_and_different_is_listed() {
        let old = "export declare function a(): void; export declare const C: readonly ['x'];
            export declare type T = { kept: string; gone: number; other?: string };";
        let new = "export declare function b(): void; export declare const C: readonly ['x', 'y'];
            export declare type T = { kept: string; other?: number; added?: { x: 1 } }; declare type U = {};";
        assert_eq!(
            changes(&Declarations::read(old), &Declarations::read(new)),
            [
                "+ function b",
                "- function a",
                "+ value of C y",
                "+ type U",
                "+ T.added: {x :1 }",
                "~ T.other: number (was string)",
                "- T.gone"
            ]
        );
        assert_eq!(changes(&Declarations::read(new), &Declarations::read(new)), Vec::<String>::new());
    }
}
