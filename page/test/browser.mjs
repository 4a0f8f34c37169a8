// The page in a real browser: what a user does, and what stands there then. Expected sums are
// made by hand from the recording in fixture.mjs.
// Usage: node test/browser.mjs (CHROMIUM names the browser; scripts/test-page finds one)
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, beforeEach, test } from "node:test";
import axe from "axe-core";
import { chromium } from "playwright-core";
import { browserOptions } from "./browser-options.mjs";
import { encode, page as pageOf } from "./fixture.mjs";

const ms = 1e6;
const folder = mkdtempSync(join(tmpdir(), "planflame-page-"));
const bundle = readFileSync(new URL("../dist/index.html", import.meta.url), "utf8");
let browser, context, page;
let said = [];
let asked = [];

function file(name, ...models) {
  const path = join(folder, name);
  writeFileSync(path, pageOf(bundle, ...models));
  return pathToFileURL(path).href;
}
const one = file("one.html", encode());
const two = file("two.html", encode(), encode((h) => ({ ...h, meta: { ...h.meta, title: "another" } })));
// Run 2 failed, and stage 10 of run 1 has a second attempt.
const failed = file("failed.html", encode((h) => ({
  ...h, executions: h.executions.map((e, i) => ({ ...e, failed: i === 1 })), stages: [...h.stages, { ...h.stages[0], attempt: 1 }],
  labels: h.labels.map((l, i) => (i === 1 ? { ...l, stage: 4 } : l)),
})));
const broken = file("broken.html", encode((h) => ({ ...h, version: 99 })));

// Its aggregate's CPU is a Python worker's.
const python = file("python.html", encode((h) => ({ ...h, labels: h.labels.map((l, i) => (i === 4 ? { ...l, group: "children" } : l)) })));
const linked = file("linked.html", encode());
writeFileSync(new URL(linked), readFileSync(new URL(linked), "utf8").replace("<title>", '<meta name="planflame-grafana" content="https://grafana.example"><title>'));

