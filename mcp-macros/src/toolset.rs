//! `#[toolset]` on an impl block.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, ImplItem, ImplItemFn, ItemImpl, Meta, Path};

use crate::attr::{self, Attr};
use crate::check::{self, Place};
use crate::errors::Errors;
use crate::model::{Argument, Kind, Offer, Preset};
use crate::what::What;
use crate::{expand, set, tokens};

/// The impl block as it was, and beside it impls of `Toolset` and its like.
pub(crate) fn toolset(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let krate = attr::toolset(attribute, &mut errors);
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
    let kinds: Vec<What> = What::ALL.into_iter().filter(|what| has(&block, *what)).collect();
    let offers = offers(&mut block, &mut errors);
    let (offers, errors) = match errors.finish(Some(offers)) {
        Ok(offers) => (Some(offers), None),
        Err(errors) => (None, Some(errors)),
    };
    if is_trait_impl {
        return quote!(#block #errors);
    }
    let cfgs: Vec<_> = block.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    let (private, imports) = (expand::private(krate.as_ref()), expand::imports(krate.as_ref()));
    let implementations = kinds.into_iter().map(|what| {
        let of_kind =
            |offers: &Vec<Offer>| set::body(what, offers.iter().filter(|offer| offer.what == what), block.self_ty.span());
        set::implementation(what, &block, &offers.as_ref().map_or_else(|| quote!(loop {}), of_kind))
    });
    quote! {
        #block
        #(#cfgs)*
        #[cfg(panic = "abort")]
        const _: () = #private::PANIC_IS_ABORT;
        #(#cfgs)*
        #[allow(deprecated)]
        const _: () = {
            #imports
            #(#attributes)*
            #(#implementations)*
        };
        #errors
    }
}

/// The paths of the attributes on methods. Generated code imports them, so that authors do and rustc sees them used.
fn attributes(block: &ItemImpl) -> Vec<TokenStream> {
    let mut paths: Vec<Path> = Vec::new();
    for item in &block.items {
        let ImplItem::Fn(method) = item else { continue };
        for path in method.attrs.iter().filter(|attr| What::of(attr).is_some()).map(Attribute::path) {
            if !paths.iter().any(|known| quote!(#known).to_string() == quote!(#path).to_string()) {
                paths.push(path.clone());
            }
        }
    }
    paths.iter().map(|path| quote_spanned!(path.span()=> #[allow(unused_imports)] use #path as _;)).collect()
}

/// Whether a method of the block is to be one.
fn has(block: &ItemImpl, what: What) -> bool {
    let is_one = |attr: &Attribute| What::of(attr) == Some(what);
    block.items.iter().any(|item| matches!(item, ImplItem::Fn(method) if method.attrs.iter().any(is_one)))
}

/// What the block offers; its methods lose the attributes that say so.
fn offers(block: &mut ItemImpl, errors: &mut Errors) -> Vec<Offer> {
    let mut offers = Vec::new();
    let mut found = false;
    let generics = block.generics.clone();
    let this = block.self_ty.to_token_stream();
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { continue };
        if let Some((what, attr)) = take_attribute(method, errors) {
            found = true;
            let offer = check::offer(what, attr, &method.attrs, &mut method.sig, Place::Toolset, errors);
            check::allow_many(&mut method.attrs, &method.sig);
            offers.extend(offer.map(|offer| settle(offer, &generics, &this, errors)));
        }
    }
    if !found && block.trait_.is_none() {
        errors.at(&block.self_ty, "#[toolset] found no tool here: put #[tool] on the methods that are tools");
    }
    distinct(&offers, errors);
    offers
}

/// What a method is to be, and what its attribute says about that.
fn take_attribute(method: &mut ImplItemFn, errors: &mut Errors) -> Option<(What, Attr)> {
    let first = method.attrs.iter().position(|attr| What::of(attr).is_some())?;
    let first = method.attrs.remove(first);
    let what = What::of(&first)?;
    check::only_one(what, &mut method.attrs, errors);
    let tokens = match first.meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    let attr = Attr::parse(what, tokens, errors);
    if let Some(path) = &attr.krate {
        errors.at(path, "say this once, above the impl block: #[toolset(crate = ..)]");
    }
    Some((what, attr))
}

/// Makes sure that the types derived code must name can be named outside the impl block.
fn settle(mut offer: Offer, generics: &syn::Generics, this: &TokenStream, errors: &mut Errors) -> Offer {
    let is_parameter = |word: &syn::Ident| match word {
        _ if word == "Self" => !generics.params.is_empty(),
        _ => generics.type_params().any(|param| param.ident == *word),
    };
    for param in &mut offer.params {
        let Kind::Argument(argument) = &mut param.kind else { continue };
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
        if let Some(Preset::Value(value)) = default
            && tokens::mentions(quote!(#value), &|word| word == "Self")
        {
            *value = syn::Expr::Verbatim(tokens::without_self(quote!(#value), this));
        }
    }
    offer
}

/// Two methods under one `cfg` each may share a name; the others may not.
fn distinct(offers: &[Offer], errors: &mut Errors) {
    let certain: Vec<&Offer> = offers.iter().filter(|offer| offer.cfgs.is_empty()).collect();
    for (index, offer) in certain.iter().enumerate() {
        let (what, key) = (offer.what, offer.key().value());
        if certain[..index].iter().any(|earlier| earlier.what == what && earlier.key().value() == key) {
            let fault = match what {
                What::Resource => format!("two resources have the address `{key}`: give one another"),
                _ => format!("two {what}s are named `{key}`: give one another name with {}", what.with_key("name")),
            };
            errors.at(offer.key(), fault);
        }
    }
}
