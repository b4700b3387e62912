#[toolset]
impl<S: Store> Counter<S> {
    fn new(store: S) -> Self {
        Counter { store }
    }

    /// Count up.
    #[tool]
    async fn bump(
        &self,
        /// by how much
        by: S::Amount,
    ) -> Result<S::Amount, S::Error> {
        self.store.add(by).await
    }

    /// Say how it counts.
    #[tool(read_only)]
    #[cfg(feature = "help")]
    fn help() -> &'static str {
        "upwards"
    }
}
