/// Add two numbers.
async fn add(a: i64, b: i64) -> i64 {
    a + b
}
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    missing_debug_implementations,
    missing_copy_implementations
)]
struct add {}
#[allow(non_snake_case)]
mod __mcp_add {
    use ::mcp_core::__private as __mcp;
    #[allow(unused_imports)]
    use __mcp::asking::*;
    #[__mcp::derive(__mcp::serde::Deserialize, __mcp::schemars::JsonSchema)]
    #[serde(crate = "__mcp::serde", deny_unknown_fields)]
    #[schemars(crate = "__mcp::schemars")]
    #[allow(non_snake_case)]
    pub(super) struct __Args<__T0, __T1> {
        ///left addend
        pub(super) a: __T0,
        ///right addend
        pub(super) b: __T1,
    }
}
#[allow(deprecated)]
const _: () = {
    use ::mcp_core::__private as __mcp;
    #[allow(unused_imports)]
    use __mcp::asking::*;
    #[automatically_derived]
    impl __mcp::Tool for add {
        fn spec(&self) -> __mcp::ToolSpec {
            (&&&&__mcp::Probe::<i64>::NEW).__mcp_argument();
            (&&&&__mcp::Probe::<i64>::NEW).__mcp_argument();
            let __spec = __mcp::ToolSpec::new("add", "Add two numbers.");
            let __spec = (&&__mcp::Probe::<__mcp_add::__Args<i64, i64>>::NEW)
                .__mcp_input(__spec, &[]);
            let __spec = (&&&&&__mcp::Probe::<(__mcp::AsTool, i64)>::NEW)
                .__mcp_output(__spec);
            __spec
        }
        fn call(&self, __call: __mcp::Call<'_>) -> __mcp::Calling {
            let __args = match (&&__mcp::Probe::<__mcp_add::__Args<i64, i64>>::NEW)
                .__mcp_decode(&__call)
            {
                __mcp::Ok(__args) => __args,
                __mcp::Err(__refusal) => return __mcp::Calling::ready(__refusal),
            };
            __mcp::Calling::future(async move {
                (&&&&&&__mcp::Returned::new(
                    __mcp::AsTool,
                    add(__args.a, __args.b).await,
                ))
                    .__mcp_result()
            })
        }
    }
    #[automatically_derived]
    impl __mcp::Function for add {
        const NAME: &'static str = "add";
        fn offer() -> __mcp::Arc<dyn __mcp::Tool> {
            __mcp::Arc::new(add {})
        }
    }
};
