// Is everything reached and done without a mouse?

import assert from "node:assert/strict";
import { fact, figures, focusTimeline, inAddress, saysPrediction, scenario, untilAddress } from "./page.mjs";
import { predicted, report } from "./program.mjs";

const mostStops = 80;

// What has the focus: its name, and whether it has an outline.
function focused(page) {
    return page.evaluate(() => {
        const element = document.activeElement;
        const styles = [element, element.closest("label")].filter(Boolean).map((each) => getComputedStyle(each));
        const text = (each) => (each?.getAttribute("aria-label") ?? each?.textContent ?? "").trim();
        return {
            isPage: element === document.body,
            name: text(element) || text(element.closest("label")),
            isSeen: styles.some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0),
        };
    });
}

// It looks another way than without the focus.
async function looksFocused(page) {
    const element = await page.evaluateHandle(() => document.activeElement);
    const picture = () => element.screenshot({ animations: "disabled" });
    const withFocus = await picture();
    await element.evaluate((each) => each.blur());
    const without = await picture();
    await element.evaluate((each) => each.focus({ focusVisible: true }));
    return !withFocus.equals(without);
}

async function stops(page) {
    const found = [];
    for (let i = 0; i < mostStops; ++i) {
        await page.keyboard.press("Tab");
        const stop = await focused(page);
        if (stop.isPage) {
            break;
        }
        found.push({ ...stop, isSeen: stop.isSeen || (await looksFocused(page)) });
    }
    return found;
}

scenario("keyboard: Tab reaches every control, and one sees where one is", () => report("gateway"), async (page) => {
    const found = await stops(page);
    const names = found.map((stop) => stop.name).join("\n");
    for (const wanted of [/^CPUs, number/m, /^CPUs$/m, /^Scheduler$/m, /^Compare$/m, /^Search /m, /^Link$/m, /^Export$/m, /^Colours/m, /^Help/m, /^As tables$/m, /^8 CPUs: /m, /^By thread$/m, /^By CPU$/m, /^Hide idle$/m, /^Whole run$/m, /^Lanes of threads/m, /^Threads/m, /^Show tables$/m]) {
        assert.match(names, wanted);
    }
    assert.deepEqual(found.filter((stop) => !stop.isSeen), []);
});

scenario("keyboard: the slider goes by one, by marked counts and to its ends", () => report("gateway"), async (page) => {
    const slider = page.getByRole("slider", { name: "CPUs" });
    const rows = predicted("gateway", "--cpus", "1,2,3,4,64").predictions;
    const after = { Home: 1, ArrowRight: 2, ArrowUp: 3, PageUp: 4, End: 64, PageDown: 32, ArrowLeft: 31, "<": 30, ">": 31 };
    await slider.focus();
    for (const [key, cpus] of Object.entries(after)) {
        await page.keyboard.press(key);
        await page.locator(".overview:not(.stale) .figures", { hasText: new RegExp(`on ${cpus} CPU`) }).waitFor();
        const row = rows.find((each) => each.cpus === cpus);
        if (row) {
            await saysPrediction(page, row);
        }
    }
});

