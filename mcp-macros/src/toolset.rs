//! `#[toolset]` on an impl block.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, ImplItem, ImplItemFn, ItemImpl, Meta, Path};

use crate::attr::{self, Attr};
use crate::check::{self, Place};
use crate::errors::Errors;
use crate::item_kind::ItemKind;
use crate::model::{Argument, ArgumentDefault, ItemModel, ParamKind};
use crate::{expand, tokens, toolset_impl, typed_client};

/// Expands the attribute: the impl block without our attributes, and impls of `Toolset`, `Promptset` and `Resourceset`.
pub(crate) fn expand_toolset(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (krate, client) = attr::of_toolset(attribute, &mut errors);
    let Ok(mut block) = syn::parse2::<ItemImpl>(item.clone()) else {
        let first: TokenStream = item.clone().into_iter().take(1).collect();
        errors.at(first, "#[toolset] goes on an impl block: `#[toolset] impl Counter { #[tool] fn .. }`");
        let errors = errors.finish::<()>(None).unwrap_err();
        return quote!(#item #errors);
    };
    if let Some((path, _)) = &block.trait_ {
        errors.at(path, "#[toolset] goes on an impl block without a trait: move the tools to `impl Type { .. }`");
    }
    let is_trait_impl = block.trait_.is_some();
    let attributes = attributes(&block);
    let kinds: Vec<ItemKind> = ItemKind::ALL.into_iter().filter(|item_kind| has(&block, *item_kind)).collect();
    if let (Some(name), false) = (&client, block.generics.params.is_empty()) {
        errors.at(name, "a client can be generated only for an impl block without parameters: remove `client`");
    }
    let models = models(&mut block, &mut errors);
    let (models, errors) = match errors.finish(Some(models)) {
        Ok(models) => (Some(models), None),
        Err(errors) => (None, Some(errors)),
    };
    if is_trait_impl {
        return quote!(#block #errors);
    }
    let cfgs: Vec<_> = block.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    let (private, imports) = (expand::private(krate.as_ref()), expand::imports(krate.as_ref()));
    let implementations = kinds.into_iter().map(|item_kind| {
        let of_kind = |models: &Vec<ItemModel>| {
            toolset_impl::body(item_kind, models.iter().filter(|model| model.item_kind == item_kind), block.self_ty.span())
        };
        toolset_impl::implementation(item_kind, &block, &models.as_ref().map_or_else(|| quote!(loop {}), of_kind))
    });
    let client = client.filter(|_| errors.is_none()).map(|name| {
        let tools: Vec<_> = models.iter().flatten().filter(|model| model.item_kind == ItemKind::Tool).collect();
        typed_client::of_toolset(&name, &block, &tools, &imports)
    });
    quote! {
        #block
        #(#cfgs)*
        #[cfg(all(panic = "abort", not(target_family = "wasm")))]
        const _: () = #private::PANIC_IS_ABORT;
        #(#cfgs)*
        #[allow(deprecated)]
        const _: () = {
            #imports
            #(#attributes)*
            #(#implementations)*
        };
        #client
        #errors
    }
}

/// Returns imports of the attributes on methods. `#[toolset]` removes these attributes, so without the imports rustc would not
/// report a missing `use`, and would report an existing one as unused.
fn attributes(block: &ItemImpl) -> Vec<TokenStream> {
    let mut paths: Vec<Path> = Vec::new();
    for item in &block.items {
        let ImplItem::Fn(method) = item else { continue };
        for path in method.attrs.iter().filter(|attr| ItemKind::from_attribute(attr).is_some()).map(Attribute::path) {
            if !paths.iter().any(|known| quote!(#known).to_string() == quote!(#path).to_string()) {
                paths.push(path.clone());
            }
        }
    }
    paths.iter().map(|path| quote_spanned!(path.span()=> #[allow(unused_imports)] use #path as _;)).collect()
}

/// Returns whether a method of the block has the attribute of this kind.
fn has(block: &ItemImpl, item_kind: ItemKind) -> bool {
    let is_one = |attr: &Attribute| ItemKind::from_attribute(attr) == Some(item_kind);
    block.items.iter().any(|item| matches!(item, ImplItem::Fn(method) if method.attrs.iter().any(is_one)))
}

/// Returns the items of the block, and removes their attributes from the methods.
fn models(block: &mut ItemImpl, errors: &mut Errors) -> Vec<ItemModel> {
    let mut models = Vec::new();
    let mut found = false;
    let generics = block.generics.clone();
    let this = block.self_ty.to_token_stream();
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { continue };
        if let Some((item_kind, attr)) = take_attribute(method, errors) {
            found = true;
            let model = check::item_model(item_kind, attr, &method.attrs, &mut method.sig, Place::Toolset, errors);
            check::allow_many(&mut method.attrs, &method.sig);
            models.extend(model.map(|model| resolve_self(model, &generics, &this, errors)));
        }
    }
    if !found && block.trait_.is_none() {
        errors.at(&block.self_ty, "this #[toolset] has no tools: put #[tool] on the methods that are tools");
    }
    distinct(&models, errors);
    models
}

/// Removes the attribute of a method. Returns the kind of item and the parsed attribute.
fn take_attribute(method: &mut ImplItemFn, errors: &mut Errors) -> Option<(ItemKind, Attr)> {
    let first = method.attrs.iter().position(|attr| ItemKind::from_attribute(attr).is_some())?;
    let first = method.attrs.remove(first);
    let item_kind = ItemKind::from_attribute(&first)?;
    check::only_one(item_kind, &mut method.attrs, errors);
    let tokens = match first.meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    let attr = Attr::parse(item_kind, tokens, errors);
    if let Some(path) = &attr.krate {
        errors.at(path, "set `crate` once, on the impl block: #[toolset(crate = ..)]");
    }
    Some((item_kind, attr))
}

/// Replaces `Self` in types and defaults that are used outside the impl block. Reports types that cannot be used there.
fn resolve_self(mut model: ItemModel, generics: &syn::Generics, this: &TokenStream, errors: &mut Errors) -> ItemModel {
    let is_parameter = |word: &syn::Ident| match word {
        _ if word == "Self" => !generics.params.is_empty(),
        _ => generics.type_params().any(|param| param.ident == *word),
    };
    for param in &mut model.params {
        let ParamKind::Argument(argument) = &mut param.kind else { continue };
        let Argument { ty, default, is_concrete, .. } = &mut **argument;
        if !*is_concrete && default.is_none() {
            continue;
        }
        if tokens::mentions(quote!(#ty), &is_parameter) {
            errors.at(
                &ty,
                "an argument with a default or a conversion cannot have a type that depends on the impl's parameters",
            );
            continue;
        }
        *ty = syn::Type::Verbatim(tokens::without_self(quote!(#ty), this));
        if let Some(ArgumentDefault::Value(value)) = default
            && tokens::mentions(quote!(#value), &|word| word == "Self")
        {
            *value = syn::Expr::Verbatim(tokens::without_self(quote!(#value), this));
        }
    }
    model
}

/// Reports duplicate names. Methods with `#[cfg(..)]` are not checked: usually only one of them is compiled.
fn distinct(models: &[ItemModel], errors: &mut Errors) {
    let certain: Vec<&ItemModel> = models.iter().filter(|model| model.cfgs.is_empty()).collect();
    for (index, model) in certain.iter().enumerate() {
        let (item_kind, key) = (model.item_kind, model.key().value());
        if certain[..index].iter().any(|earlier| earlier.item_kind == item_kind && earlier.key().value() == key) {
            let fault = match item_kind {
                ItemKind::Resource => format!("two resources have the URI `{key}`: change one of them"),
                _ => format!("two {item_kind}s are named `{key}`: rename one of them with {}", item_kind.with_key("name")),
            };
            errors.at(model.key(), fault);
        }
    }
}
