// What opening a page and brushing it costs the browser's main thread: one line of JSON.
// Usage: node test/brush.mjs REPORT.HTML [MOVES] (CHROMIUM names the browser)
//
// Costs are the thread's own CPU time, which other processes do not lengthen: Chromium counts the
// tasks of the page's main thread in that clock. A move counts until the frame after it is drawn.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { browserOptions } from "./browser-options.mjs";

const [html, count = "30"] = process.argv.slice(2);
const moves = Number(count);
const browser = await chromium.launch(browserOptions);
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
page.setDefaultTimeout(600_000);
const cdp = await page.context().newCDPSession(page);
await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
const cpu = async () => Object.fromEntries((await cdp.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value])).TaskDuration * 1e3;
// drawn waits until what was asked for before it stands on the screen.
const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

const began = await cpu();
await page.goto(pathToFileURL(resolve(html)).href);
await page.locator("[data-test=picked]").waitFor();
await drawn();
const open = (await cpu()) - began;

const box = await page.locator("[data-test=activity]").boundingBox();
const x = (share) => box.x + share * box.width;
const costOf = async (act) => {
  const before = await cpu();
  await act();
  await drawn();
  return (await cpu()) - before;
};
// narrow acts, sees that another selection stands there, and returns what it cost.
const sum = () => page.locator("[data-test=picked]").getAttribute("data-ns");
const narrow = async (act) => {
  const old = await sum();
  const cost = await costOf(act);
  if ((await sum()) === old) throw new Error(`a move left ${old} ns selected`);
  return cost;
};

// Each drag grows a window from one side over up to nine tenths of the recording. No two windows
// are alike.
const drag = [];
const end = [];
const movesADrag = 3;
for (let d = 0; d < moves / movesADrag; d++) {
  const from = 0.02 + 0.005 * d;
  await page.mouse.move(x(from), box.y + 40);
  await page.mouse.down();
  for (let m = 1; m <= movesADrag; m++) {
    drag.push(await narrow(() => page.mouse.move(x(from + ((0.9 - 0.03 * d) * m) / movesADrag), box.y + 42)));
  }
  end.push(await costOf(() => page.mouse.up()));
}
console.log(JSON.stringify({ open_ms: open, drag_ms: drag, end_ms: end }));
await browser.close();