scenario("keyboard: intervals are selected with the arrows, and zoomed to with Enter", () => report("gateway"), async (page) => {
    await focusTimeline(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    const first = await untilAddress(page, "select", /^interval/);
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction((old) => new URLSearchParams(location.hash.slice(1)).get("select") !== old, first);
    await page.keyboard.press("ArrowRight");
    await page.locator(".details h2", { hasText: "Interval" }).waitFor();
    const [begin, end] = [parseFloat(await fact(page, "Start")) * 1e9, parseFloat(await fact(page, "End")) * 1e9];
    await page.keyboard.press("Enter");
    const range = (await untilAddress(page, "range", /-/)).split("-").map(Number);
    assert.ok(range[0] <= begin + 1000 && range[1] >= end - 1000, `${range} of ${begin}-${end}`);
});

scenario("keyboard: a lane is pinned, hidden and shown again", () => report("gateway"), async (page) => {
    await focusTimeline(page);
    await page.keyboard.press("ArrowDown");
    await untilAddress(page, "select", /./);
    await page.keyboard.press("p");
    await untilAddress(page, "pinned", /^\d+$/);
    await page.keyboard.press("x");
    await untilAddress(page, "hidden", /^\d+$/);
    assert.equal(await inAddress(page, "pinned"), null);
    await page.keyboard.press("Shift+X");
    await page.waitForFunction(() => !location.hash.includes("hidden"));
});

scenario("keyboard: letters move the lanes while a control has the focus, and its own keys stay its own", () => report("gateway"), async (page) => {
    const slider = page.getByRole("slider", { name: "CPUs" });
    const { time } = await figures(page);
    for (const control of [slider, page.getByRole("button", { name: "Compare" }), page.getByRole("tab", { name: /^Threads/ })]) {
        await control.focus();
        await page.keyboard.press("w");
        const near = await untilAddress(page, "range", /-/);
        await page.keyboard.press("d");
        await page.waitForFunction((old) => new URLSearchParams(location.hash.slice(1)).get("range") !== old, near);
        await page.keyboard.press("0");
        await page.waitForFunction(() => !location.hash.includes("range"));
    }
    await slider.focus();
    await page.keyboard.press("Home");
    await page.locator(".overview:not(.stale) .figures", { hasText: "on 1 CPU" }).waitFor();
    assert.notEqual((await figures(page)).time, time);
});

scenario("keyboard: what is typed into a field moves nothing", () => report("gateway"), async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("wasdfux0");
    await untilAddress(page, "search", /^wasdfux0$/);
    await page.getByLabel("CPUs, number", { exact: true }).focus();
    await page.keyboard.press("w");
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300))); // longer than the address takes to follow
    assert.equal(await inAddress(page, "range"), null);
});

scenario("keyboard: a zoom is undone and done again", () => report("gateway"), async (page) => {
    const isRange = (wanted) => page.waitForFunction((range) => new URLSearchParams(location.hash.slice(1)).get("range") === range, wanted);
    await page.keyboard.press("w");
    const first = await untilAddress(page, "range", /-/);
    await page.keyboard.press("w");
    await page.waitForFunction((old) => new URLSearchParams(location.hash.slice(1)).get("range") !== old, first);
    const second = await inAddress(page, "range");
    await page.keyboard.press("u");
    await isRange(first);
    await page.keyboard.press("u");
    await isRange(null);
    await page.keyboard.press("Shift+U");
    await isRange(first);
    await page.getByRole("button", { name: "Forward" }).click();
    await isRange(second);
    assert.ok(await page.getByRole("button", { name: "Forward" }).isDisabled(), "nothing is ahead any more");
    assert.ok(await page.getByRole("button", { name: "Back", exact: true }).isEnabled());
}, { reducedMotion: "reduce" });

scenario("keyboard: help lists the keys, and closes with Escape", () => report("gateway"), async (page) => {
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keys" });
    await help.getByText("zoom in, zoom out").waitFor();
    const before = await figures(page);
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    assert.deepEqual(await figures(page), before);
});

scenario("keyboard: a row of a table is chosen, and a column sorted", () => report("gateway"), async (page) => {
    await page.getByRole("tab", { name: /^Threads/ }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByRole("grid", { name: "Threads" }).waitFor(); // a second Enter closed what the first had opened
    await page.keyboard.press("ArrowRight");
    const objects = page.getByRole("grid", { name: "Objects" });
    await objects.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await untilAddress(page, "select", /^object/);
    const heading = objects.getByRole("columnheader", { name: "Operations" });
    await heading.getByRole("button").focus();
    await page.keyboard.press("Enter");
    assert.equal(await heading.getAttribute("aria-sort"), "descending");
    const column = await objects.getByRole("row").evaluateAll((rows) => rows.slice(1).map((row) => Number(row.children[2].textContent.replaceAll(",", ""))));
    assert.deepEqual(column, [...column].sort((a, b) => b - a));
});

scenario("reduced motion: a zoom is there at once", () => report("gateway"), async (page) => {
    await focusTimeline(page);
    await page.keyboard.down("w");
    const range = await untilAddress(page, "range", /-/);
    await page.keyboard.up("w");
    await page.keyboard.press("u");
    await page.waitForFunction(() => !location.hash.includes("range"));
    assert.ok(range);
}, { reducedMotion: "reduce" });
