// Makes a picture of the page, as those of the README and of docs/performance.md:
//   node picture.mjs REPORT.html|ADDRESS OUT.png [--dark] [--size 1440x900] [--view 'cpus=8&table=threads']
// What --view says is what the address holds behind '#'. Chromium is /usr/bin/chromium, or what CHROMIUM names.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [from, out] = process.argv.slice(2);
const option = (name, otherwise) => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? otherwise : process.argv[at + 1];
};
if (!from || !out) {
    console.error("node picture.mjs REPORT.html|ADDRESS OUT.png [--dark] [--size 1440x900] [--view 'cpus=8&table=threads']");
    process.exit(2);
}
const [width, height] = option("size", "1440x900").split("x").map(Number);
const address = /^https?:/.test(from) ? from : pathToFileURL(resolve(from)).href;
const view = option("view", "");

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
const colorScheme = process.argv.includes("--dark") ? "dark" : "light";
const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
await page.goto(view ? `${address}#${view}` : address);
await page.locator(":is(.overview:not(.stale) :is(.verdict, .brief-lead), .tuning-lead)").first().waitFor();
await page.waitForFunction(() => document.querySelector(".tuning") || performance.getEntriesByName("parcast: timeline drawn").length > 0);
await page.waitForTimeout(500); // tables and charts follow a frame later
await page.screenshot({ path: out });
await browser.close();
