/// Search the notes.
///
/// - `word` may hold *wildcards*
pub(crate) fn search(
    word: String,
    limit: u32,
    folders: Option<Vec<String>>,
    cx: &Context,
    notes: &Notes,
) -> Result<Json<Vec<Note>>, io::Error> {
    notes.search(&word, limit, folders, cx)
}
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    missing_debug_implementations,
    missing_copy_implementations
)]
pub(crate) struct search {}
#[allow(deprecated)]
const _: () = {
    use my_mcp::__private as __mcp;
    #[allow(unused_imports)]
    use __mcp::dispatch::*;
    #[allow(unused_imports)]
    use __mcp::{None, Some};
    fn __default_limit() -> u32 {
        10
    }
    fn __shown_limit() -> __mcp::Value {
        (&&&__mcp::HeldValue::new(__default_limit())).__mcp_show()
    }
    #[__mcp::derive(__mcp::serde::Deserialize, __mcp::schemars::JsonSchema)]
    #[serde(crate = "__mcp::serde", deny_unknown_fields)]
    #[schemars(crate = "__mcp::schemars")]
    #[allow(non_snake_case)]
    struct __Args<__T0, __T1, __T2> {
        word: __T0,
        #[serde(default = "__mcp :: Defaulted :: < __T1 > :: absent")]
        #[schemars(extend("default" = __shown_limit()))]
        limit: __mcp::Defaulted<__T1>,
        #[serde(rename = "in")]
        #[schemars(length(min = 1))]
        folders: __T2,
    }
    #[automatically_derived]
    impl __mcp::Tool for search {
        fn spec(&self) -> __mcp::ToolSpec {
            (&&&&__mcp::Probe::<String>::NEW).__mcp_argument();
            (&&&&__mcp::Probe::<u32>::NEW).__mcp_argument();
            (&&&&__mcp::Probe::<Option<Vec<String>>>::NEW).__mcp_argument();
            let __spec = __mcp::ToolSpec::new(
                    "search-notes",
                    "Search the notes.\n\n- `word` may hold *wildcards*",
                )
                .read_only(true)
                .timeout(__mcp::Duration::new(30u64, 0u32))
                .meta("acme/cost", 3);
            let __spec = (&&__mcp::Probe::<
                __Args<String, u32, Option<Vec<String>>>,
            >::NEW)
                .__mcp_input(__spec, &[]);
            let __spec = (&&&__mcp::Probe::<Context>::NEW).__mcp_need(__spec);
            let __spec = (&&&__mcp::Probe::<Notes>::NEW).__mcp_need(__spec);
            let __spec = (&&&&&&__mcp::Probe::<
                (__mcp::AsTool, Result<Json<Vec<Note>>, io::Error>),
            >::NEW)
                .__mcp_output(__spec);
            __spec
        }
        fn call(&self, __call: __mcp::Call<'_>) -> __mcp::ToolFuture {
            let __args = match (&&__mcp::Probe::<
                __Args<String, u32, Option<Vec<String>>>,
            >::NEW)
                .__mcp_decode(&__call)
            {
                __mcp::Ok(__args) => __args,
                __mcp::Err(__refusal) => return __mcp::ToolFuture::ready(__refusal),
            };
            let __context = __mcp::context(__call);
            let __state3 = (&&&__mcp::Probe::<Context>::NEW).__mcp_borrow(&__context);
            let __state4 = (&&&__mcp::Probe::<Notes>::NEW).__mcp_borrow(&__context);
            __mcp::ToolFuture::blocking(move || {
                (&&&&__mcp::ReturnValue::new(
                    __mcp::AsTool,
                    search(
                        __args.word,
                        __args.limit.or(__default_limit),
                        __args.folders,
                        &__state3,
                        &__state4,
                    ),
                ))
                    .__mcp_result()
            })
        }
    }
    #[automatically_derived]
    impl __mcp::Function for search {
        const NAME: &'static str = "search-notes";
        fn item() -> __mcp::Arc<dyn __mcp::Tool> {
            __mcp::Arc::new(search {})
        }
    }
    #[allow(
        missing_debug_implementations,
        missing_copy_implementations,
        unreachable_pub,
        dead_code
    )]
    pub(crate) struct __Client<'__c, __C: ?::core::marker::Sized>(&'__c __C);
    #[allow(unreachable_pub)]
    impl search {
        /// Returns a client of this tool. Its function `call` takes the arguments of the tool.
        pub(crate) fn on<'__c, __C: __mcp::Caller + ?::core::marker::Sized>(
            __client: &'__c __C,
        ) -> __Client<'__c, __C> {
            __Client(__client)
        }
    }
    #[allow(unreachable_pub, dead_code)]
    impl<'__c, __C: ?::core::marker::Sized> __Client<'__c, __C> {
        /// Calls the tool.
        #[allow(clippy::too_many_arguments)]
        pub(crate) fn call(
            &self,
            word: impl __mcp::Into<String>,
            limit: __mcp::Option<u32>,
            folders: Option<Vec<String>>,
        ) -> __mcp::TypedCall<
            '__c,
            __C,
            (String, (__mcp::IfGiven<u32>, (__mcp::NotNull<Option<Vec<String>>>, ()))),
            Result<Json<Vec<Note>>, io::Error>,
        >
        where
            __C: __mcp::Caller,
        {
            __mcp::TypedCall::new(
                self.0,
                "search-notes",
                &["word", "limit", "in"],
                (
                    __mcp::Into::into(word),
                    (__mcp::IfGiven(limit), (__mcp::NotNull(folders), ())),
                ),
            )
        }
    }
};