before(async () => {
  browser = await chromium.launch(browserOptions);
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

async function open(address = one, options = {}) {
  await context?.close();
  said = [];
  asked = [];
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  page = await context.newPage();
  page.on("console", (m) => said.push(m.text()));
  page.on("pageerror", (e) => said.push(String(e)));
  page.on("request", (r) => asked.push(r.url()));
  await page.goto(address);
  await page.locator("[data-test=picked]").waitFor();
}

// picked returns what the page says that the selection holds.
const picked = async () => {
  const e = page.locator("[data-test=picked]");
  return [Number(await e.getAttribute("data-ns")) / ms, Number(await e.getAttribute("data-samples"))];
};
const flame = async () => Number(await page.locator("[data-test=flame-total]").getAttribute("data-ns")) / ms;
const nodes = async () => Object.fromEntries(await page.locator("[data-node]").evaluateAll((all) => all.map((e) => [e.dataset.node, Number(e.dataset.ns) / 1e6])));
const quiet = () => {
  assert.deepEqual(said, []);
  // The page itself, and an icon that is none.
  assert.deepEqual(asked.filter((a) => a.split("#")[0] !== page.url().split("#")[0] && a !== "data:,"), []);
};

beforeEach(() => open());

test("it opens on the session, which is queries and buckets", async () => {
  assert.deepEqual(await picked(), [33, 12]);
  const runs = await page.locator("[data-execution]").evaluateAll((all) => all.map((e) => Number(e.dataset.ns) / 1e6));
  assert.deepEqual(runs, [30, 3]);
  assert.equal(await flame(), 33);
  assert.match(await page.locator("main").innerText(), /beside the session[^]*jit\s+50 ms/);
  quiet();
});

test("three clicks: the operator that costs most, when, and at which line", async () => {
  await page.locator("[data-run='0']").click();
  assert.deepEqual(await nodes(), { 1: 5, 3: 3, 5: 16, 6: 2 });
  const costliest = page.locator("[data-test=costliest]");
  assert.equal((await costliest.innerText()).trim(), "Filter v > ?");
  await costliest.click();
  assert.deepEqual(await picked(), [16, 2]);
  assert.equal(await page.locator("[data-test=when]").innerText(), "0.12 s – 0.14 s");
  const hottest = page.locator("[data-test=hottest]");
  assert.match(await hottest.innerText(), /line 3 of Generated: 6\.0 ms/);
  await hottest.click();
  const line = page.locator("[data-line='3']");
  assert.match(await line.innerText(), /6\.0 ms[^]*filter_value = row\.getInt/);
  assert.match(await line.getAttribute("title"), /Filter v > \?\npart: probe\nby the rule “metric”\nitself 6\.0 ms, what it calls 0/);
  quiet();
});

test("a brush narrows every view, and its chip widens them again", async () => {
  await page.locator("[data-run='0']").click();
  const box = await page.locator("[data-test=activity]").boundingBox();
  // The run is from 50 to 400 ms.
  const x = (t) => box.x + ((t - 50) / 350) * box.width;
  await page.mouse.move(x(125), box.y + 40);
  await page.mouse.down();
  await page.mouse.move(x(140), box.y + 42);
  await page.mouse.move(x(150), box.y + 44);
  await page.mouse.up();
  await page.waitForURL(/window=/);
  const [, from, to] = /window=(\d+)-(\d+)/.exec(page.url());
  assert.ok(Math.abs(from - 125_000) < 500 && Math.abs(to - 150_000) < 500, `${from} to ${to}`);
  await page.goto(one + "#run=q1-hand:0&window=125000-150000");
  await page.reload();
  assert.deepEqual(await picked(), [8.5, 2 + 0]);
  assert.deepEqual(await nodes(), { 1: 0, 3: 2, 5: 6.5, 6: 0 });
  assert.equal(await flame(), 8.5);
  await page.locator("[data-chip=window]").click();
  assert.deepEqual(await picked(), [30, 9]);
  quiet();
});

test("operator, stage and task are chips, stand in the address, and back undoes them", async () => {
  await page.locator("[data-run='0']").click();
  await page.getByRole("button", { name: /^Exchange for/ }).click();
  assert.deepEqual(await picked(), [3, 2]);
  await page.locator("[data-stage='1']").first().click();
  assert.deepEqual(await picked(), [1, 1]);
  assert.match(page.url(), /#run=q1-hand:0&operator=exchange@3&stage=11$/);
  await page.goBack();
  assert.deepEqual(await picked(), [3, 2]);
  await page.goBack();
  assert.deepEqual(await picked(), [30, 9]);
  await page.goForward();
  assert.deepEqual(await picked(), [3, 2]);
  await page.locator("[data-chip=operator]").click();
  await page.getByRole("tab", { name: /Tasks/ }).click();
  await page.getByRole("button", { name: "stage 11" }).last().click();
  await page.locator("[data-task='4']").click();
  assert.deepEqual(await picked(), [8, 2]);
  assert.deepEqual(await nodes(), { 1: 4, 3: 0, 5: 0, 6: 0 });
  await page.keyboard.press("Escape");
  assert.deepEqual(await picked(), [30, 9]);
  quiet();
});

test("what belongs to no operator is selected like one, and says its whole name", async () => {
  await page.locator("[data-run='0']").click();
  await page.getByRole("button", { name: "task framework" }).click();
  assert.deepEqual(await picked(), [4, 1]);
  assert.equal(await flame(), 4);
  assert.match(page.url(), /#run=q1-hand:0&operator=\[task\+framework\]$/);
  await page.reload();
  assert.deepEqual(await picked(), [4, 1]);
  assert.match(await page.locator("[data-test=detail]").innerText(), /task framework[^]*4\.0 ms/);
  await page.locator("[data-chip=operator]").click();
  assert.deepEqual(await picked(), [30, 9]);
  quiet();
});

test("the plan as a graph zooms, pans and selects", async () => {
  await page.locator("[data-run='0']").click();
  await page.locator("[data-plan=graph]").click();
  const graph = page.locator("[data-test=graph]");
  const view = async () => Object.fromEntries(await Promise.all(["scale", "x", "y"].map(async (k) => [k, Number(await graph.getAttribute(`data-${k}`))])));
  const whole = await view();
  const box = await graph.boundingBox();
  await page.mouse.move(box.x + 100, box.y + 200);
  await page.mouse.wheel(0, -200);
  await page.waitForFunction((scale) => Number(document.querySelector("[data-test=graph]").dataset.scale) > scale, whole.scale);
  const zoomed = await view();
  // The point below the pointer stays where it is.
  assert.ok(Math.abs((100 - whole.x) / whole.scale - (100 - zoomed.x) / zoomed.scale) < 1e-6);
  await page.mouse.down();
  await page.mouse.move(box.x + 140, box.y + 170);
  await page.mouse.up();
  const panned = await view();
  assert.deepEqual([Math.round(panned.x - zoomed.x), Math.round(panned.y - zoomed.y)], [40, -30]);
  assert.deepEqual(await picked(), [30, 9]);
  await page.getByRole("button", { name: "whole plan" }).click();
  assert.deepEqual(await view(), whole);
  // The third box is the filter.
  await graph.focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  assert.deepEqual(await picked(), [16, 2]);
  assert.match(await page.locator("[aria-live]").innerText(), /^Filter v > \?, 16 ms, 53 %$/);
  await page.reload();
  assert.deepEqual(await picked(), [16, 2]);
  await page.mouse.click(box.x + (await view()).x + 20, box.y + (await view()).y + 10);
  assert.deepEqual(await picked(), [5, 2]);
  quiet();
});

test("CPU of Python workers is told from the JVM's", async () => {
  await open(python + "#run=q1-hand:0");
  const cost = await page.locator("[data-node]").evaluateAll((all) => all.map((e) => [e.dataset.node, e.dataset.ns / 1e6, e.dataset.python / 1e6]));
  assert.deepEqual(cost, [["1", 5, 5], ["3", 3, 0], ["5", 16, 0], ["6", 2, 0]]);
  assert.equal(await page.locator("tbody .python").count(), 1);
  await page.getByRole("button", { name: /^HashAggregate/ }).click();
  assert.match(await page.locator("[data-test=detail]").innerText(), /JVM 0, Python 5\.0 ms/);
  quiet();
});

test("the page links to a Grafana that is configured", async () => {
  assert.equal(await page.getByRole("link", { name: "Grafana" }).count(), 0);
  await open(linked + "#run=q1-hand:0");
  assert.match(await page.getByRole("link", { name: "Grafana" }).getAttribute("href"), /^https:\/\/grafana\.example\/d\/planflame-query\?.*var-query=q1-hand$/);
  quiet();
});

// The filter costs 16 ms for 800 rows. Its kind usually costs 0.9 µs a row, and at most 2.7.
test("what an operator usually costs stands beside it, with a mark beyond the bound", async () => {
  await open(one + "#run=q1-hand:0&plan=cost");
  const row = page.locator("tr:has([data-row])").filter({ hasText: "Filter" });
  assert.match(await row.innerText(), /20 µs[^]*× 22\.2\s*!/);
  assert.equal(await page.locator("[data-test=unusual]").count(), 1);
  assert.match(await row.locator("[data-test=unusual]").getAttribute("title"), /more than usual: 95 % of its kind cost 300 ns to 2\.7 µs a row/);
  await row.locator("[data-operator]").click();
  assert.match(await page.locator("[data-test=usual]").innerText(), /usually 900 ns/);
  quiet();
});

test("slow tasks are listed for a run, and a press selects one", async () => {
  await open(one + "#view=tasks");
  const table = page.locator("[data-test=slow-tasks]");
  assert.equal(await table.locator("tbody tr").count(), 2);
  await page.locator("[data-run='0']").click();
  assert.equal(await table.locator("tbody tr").count(), 1);
  assert.match(await table.innerText(), /103\s+11\s+data skew\s+98 ms\s+40 ms\s+HashAggregate sum\(v\)/);
  await table.locator("[data-slow='103']").click();
  assert.deepEqual(await picked(), [8, 2]);
  assert.match(page.url(), /task=103/);
  quiet();
});

test("slow records are listed for a run, and a press selects their task", async () => {
  await open(one + "#view=tasks");
  const table = page.locator("[data-test=slow-records]");
  assert.match(await table.innerText(), /999\s+\d+\s+record 7 of 90 in the partition\s+50 ms/);
  await page.locator("[data-run='0']").click();
  assert.equal(await table.locator("tbody tr").count(), 1);
  assert.match(await table.innerText(), /103\s+11\s+part-00003\.csv \+0, record 148,211\s+70 ms\s+60 ms\s+HashAggregate sum\(v\) Job\.parse < Job\.run/);
  await table.locator("[data-slow='103']").click();
  assert.deepEqual(await picked(), [8, 2]);
  quiet();
});

test("search finds methods and says its share", async () => {
  await page.locator("[data-run='0']").click();
  await page.keyboard.press("/");
  await page.keyboard.type("generated.PROCESS");
  await page.locator("[data-chip=search]", { hasText: "generated.PROCESS" }).waitFor(); // it selects while one types
  assert.deepEqual(await picked(), [11, 4]);
  assert.equal(await page.locator("[data-test=search-share]").innerText(), "37 % of 30 ms");
  assert.deepEqual(await nodes(), { 1: 5, 3: 0, 5: 6, 6: 0 });
  quiet();
});

test("every shape of the flame graph holds the selection, and zoom changes nothing", async () => {
  await page.locator("[data-run='0']").click();
  for (const name of ["from the thread's root", "inverted", "framework frames"]) {
    await page.getByLabel(name).click();
    assert.equal(await flame(), 30, name);
  }
  await page.locator("[data-test=flame]").focus();
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  assert.match(page.url(), /frame=\w+/);
  assert.deepEqual(await picked(), [30, 9]);
  quiet();
});

test("methods and table agree with the plan", async () => {
  await page.goto(one + "#run=q1-hand:0&view=methods&plan=cost");
  await page.reload();
  assert.match(await page.locator("#view").innerText(), /6\.0 ms\s+11 ms\s+20 %\s+Generated\.process/);
  const rows = await page.locator("[data-row]").evaluateAll((all) => all.map((e) => Number(e.dataset.ns) / 1e6));
  assert.deepEqual(rows, [16, 5, 3, 2]);
  quiet();
});

const compared = async () => {
  const e = page.locator("[data-test=compared]");
  return [Number(await e.getAttribute("data-a")) / ms, Number(await e.getAttribute("data-b")) / ms];
};
const difference = async () => {
  const e = page.locator("[data-test=difference]");
  return [Number(await e.getAttribute("data-a")) / ms, Number(await e.getAttribute("data-b")) / ms];
};

test("two runs of one query stand beside each other, then the stacks of an operator", async () => {
  await page.getByRole("tab", { name: /Compare/ }).click();
  await page.getByRole("button", { name: "hand q: run 1 beside run 2 of 2" }).click();
  assert.deepEqual(await compared(), [26, 3]);
  const rows = await page.locator("[data-diff]").evaluateAll((all) => all.map((e) => [e.dataset.diff, e.dataset.a / 1e6, e.dataset.b / 1e6]));
  assert.deepEqual(rows, [["aggregate@4", 5, 2], ["exchange@3", 3, 0], ["filter@2", 16, 0], ["scan@1", 2, 1]]);
  // The largest difference is shown until one is chosen.
  assert.deepEqual(await difference(), [16, 0]);
  await page.getByRole("button", { name: /^HashAggregate/ }).click();
  assert.deepEqual(await difference(), [5, 2]);
  assert.match(await page.locator("#view").innerText(), /−60 %[^]*B spends less, to −3\.0 ms/);
  assert.match(page.url(), /#run=q1-hand:0&operator=aggregate@4&view=compare&with=q1-hand:1$/);
  await page.reload();
  assert.deepEqual([await compared(), await difference()], [[26, 3], [5, 2]]);
  await page.locator("[data-test=diff-flame]").focus();
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  assert.match(await page.locator("[aria-live]").innerText(), /Map\.put: A 5\.0 ms, B 2\.0 ms, −3\.0 ms/);
  await page.getByRole("button", { name: /zoomed to Map\.put/ }).click();
  quiet();
});

test("two recordings are compared by all runs of a query, or by one", async () => {
  await open(two + "#view=compare");
  assert.match(await page.locator("[data-query='q1-hand']").innerText(), /hand q\s+15 ms\s+15 ms\s+2 · 2\s+0/);
  await page.getByRole("button", { name: "hand q", exact: true }).click();
  assert.deepEqual(await compared(), [14.5, 14.5]);
  await page.getByLabel("The run to compare with").selectOption({ label: "run 2" });
  assert.deepEqual(await compared(), [26, 3]);
  quiet();
});

test("a failed run is marked, and no run is compared with it", async () => {
  await open(failed);
  assert.match(await page.locator("tr:has([data-execution='1'])").innerText(), /failed · hand q/);
  await page.getByText("1 of 2 runs failed").waitFor();
  await page.goto(failed + "#run=q1-hand:0&view=compare&with=q1-hand:1");
  await page.reload();
  await page.getByText("no other run of it ended well").waitFor();
  quiet();
});

test("attempts at a stage have names of their own, and rows are of all of them", async () => {
  await open(failed + "#run=q1-hand:0&operator=filter@2&stage=10.1");
  assert.match(await page.locator("[data-chip=stage]").innerText(), /^stage 10\.1\s/);
  assert.match(await page.locator("[data-test=detail]").innerText(), /20 µs a row[^]*stage 10\.1/);
  quiet();
});

test("the keyboard alone reaches everything", async () => {
  const reach = async (what, key = "Tab") => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press(key);
      if (await page.evaluate((s) => document.activeElement?.matches(s), what)) return;
    }
    assert.fail(`no key reaches ${what}`);
  };
  await reach("[data-run='0']");
  await page.keyboard.press("Enter");
  await reach("[data-test=activity]");
  for (const key of ["ArrowRight", "ArrowRight", "Shift+ArrowRight"]) await page.keyboard.press(key);
  assert.match(page.url(), /window=57000-99000/);
  await reach("[data-operator='3']");
  await page.keyboard.press("Enter");
  assert.deepEqual(await picked(), [0, 0]);
  await reach("[data-chip=window]");
  await page.keyboard.press("Enter");
  assert.deepEqual(await picked(), [5, 2]);
  for (const [key, name] of [["2", "code"], ["3", "tasks"], ["4", "methods"], ["5", "compare"], ["1", "flame"]]) {
    await page.keyboard.press(key);
    assert.equal(await page.locator("[role=tab][aria-selected=true]").getAttribute("id"), `tab-${name}`);
  }
  quiet();
});

for (const colorScheme of ["light", "dark"])
  for (const [width, height] of [[1280, 720], [3840, 2160]])
    test(`no barrier in ${colorScheme} at ${width} × ${height}`, async () => {
      await open(one, { colorScheme, viewport: { width, height } });
      for (const hash of ["", "#run=q1-hand:0", "#run=q1-hand:0&operator=filter@2&view=code", "#run=q1-hand:0&view=tasks&task=100", "#run=q1-hand:0&view=methods&plan=cost", "#run=q1-hand:0&operator=[task+framework]&plan=graph&wide=1", "#run=q1-hand:0&plan=graph", "#run=q1-hand:0&view=compare"]) {
        await page.goto(one + hash);
        await page.reload();
        // A script element of axe would break the page's policy, an evaluated one does not.
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] }));
        const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
        assert.deepEqual(serious.map((v) => `${hash} ${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160) + " " + n.failureSummary?.slice(0, 200)).slice(0, 3).join(" | ")}`), []);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.equal(wide, 0, `${hash} is wider than the window`);
      }
      assert.deepEqual(said, []);
    });

test("a page that cannot read its recording says so", async () => {
  await page.goto(broken);
  await page.getByText("model has version 99, this page reads 2").waitFor();
  assert.deepEqual(said, []);
});
