//! Random ids that cannot be guessed.

use crate::jsonrpc::{Code, RpcError};

/// Returns an id that cannot be guessed: 128 bits from the random number generator of the operating system, as 32 hexadecimal
/// digits. For session ids, tokens and other ids that a client or a user must not be able to guess.
///
/// # Errors
/// If the operating system provides no random numbers.
pub fn random_id() -> Result<String, RpcError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        RpcError::new(Code::INTERNAL_ERROR, format!("the operating system provides no random numbers: {error}"))
    })?;
    Ok(data_encoding::HEXLOWER.encode(&bytes))
}
