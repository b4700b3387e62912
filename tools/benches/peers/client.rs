// What the client programs in Rust call and print, included by each of them.
//
// `PROGRAM ONE_AT_A_TIME IN_FLIGHT SERVER..` starts the server, makes that many calls one at a time and that many with 64 in flight,
// and prints the mean nanoseconds of a call for both.

/// How many calls are in flight at a time.
const FLIGHT: u64 = 64;
/// How many calls are made before the time counts.
const WARM_UP: u64 = 300;

fn operands(id: u64) -> (i64, i64) {
    let id = id as i64;
    (id * 7 + 1, (id * 13) % 1009 - 500)
}

/// Whether the text is the sum of the operands of this call.
fn is_right(id: u64, text: &str) -> bool {
    let (a, b) = operands(id);
    text.parse() == Ok(a + b)
}

/// The number of calls one at a time, the number in flight, and the command of the server.
fn asked(arguments: impl Iterator<Item = String>) -> (u64, u64, Vec<String>) {
    let mut arguments = arguments;
    let mut number = || arguments.next().and_then(|number| number.parse().ok()).expect("ONE_AT_A_TIME IN_FLIGHT SERVER..");
    (number(), number(), arguments.collect())
}

#[expect(clippy::print_stdout, reason = "the benchmark reads the result from standard output")]
fn print(times: [std::time::Duration; 2], calls: [u64; 2]) {
    let mean = |place: usize| times[place].as_nanos() as f64 / calls[place] as f64;
    println!("{} {}", mean(0), mean(1));
}
