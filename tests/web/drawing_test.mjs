// Is what is drawn on the canvas where the data says: the ribbon of the critical path, arrows, the minimap, lanes by CPU?

import assert from "node:assert/strict";
import { chooseScheduler, fact, focusTimeline, inAddress, scenario, settled, untilAddress } from "./page.mjs";
import { report, shownFirst, ways } from "./program.mjs";

const isRange = /^[\d.]+-[\d.]+$/;
const times = (range) => range.split("-").map(Number);

// Where the time lies in the stage: its left edge and its width, in CSS px.
async function plotOf(page) {
    const stage = page.locator(".lanes-stage").first();
    const { x, y, width } = await stage.boundingBox();
    const gutter = Number(await stage.getAttribute("data-gutter"));
    return { left: x + gutter, top: y, gutter, width: width - gutter };
}

// Rows of a column of the first canvas that have the colour of a variable of the style sheet, within a few shades.
function rowsOf(page, column, variable) {
    return page.evaluate(
        ([x, name]) => {
            const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
            const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
            const canvas = document.querySelector(".lanes-canvas");
            const { data } = canvas.getContext("2d").getImageData(x, 0, 1, canvas.height);
            const rows = [];
            for (let y = 0; y < canvas.height; ++y) {
                if (wanted.every((value, i) => Math.abs(data[4 * y + i] - value) < 8)) {
                    rows.push(y);
                }
            }
            return rows;
        },
        [column, variable],
    );
}

async function longestPiece(page) {
    await page.getByRole("tab", { name: "Path by piece" }).click();
    const grid = page.getByRole("grid", { name: "Path by piece" });
    await grid.getByRole("button", { name: "Duration" }).click();
    await grid.locator(".table-row").first().click();
    const [begin, end] = times(await untilAddress(page, "mark", isRange));
    const thread = Number((await untilAddress(page, "select", /^thread/)).split(".")[1]);
    await page.getByRole("tab", { name: "Path by piece" }).click(); // room for the lanes
    await focusTimeline(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !/mark|select/.test(location.hash));
    await page.mouse.move(5, 5); // nothing is pointed at
    return { middle: (begin + end) / 2, thread };
}

