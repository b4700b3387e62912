/// A note.
fn note(folder: String, id: u32, notes: &Notes) -> Option<String> {
    notes.find(&folder, id)
}
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    missing_debug_implementations,
    missing_copy_implementations
)]
struct note {}
#[allow(deprecated)]
const _: () = {
    use ::mcp_core::__private as __mcp;
    #[allow(unused_imports)]
    use __mcp::dispatch::*;
    impl __mcp::HasArgumentInfo for note {
        const INFO: __mcp::ArgumentInfo = __mcp::ArgumentInfo {
            names: &["folder", "id"],
            docs: &["", ""],
            defaults: &[],
        };
    }
    #[automatically_derived]
    impl __mcp::Resource for note {
        fn spec(&self) -> __mcp::ResourceSpec {
            (&&&&__mcp::Probe::<String>::NEW).__mcp_argument();
            (&&&&__mcp::Probe::<u32>::NEW).__mcp_argument();
            let __spec = __mcp::ResourceSpec::new(
                    "notes://{folder}/{id}",
                    "note",
                    "A note.",
                )
                .mime_type("text/markdown")
                .audience([__mcp::Role::User, __mcp::Role::Assistant])
                .priority(0.5);
            let __spec = (&&__mcp::Probe::<
                __mcp::ArgumentList<note, (String, (u32, ()))>,
            >::NEW)
                .__mcp_input(__spec, &[]);
            let __spec = __spec.complete("id", __mcp::completer(Notes::ids));
            let __spec = (&&&__mcp::Probe::<Notes>::NEW).__mcp_need(__spec);
            let __spec = (&&&&&&__mcp::Probe::<(__mcp::AsResource, Option<String>)>::NEW)
                .__mcp_output(__spec);
            __spec
        }
        fn read(
            &self,
            __call: __mcp::ReadCall<'_>,
        ) -> __mcp::ToolFuture<__mcp::ReadOutcome> {
            let __mcp::ArgumentList { list: (__arg0, (__arg1, ())), .. } = match (&&__mcp::Probe::<
                __mcp::ArgumentList<note, (String, (u32, ()))>,
            >::NEW)
                .__mcp_decode(&__call)
            {
                __mcp::Ok(__args) => __args,
                __mcp::Err(__refusal) => return __mcp::ToolFuture::ready(__refusal),
            };
            let __kind = __mcp::AsResource::of(&__call);
            let __context = __mcp::context(__call);
            let __state2 = (&&&__mcp::Probe::<Notes>::NEW).__mcp_borrow(&__context);
            __mcp::ToolFuture::blocking(move || {
                (&&&&__mcp::ReturnValue::new(__kind, note(__arg0, __arg1, &__state2)))
                    .__mcp_result()
            })
        }
    }
    #[automatically_derived]
    impl __mcp::ResourceFunction for note {
        const NAME: &'static str = "notes://{folder}/{id}";
        fn item() -> __mcp::Arc<dyn __mcp::Resource> {
            __mcp::Arc::new(note {})
        }
    }
};
