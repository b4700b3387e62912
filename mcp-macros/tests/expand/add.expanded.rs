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
#[allow(deprecated)]
const _: () = {
    use ::mcp_core::__private as __mcp;
    #[allow(unused_imports)]
    use __mcp::dispatch::*;
    impl __mcp::HasArgumentInfo for add {
        const INFO: __mcp::ArgumentInfo = __mcp::ArgumentInfo {
            names: &["a", "b"],
            docs: &["left addend", "right addend"],
            defaults: &[],
        };
    }
    #[automatically_derived]
    impl __mcp::Tool for add {
        fn spec(&self) -> __mcp::ToolSpec {
            (&&&&__mcp::Probe::<i64>::NEW).__mcp_argument();
            (&&&&__mcp::Probe::<i64>::NEW).__mcp_argument();
            let __spec = __mcp::ToolSpec::new("add", "Add two numbers.");
            let __spec = (&&__mcp::Probe::<
                __mcp::ArgumentList<add, (i64, (i64, ()))>,
            >::NEW)
                .__mcp_input(__spec, &[]);
            let __spec = (&&&&&&__mcp::Probe::<(__mcp::AsTool, i64)>::NEW)
                .__mcp_output(__spec);
            __spec
        }
        fn call(&self, __call: __mcp::Call<'_>) -> __mcp::ToolFuture {
            let __mcp::ArgumentList { list: (__arg0, (__arg1, ())), .. } = match (&&__mcp::Probe::<
                __mcp::ArgumentList<add, (i64, (i64, ()))>,
            >::NEW)
                .__mcp_decode(&__call)
            {
                __mcp::Ok(__args) => __args,
                __mcp::Err(__refusal) => return __mcp::ToolFuture::ready(__refusal),
            };
            __mcp::ToolFuture::future(async move {
                (&&&&__mcp::ReturnValue::new(__mcp::AsTool, add(__arg0, __arg1).await))
                    .__mcp_result()
            })
        }
    }
    #[automatically_derived]
    impl __mcp::Function for add {
        const NAME: &'static str = "add";
        fn item() -> __mcp::Arc<dyn __mcp::Tool> {
            __mcp::Arc::new(add {})
        }
    }
    #[allow(
        missing_debug_implementations,
        missing_copy_implementations,
        unreachable_pub,
        dead_code
    )]
    struct __Client<'__c, __C: ?::core::marker::Sized>(&'__c __C);
    #[allow(unreachable_pub)]
    impl add {
        /// Returns a client of this tool. Its function `call` takes the arguments of the tool.
        fn on<'__c, __C: __mcp::Caller + ?::core::marker::Sized>(
            __client: &'__c __C,
        ) -> __Client<'__c, __C> {
            __Client(__client)
        }
    }
    #[allow(unreachable_pub, dead_code)]
    impl<'__c, __C: ?::core::marker::Sized> __Client<'__c, __C> {
        /// Calls the tool.
        #[allow(clippy::too_many_arguments)]
        fn call(
            &self,
            a: i64,
            b: i64,
        ) -> __mcp::TypedCall<'__c, __C, (i64, (i64, ())), i64>
        where
            __C: __mcp::Caller,
        {
            __mcp::TypedCall::new(self.0, "add", &["a", "b"], (a, (b, ())))
        }
    }
};
