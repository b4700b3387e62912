/// Review a piece of code.
async fn review(
    code: String,
    language: Option<String>,
    most: u32,
    style: &Style,
) -> Result<Vec<PromptMessage>, io::Error> {
    style.review(code, language, most).await
}
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    missing_debug_implementations,
    missing_copy_implementations
)]
struct review {}
#[allow(deprecated)]
const _: () = {
    use ::mcp_core::__private as __mcp;
    #[allow(unused_imports)]
    use __mcp::dispatch::*;
    #[allow(unused_imports)]
    use __mcp::{None, Some};
    fn __default_most() -> u32 {
        3
    }
    fn __shown_most() -> __mcp::Value {
        (&&&__mcp::HeldValue::new(__default_most())).__mcp_show()
    }
    #[__mcp::derive(__mcp::serde::Deserialize, __mcp::schemars::JsonSchema)]
    #[serde(crate = "__mcp::serde", deny_unknown_fields)]
    #[schemars(crate = "__mcp::schemars")]
    #[allow(non_snake_case)]
    struct __Args<__T0, __T1, __T2> {
        ///the code
        code: __T0,
        #[serde(rename = "in")]
        language: __T1,
        #[serde(default = "__mcp :: Defaulted :: < __T2 > :: absent")]
        #[schemars(extend("default" = __shown_most()))]
        most: __mcp::Defaulted<__T2>,
    }
    #[automatically_derived]
    impl __mcp::Prompt for review {
        fn spec(&self) -> __mcp::PromptSpec {
            (&&&&__mcp::Probe::<String>::NEW).__mcp_argument();
            (&&&&__mcp::Probe::<Option<String>>::NEW).__mcp_argument();
            (&&&&__mcp::Probe::<u32>::NEW).__mcp_argument();
            let __spec = __mcp::PromptSpec::new("review", "Review a piece of code.")
                .title("Review")
                .icon(__mcp::Icon::new("https://example.com/review.svg"));
            let __spec = (&&__mcp::Probe::<__Args<String, Option<String>, u32>>::NEW)
                .__mcp_input(__spec, &["code", "in", "most"]);
            let __spec = __spec.complete("in", __mcp::completer(languages));
            let __spec = (&&&__mcp::Probe::<Style>::NEW).__mcp_need(__spec);
            let __spec = (&&&&&&__mcp::Probe::<
                (__mcp::AsPrompt, Result<Vec<PromptMessage>, io::Error>),
            >::NEW)
                .__mcp_output(__spec);
            __spec
        }
        fn get(
            &self,
            __call: __mcp::PromptCall<'_>,
        ) -> __mcp::ToolFuture<__mcp::PromptOutcome> {
            let __args = match (&&__mcp::Probe::<
                __Args<String, Option<String>, u32>,
            >::NEW)
                .__mcp_decode(&__call)
            {
                __mcp::Ok(__args) => __args,
                __mcp::Err(__refusal) => return __mcp::ToolFuture::ready(__refusal),
            };
            let __context = __mcp::context(__call);
            let __state3 = (&&&__mcp::Probe::<Style>::NEW).__mcp_borrow(&__context);
            __mcp::ToolFuture::future(async move {
                (&&&&__mcp::ReturnValue::new(
                    __mcp::AsPrompt,
                    review(
                            __args.code,
                            __args.language,
                            __args.most.or(__default_most),
                            &__state3,
                        )
                        .await,
                ))
                    .__mcp_result()
            })
        }
    }
    #[automatically_derived]
    impl __mcp::PromptFunction for review {
        const NAME: &'static str = "review";
        fn item() -> __mcp::Arc<dyn __mcp::Prompt> {
            __mcp::Arc::new(review {})
        }
    }
};
