// Takes a picture of a page: the first run of a query, with the code of its most expensive
// operator.
// Usage: node test/picture.mjs REPORT_HTML QUERY PNG
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { browserOptions } from "./browser-options.mjs";

const [html, query, png] = process.argv.slice(2);
const browser = await chromium.launch(browserOptions);
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1.5 });
await page.goto(pathToFileURL(resolve(html)).href);
await page.getByRole("button", { name: query, exact: true }).first().click();
await page.getByRole("tab", { name: /Generated code/ }).click();
await page.locator("[data-line]").first().waitFor();
await page.screenshot({ path: png });
await browser.close();
