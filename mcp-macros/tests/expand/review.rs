/// Review a piece of code.
#[prompt(title = "Review", icon = "https://example.com/review.svg")]
async fn review(
    /// the code
    code: String,
    #[serde(rename = "in")]
    #[complete(languages)]
    language: Option<String>,
    #[default(3)] most: u32,
    style: &Style,
) -> Result<Vec<PromptMessage>, io::Error> {
    style.review(code, language, most).await
}
