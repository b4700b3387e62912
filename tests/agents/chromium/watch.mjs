// Opens the page, runs a prompt in it, and says what is to be seen while it runs and when it is done.
import { chromium } from "playwright-core";

const [executablePath, url, prompt] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: 120_000 });
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  const problems = [];
  page.on("pageerror", error => problems.push(String(error)));
  await page.goto(url);
  await page.fill("#prompt", prompt);
  await page.click("button");
  const see = () => page.evaluate(() => ({
    thinking: [...document.querySelectorAll(".thinking")].map(element => element.textContent),
    text: [...document.querySelectorAll(".text")].map(element => element.textContent),
    tools: [...document.querySelectorAll(".tool")].map(element => element.textContent),
    failed: document.querySelectorAll(".failed").length,
    markup: document.querySelectorAll("#run b").length,
    cost: document.getElementById("cost").textContent,
    state: document.getElementById("cost").dataset.state,
  }));
  await page.waitForFunction(() => document.querySelector(".text")?.textContent.includes("five"));
  const during = await see();
  // The test hears this and lets the model go on.
  const go = process.env.GO && await fetch(process.env.GO);
  await page.waitForFunction(() => !["idle", "running"].includes(document.getElementById("cost").dataset.state));
  console.log(JSON.stringify({ browser: browser.version(), during, after: await see(), problems, went: go?.status }));
} finally {
  await browser.close();
}
