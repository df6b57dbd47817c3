// A page in Chromium, and what can be read from it. A page that fails a test is kept as a picture.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("../../web/package.json", import.meta.url));
const { chromium } = createRequire(web)("playwright-core");

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const pictures = process.env.PARCAST_PICTURES ?? "pictures";
const patience = 10_000; // ms

let browser;

export async function closeBrowser() {
    await (await browser)?.close();
}

// Something that a page of ours never does: complain, ask elsewhere, open a dialog, run what it shows.
function watched(page, home) {
    const complaints = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("dialog", (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
    });
    page.on("request", (request) => {
        const { protocol, origin } = new URL(request.url());
        if (protocol !== "blob:" && protocol !== "data:" && origin !== home) {
            complaints.push(`asks ${request.url().slice(0, 200)}`);
        }
    });
    return complaints;
}

// scenario("a sentence", () => address, async (page) => {...}): a test on a page of its own.
// `unsettled`: the page is handed over as it opens.
export function scenario(name, address, body, { before = null, unsettled = false, ...options } = {}) {
    test(name, async (run) => {
        browser ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
        const context = await (await browser).newContext({ viewport: { width: 1440, height: 900 }, ...options });
        context.setDefaultTimeout(patience);
        const page = await context.newPage();
        try {
            const place = await address();
            const complaints = watched(page, new URL(place).origin);
            await page.addInitScript(() => {
                window.ran = (what) => console.error(`ran what it shows: ${what}`);
                window.a = window.ran;
            });
            if (before) {
                await page.addInitScript(before);
            }
            await page.goto(place);
            if (!unsettled) {
                await settled(page);
            }
            await body(page);
            assert.deepEqual(complaints, []);
        } catch (error) {
            mkdirSync(pictures, { recursive: true });
            const picture = join(pictures, `${name.replace(/[^a-z0-9]+/gi, "-")}.png`);
            await page.screenshot({ path: picture }).catch(() => undefined);
            run.diagnostic(`picture: ${picture}`);
            throw error;
        } finally {
            await context.close();
        }
    });
}

// What is shown is what was wished for, and no run is on its way.
export async function settled(page) {
    await page.waitForFunction(() => document.querySelector(".overview") && !document.querySelector(".runs-bar"));
    await page.locator(".overview:not(.stale) :is(.verdict, .brief-lead)").waitFor();
    await page.waitForFunction(() => performance.getEntriesByName("parcast: timeline drawn").length > 0);
}

export async function chooseCount(page, cpus) {
    const field = page.getByLabel("CPUs, number", { exact: true });
    await field.fill(String(cpus));
    await field.press("Enter");
    await page.locator(".overview:not(.stale) .figures", { hasText: new RegExp(`on ${cpus} CPUs?`) }).waitFor();
}

export async function chooseScheduler(page, scheduler) {
    const list = page.getByLabel("Scheduler", { exact: true });
    if (await list.count()) {
        await list.selectOption(scheduler);
    } else {
        await page.locator(".choice label", { hasText: scheduler }).first().click();
    }
    await page.locator(".details .facts", { hasText: `Scheduler${scheduler}` }).waitFor();
    await settled(page);
}

// Time, speed-up and efficiency as the first screen says them.
export async function figures(page) {
    const [time, speedUp, efficiency] = await page.locator(".figures b").allTextContents();
    return { time, speedUp, efficiency };
}

const unit = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9, min: 60e9 };

// The text says the number, to the digits that it has; slack: how far the number may be off itself.
export function says(text, number, what, slack = 0) {
    const [, digits, decimals = "", name] = /^(\d+(?:\.(\d+))?) ?(ns|µs|ms|s|min|×|%)?$/.exec(text) ?? [];
    assert.ok(digits, `${what}: no number in "${text}"`);
    const size = name === "%" ? 0.01 : (unit[name] ?? 1);
    const place = size * 10 ** -decimals.length;
    assert.ok(Math.abs(Number(digits) * size - number) <= place * 0.5001 + slack, `${what}: "${text}" is not ${number}`);
}

export async function saysPrediction(page, row) {
    const shown = await figures(page);
    says(shown.time, row.time_ns, `time on ${row.cpus}`);
    says(shown.speedUp, row.speed_up, `speed-up on ${row.cpus}`);
    says(shown.efficiency, row.efficiency, `efficiency on ${row.cpus}`);
}

// Cells of a plain table, row by row.
export function cells(table) {
    return table.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
}

// The time with a change on a count, in the table of the chart.
export function timeWith(page, cpus) {
    const row = page.getByRole("table", { name: "Predicted speed-up" }).locator("tr", { hasText: "with the change" });
    return row.filter({ has: page.getByRole("button", { name: String(cpus), exact: true }) }).locator("td").nth(2);
}

// What the address says of the view; it follows the page after a moment.
export function inAddress(page, name) {
    return page.evaluate((wanted) => new URLSearchParams(location.hash.slice(1)).get(wanted), name);
}

export async function untilAddress(page, name, is) {
    await page.waitForFunction(
        ([wanted, source]) => new RegExp(source).test(new URLSearchParams(location.hash.slice(1)).get(wanted) ?? ""),
        [name, is.source],
    );
    return inAddress(page, name);
}

export function focusTimeline(page) {
    return page.locator(".lanes-stage").first().focus();
}

// The value beside a name in the details.
export async function fact(page, name) {
    return page.locator(".details .facts").evaluate(
        (list, wanted) => [...list.querySelectorAll("dt")].find((each) => each.textContent === wanted)?.nextElementSibling?.textContent ?? null,
        name,
    );
}
