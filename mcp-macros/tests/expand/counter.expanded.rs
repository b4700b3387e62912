impl<S: Store> Counter<S> {
    fn new(store: S) -> Self {
        Counter { store }
    }
    /// Count up.
    async fn bump(&self, by: S::Amount) -> Result<S::Amount, S::Error> {
        self.store.add(by).await
    }
    /// Say how it counts.
    #[cfg(feature = "help")]
    fn help() -> &'static str {
        "upwards"
    }
}
#[cfg(all(panic = "abort", not(target_family = "wasm")))]
const _: () = ::mcp_core::__private::PANIC_IS_ABORT;
#[allow(deprecated)]
const _: () = {
    use ::mcp_core::__private as __mcp;
    #[allow(unused_imports)]
    use __mcp::dispatch::*;
    #[allow(unused_imports)]
    use tool as _;
    #[automatically_derived]
    impl<S: Store> __mcp::ItemSet<__mcp::AsTool> for Counter<S>
    where
        Counter<S>: __mcp::Send + __mcp::Sync + 'static,
    {
        fn items(__set: __mcp::Arc<Self>) -> __mcp::Vec<__mcp::Arc<dyn __mcp::Tool>> {
            let mut __items: __mcp::Vec<__mcp::Arc<dyn __mcp::Tool>> = __mcp::Vec::new();
            {
                struct __Names;
                impl __mcp::HasArgumentInfo for __Names {
                    const INFO: __mcp::ArgumentInfo = __mcp::ArgumentInfo {
                        names: &["by"],
                        docs: &["by how much"],
                        defaults: &[],
                    };
                }
                __items
                    .push(
                        __mcp::method::<
                            __mcp::AsTool,
                            _,
                        >(
                            &__set,
                            || {
                                (&&&&__mcp::Probe::<S::Amount>::NEW).__mcp_argument();
                                let __spec = __mcp::ToolSpec::new("bump", "Count up.");
                                let __spec = (&&__mcp::Probe::<
                                    __mcp::ArgumentList<__Names, (S::Amount, ())>,
                                >::NEW)
                                    .__mcp_input(__spec, &[]);
                                let __spec = (&&&&&&__mcp::Probe::<
                                    (__mcp::AsTool, Result<S::Amount, S::Error>),
                                >::NEW)
                                    .__mcp_output(__spec);
                                __spec
                            },
                            |__set, __call| {
                                let __mcp::ArgumentList { list: (__arg0, ()), .. } = match (&&__mcp::Probe::<
                                    __mcp::ArgumentList<__Names, (S::Amount, ())>,
                                >::NEW)
                                    .__mcp_decode(&__call)
                                {
                                    __mcp::Ok(__args) => __args,
                                    __mcp::Err(__refusal) => {
                                        return __mcp::ToolFuture::ready(__refusal);
                                    }
                                };
                                let __set = __mcp::Clone::clone(__set);
                                __mcp::ToolFuture::future(async move {
                                    (&&&&__mcp::ReturnValue::new(
                                        __mcp::AsTool,
                                        Self::bump(&*__set, __arg0).await,
                                    ))
                                        .__mcp_result()
                                })
                            },
                        ),
                    );
            }
            #[cfg(feature = "help")]
            {
                __items
                    .push(
                        __mcp::method::<
                            __mcp::AsTool,
                            _,
                        >(
                            &__set,
                            || {
                                let __spec = __mcp::ToolSpec::new(
                                        "help",
                                        "Say how it counts.",
                                    )
                                    .read_only(true);
                                let __spec = (&&&&&&__mcp::Probe::<
                                    (__mcp::AsTool, &'static str),
                                >::NEW)
                                    .__mcp_output(__spec);
                                __spec
                            },
                            |_, __call| {
                                let _ = match (&&__mcp::Probe::<__mcp::NoArguments>::NEW)
                                    .__mcp_decode(&__call)
                                {
                                    __mcp::Ok(__args) => __args,
                                    __mcp::Err(__refusal) => {
                                        return __mcp::ToolFuture::ready(__refusal);
                                    }
                                };
                                __mcp::ToolFuture::blocking(move || {
                                    (&&&&__mcp::ReturnValue::new(__mcp::AsTool, Self::help()))
                                        .__mcp_result()
                                })
                            },
                        ),
                    );
            }
            __items
        }
    }
    #[automatically_derived]
    impl<S: Store> __mcp::Toolset for Counter<S>
    where
        Counter<S>: __mcp::Send + __mcp::Sync + 'static,
    {
        fn into_tools(self) -> __mcp::Vec<__mcp::Arc<dyn __mcp::Tool>> {
            <Self as __mcp::ItemSet<__mcp::AsTool>>::items(__mcp::Arc::new(self))
        }
    }
};
