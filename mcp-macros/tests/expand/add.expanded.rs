/// Add two numbers.
async fn add(a: i64, b: i64) -> i64 {
    a + b
}
#[doc(hidden)]
#[allow(non_camel_case_types)]
#[::mcp_core::__private::derive(
    ::mcp_core::__private::Clone,
    ::mcp_core::__private::Copy,
    ::mcp_core::__private::Debug,
    ::mcp_core::__private::Default
)]
struct add {}
#[allow(deprecated)]
const _: () = {
    use ::mcp_core::__private as __mcp;
    #[allow(unused_imports)]
    use __mcp::asking::*;
    #[__mcp::derive(__mcp::serde::Deserialize, __mcp::schemars::JsonSchema)]
    #[serde(crate = "__mcp::serde", deny_unknown_fields)]
    #[schemars(crate = "__mcp::schemars")]
    #[allow(non_snake_case)]
    struct __Args<__T0, __T1> {
        ///left addend
        a: __T0,
        ///right addend
        b: __T1,
    }
    #[automatically_derived]
    impl __mcp::Tool for add {
        fn spec(&self) -> __mcp::ToolSpec {
            (&&&&__mcp::Probe::<i64>::NEW).__mcp_argument();
            (&&&&__mcp::Probe::<i64>::NEW).__mcp_argument();
            let __spec = __mcp::ToolSpec::new("add", "Add two numbers.");
            let __spec = (&&__mcp::Probe::<__Args<i64, i64>>::NEW)
                .__mcp_input(__spec, &[]);
            let __spec = (&&&&&__mcp::Probe::<(__mcp::AsTool, i64)>::NEW)
                .__mcp_output(__spec);
            __spec
        }
        fn call(&self, __call: __mcp::Call<'_>) -> __mcp::Calling {
            let __args = match (&&__mcp::Probe::<__Args<i64, i64>>::NEW)
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
    }
};
