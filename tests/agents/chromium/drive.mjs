// Runs steps in a page, and prints what is to be seen as JSON. The steps come as JSON on standard input: see chromium.rs.
import { chromium } from "playwright-core";
import { text } from "node:stream/consumers";

const [executablePath] = process.argv.slice(2);
const steps = JSON.parse(await text(process.stdin));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: 120_000 });
const problems = [], seen = [], pages = {};
let page;

// Opens another window of the same browser, or returns to it.
async function open(name) {
  if (!pages[name]) {
    const context = page?.context() ?? await browser.newContext({ viewport: { width: 1200, height: 800 } });
    pages[name] = await context.newPage();
    pages[name].setDefaultTimeout(120_000);
    pages[name].on("pageerror", error => problems.push(String(error)));
    pages[name].on("console", message => {
      // A refused request is also reported here. The tests look at what the page makes of it.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) problems.push(message.text());
    });
  }
  page = pages[name];
}

// Waits until an expression is true. `waitForFunction` would need `eval` in the page, which its policy forbids.
async function wait(expression) {
  const end = Date.now() + 120_000;
  while (!await page.evaluate(`Boolean(${expression})`)) {
    if (Date.now() > end) throw new Error("this did not become true in 2 minutes");
    await new Promise(done => setTimeout(done, 50));
  }
}

const run = {
  window: open,
  goto: url => page.goto(url),
  reload: () => page.reload(),
  fill: ([selector, value]) => page.fill(selector, value),
  select: ([selector, option]) => page.selectOption(selector, option),
  focus: selector => page.focus(selector),
  click: selector => page.click(selector),
  press: key => page.keyboard.press(key),
  wait,
  see: async expression => seen.push(await page.evaluate(expression)),
  // The test hears this, and lets the model go on.
  fetch: url => fetch(url),
  size: ([width, height]) => page.setViewportSize({ width, height }),
  scheme: colorScheme => page.emulateMedia({ colorScheme }),
  shot: path => page.screenshot({ path }),
};

try {
  await open("first");
  for (const step of steps) {
    const [[name, value]] = Object.entries(step);
    try {
      await run[name](value);
    } catch (error) {
      const shown = await page.evaluate("document.body.innerText").catch(String);
      throw new Error(`${JSON.stringify(step)}: ${error.message}\n${shown}\n${problems.join("\n")}`);
    }
  }
  console.log(JSON.stringify({ browser: browser.version(), seen, problems }));
} finally {
  await browser.close();
}