for (const [way, address] of Object.entries(ways)) {
    const gateway = () => address("gateway");

    scenario(`${way}: the ribbon of the critical path lies in the lane of the thread that it is in`, gateway, async (page) => {
        const { middle, thread } = await longestPiece(page);
        const { time_ns: run } = shownFirst("gateway");
        const { left, top, gutter, width } = await plotOf(page);
        const column = gutter + Math.floor((middle / run) * width);
        const rows = await rowsOf(page, column, "--accent");
        assert.equal(rows.length, 3, `the ribbon is three px high, and one: ${rows}`);
        await page.mouse.click(left - gutter + 20, top + rows[0] + 8); // the name of that lane
        assert.equal(await untilAddress(page, "select", /^thread/), `thread.${thread}`);
    });

    scenario(`${way}: the ribbon has no gap from the begin of the run to its end`, gateway, async (page) => {
        const { gutter, width } = await plotOf(page);
        let covered = 0;
        const columns = 60;
        for (let i = 0; i < columns; ++i) {
            covered += (await rowsOf(page, gutter + Math.floor(((i + 0.5) / columns) * width), "--accent")).length >= 3 ? 1 : 0;
        }
        assert.ok(covered >= columns - 3, `${covered} of ${columns}: where it stays for less than a pixel it is paler`);
    });

    scenario(`${way}: an arrow leads from the lane of who released to the lane of who waited`, gateway, async (page) => {
        await focusTimeline(page);
        let releaser = null;
        for (let step = 0; step < 60 && releaser === null; ++step) {
            const before = await inAddress(page, "select");
            await page.keyboard.press("ArrowRight");
            await page.waitForFunction((old) => new URLSearchParams(location.hash.slice(1)).get("select") !== old, before);
            releaser = await fact(page, "Released by");
        }
        assert.ok(releaser, "the first thread waits for others to end");
        await page.mouse.move(5, 5);
        const { time_ns: run } = shownFirst("gateway");
        const { gutter, width } = await plotOf(page);
        const end = parseFloat(await fact(page, "End")) * 1e9;
        const column = gutter + Math.round((end / run) * width);
        // The line and its head, within two columns: the end is shown in microseconds.
        const seen = await Promise.all([-2, -1, 0, 1, 2].map((by) => rowsOf(page, column + by, "--text")));
        const longest = Math.max(...seen.map((rows) => rows.length));
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => !location.hash.includes("select"));
        const without = await Promise.all([-2, -1, 0, 1, 2].map((by) => rowsOf(page, column + by, "--text")));
        assert.ok(longest >= Math.max(...without.map((rows) => rows.length)) + 8, `${longest} px with it, ${without.map((rows) => rows.length)} without`);
    });

    // Reduced motion: one press of a key is one step, and not more for as long as it is held.
    scenario(`${way}: the window of the minimap is dragged, and its edge`, gateway, async (page) => {
        const { time_ns: run } = shownFirst("gateway");
        await focusTimeline(page);
        await page.keyboard.press("w");
        const wide = await untilAddress(page, "range", isRange);
        await page.keyboard.press("w");
        await page.waitForFunction((old) => !location.hash.includes(old), wide);
        const before = await inAddress(page, "range");
        const { left, top, width } = await plotOf(page);
        const [begin, end] = times(before);
        const x = (time) => left + (time / run) * width;
        await page.mouse.move(x((begin + end) / 2), top + 13);
        await page.mouse.down();
        await page.mouse.move(x((begin + end) / 2) + 40, top + 13, { steps: 4 });
        await page.mouse.up();
        await page.waitForFunction((old) => !location.hash.includes(old), before);
        const moved = await inAddress(page, "range");
        const px = run / width;
        assert.ok(Math.abs(times(moved)[0] - begin - 40 * px) < 2 * px, `${before}, then ${moved}`);
        assert.ok(Math.abs(times(moved)[1] - times(moved)[0] - (end - begin)) < 2, "as long as before");
        await page.mouse.move(x(times(moved)[1]), top + 13);
        await page.mouse.down();
        await page.mouse.move(x(times(moved)[1]) - 30, top + 13, { steps: 4 });
        await page.mouse.up();
        await page.waitForFunction((old) => !location.hash.includes(old), moved);
        const shorter = times(await inAddress(page, "range"));
        assert.ok(Math.abs(shorter[0] - times(moved)[0]) < 2, "the other edge stays");
        assert.ok(Math.abs(times(moved)[1] - shorter[1] - 30 * px) < 2 * px, shorter.join());
    }, { reducedMotion: "reduce" });

    scenario(`${way}: lanes by CPU under the ideal scheduler, which has none: threads are shown, and CPUs again after it`, gateway, async (page) => {
        const byCpu = page.getByRole("button", { name: "By CPU" });
        await byCpu.click();
        await untilAddress(page, "by", /^cpu$/);
        const line = page.locator(".lanes-legend");
        await line.getByText("a thread each").waitFor();
        await chooseScheduler(page, "ideal");
        await line.getByText("running", { exact: true }).waitFor();
        assert.equal(await byCpu.isDisabled(), true);
        assert.match(await byCpu.getAttribute("title"), /share the CPUs/);
        assert.equal(await page.getByRole("button", { name: "By thread" }).getAttribute("aria-pressed"), "true");
        const { left, top, gutter } = await plotOf(page);
        await page.mouse.click(left - gutter + 20, top + 150);
        await untilAddress(page, "select", /^thread\.\d+$/);
        await page.keyboard.press("Escape");
        await chooseScheduler(page, "linux");
        await line.getByText("a thread each").waitFor();
        assert.equal(await byCpu.getAttribute("aria-pressed"), "true");
    });
}

// On a count of its own: with fewer CPUs events lie too densely for signs, and which count is shown first is the run's chance.
scenario("signs of events are drawn in lanes by CPU", async () => `${await report("gateway")}#cpus=8`, async (page) => {
    await page.getByRole("button", { name: "By CPU" }).click();
    await page.locator(".lanes-legend").getByText("a thread each").waitFor();
    await settled(page);
    await page.mouse.move(5, 5);
    const { gutter, width } = await plotOf(page);
    let inked = 0;
    for (let x = gutter; x < gutter + width; x += 1) {
        inked += (await rowsOf(page, x, "--text")).length > 5 ? 1 : 0;
    }
    assert.ok(inked > 10, `${inked} columns have ink`);
});
