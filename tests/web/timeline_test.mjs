// Can one find one's way in the timeline: zoom, move, search, step, select, mark, and come back by a link?

import assert from "node:assert/strict";
import { fact, figures, focusTimeline, inAddress, scenario, settled, untilAddress } from "./page.mjs";
import { predicted, shownFirst, ways } from "./program.mjs";

const times = (range) => range.split("-").map(Number);
const length = (range) => times(range)[1] - times(range)[0];
const isRange = /^[\d.]+-[\d.]+$/;

async function onLanes(page, across = 0.5, down = 0.6) {
    const box = await page.locator(".lanes-stage").boundingBox();
    return [box.x + box.width * across, box.y + box.height * down];
}

async function zoomedIn(page) {
    await focusTimeline(page);
    await page.keyboard.press("w");
    return untilAddress(page, "range", isRange);
}

async function changed(page, name, from) {
    await page.waitForFunction(([key, old]) => new URLSearchParams(location.hash.slice(1)).get(key) !== old, [name, from]);
    return inAddress(page, name);
}

for (const [way, address] of Object.entries(ways)) {
    const gateway = () => address("gateway");

    scenario(`${way}: W zooms in, D moves on, U goes back, 0 shows the whole run`, gateway, async (page) => {
        const zoomed = await zoomedIn(page);
        await page.keyboard.press("d");
        const moved = await changed(page, "range", zoomed);
        assert.ok(times(moved)[0] > times(zoomed)[0]);
        assert.ok(Math.abs(length(moved) - length(zoomed)) < 1);
        await page.keyboard.press("u");
        assert.notEqual(await changed(page, "range", moved), moved);
        await page.keyboard.press("0");
        await page.waitForFunction(() => !location.hash.includes("range"));
    });

    scenario(`${way}: the wheel zooms at the pointer, and a drag moves what is under it`, gateway, async (page) => {
        await page.mouse.move(...(await onLanes(page, 0.7)));
        await page.mouse.wheel(0, -600);
        const zoomed = await untilAddress(page, "range", isRange);
        const [begin, end] = times(zoomed);
        const { time_ns: run } = shownFirst("gateway");
        assert.ok(end - begin < run * 0.9, `${zoomed} of ${run}`);
        await page.mouse.down();
        await page.mouse.move(...(await onLanes(page, 0.5)), { steps: 5 });
        await page.mouse.up();
        const moved = await changed(page, "range", zoomed);
        assert.ok(times(moved)[0] > begin, "dragged to the left, later times come into sight");
    });

    scenario(`${way}: search finds a function, Enter and n step through its hits`, gateway, async (page) => {
        await page.keyboard.press("/");
        await page.keyboard.type("lambda");
        const hits = page.locator("#search-hits [role=option]");
        await hits.first().waitFor();
        assert.ok((await hits.count()) > 1);
        await page.keyboard.press("Enter");
        const first = await untilAddress(page, "select", /./);
        await page.keyboard.press("Enter");
        const second = await changed(page, "select", first);
        await page.locator(".lanes-stage").first().focus();
        await page.keyboard.press("N");
        assert.equal(await changed(page, "select", second), first);
        await page.keyboard.press("n");
        assert.equal(await changed(page, "select", first), second);
    });

    scenario(`${way}: a search without a hit says so`, gateway, async (page) => {
        await page.keyboard.press("/");
        await page.keyboard.type("no such thing");
        assert.equal(await page.locator(".search-count").textContent(), "none");
    });

    scenario(`${way}: events of a thread are stepped through by key and by button`, gateway, async (page) => {
        await selectThread(page, 1);
        await page.keyboard.press("]");
        const first = await untilAddress(page, "select", /^event/);
        const at = async () => parseFloat(await fact(page, "Start"));
        const begin = await at();
        await page.getByRole("button", { name: "Next event of this thread" }).click();
        const second = await changed(page, "select", first);
        assert.ok((await at()) >= begin);
        assert.match(await fact(page, "Thread"), /thread 1\b/);
        await page.keyboard.press("[");
        assert.equal(await changed(page, "select", second), first);
    });

    scenario(`${way}: events on an object are stepped through, whatever thread they are of`, () => address("one_lock"), async (page) => {
        await page.getByRole("tab", { name: /^Objects/ }).click();
        const table = page.getByRole("grid", { name: "Objects" });
        await table.getByText("buffer_mutex").first().click();
        await untilAddress(page, "select", /^object/);
        const threads = new Set();
        let last = await inAddress(page, "select");
        // One thread may take a lock many times before another one does.
        for (let i = 0; i < 12 || (threads.size < 2 && i < 200); ++i) {
            await page.keyboard.press("}");
            last = await changed(page, "select", last);
            assert.match(await fact(page, "Object"), /buffer_mutex/);
            threads.add(await fact(page, "Thread"));
        }
        assert.ok(threads.size > 1, [...threads].join());
    });

    scenario(`${way}: an interval that is clicked says thread, state, time and what it waited for`, gateway, async (page) => {
        await focusTimeline(page);
        await page.keyboard.press("ArrowRight");
        await untilAddress(page, "select", /^interval/);
        assert.match(await fact(page, "Thread"), /thread 0/);
        const [begin, end] = [parseFloat(await fact(page, "Start")), parseFloat(await fact(page, "End"))];
        assert.ok(begin >= 0 && end > begin);
        await page.mouse.click(...(await onLanes(page, 0.4, 0.5)));
        await page.locator(".details .reason").waitFor();
        await page.keyboard.press("Escape");
        await page.locator(".details h2", { hasText: "This run" }).waitFor();
    });

    scenario(`${way}: what is dragged over on the axis is marked, with its totals`, gateway, async (page) => {
        const box = await page.locator(".lanes-stage").boundingBox();
        await page.mouse.move(box.x + box.width * 0.4, box.y + 36);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.6, box.y + 36, { steps: 5 });
        await page.mouse.up();
        await untilAddress(page, "mark", isRange);
        await page.getByRole("tab", { name: "Marked interval" }).click();
        await page.getByRole("grid", { name: "Marked interval" }).waitFor();
        await page.getByRole("tabpanel").getByRole("button", { name: "Zoom to it" }).click();
        const range = await untilAddress(page, "range", isRange);
        // While the mouse moves the address has the mark so far, on a busy machine for a while after it.
        assert.equal(await untilAddress(page, "mark", isRange), range);
    });

    scenario(`${way}: F framed what was selected before, not the mark that was just made`, gateway, async (page) => {
        await focusTimeline(page);
        await page.keyboard.press("ArrowRight");
        await untilAddress(page, "select", /^interval/);
        const box = await page.locator(".lanes-stage").boundingBox();
        await page.mouse.move(box.x + box.width * 0.5, box.y + 36);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.7, box.y + 36, { steps: 5 });
        await page.mouse.up();
        const mark = times(await untilAddress(page, "mark", isRange));
        await page.keyboard.press("f");
        const framed = times(await untilAddress(page, "range", isRange));
        const middle = ([begin, end]) => (begin + end) / 2;
        const length = mark[1] - mark[0];
        assert.ok(framed[0] < mark[0] && framed[1] > mark[1] && framed[1] - framed[0] < 1.5 * length, `${framed} around ${mark}`);
        assert.ok(Math.abs(middle(framed) - middle(mark)) < 0.01 * length);
        await page.keyboard.press("ArrowRight"); // selected after the mark
        await untilAddress(page, "select", /^interval/);
        await page.keyboard.press("f");
        const [begin] = times(await changed(page, "range", framed.join("-")));
        assert.ok(begin < mark[0], "the first interval of the run");
    });

    scenario(`${way}: lanes by CPU, and a link to what is seen`, gateway, async (page) => {
        await page.getByRole("button", { name: "By CPU" }).click();
        await untilAddress(page, "by", /^cpu$/);
        await page.getByRole("slider", { name: "CPUs" }).press("PageDown");
        await zoomedIn(page);
        const link = page.url();
        const shown = await figures(page);
        const other = await page.context().newPage();
        await other.goto(link);
        await settled(other);
        assert.deepEqual(await figures(other), shown);
        assert.equal(other.url(), link);
        assert.equal(await other.getByRole("button", { name: "By CPU" }).getAttribute("aria-pressed"), "true");
    });

    scenario(`${way}: two counts are compared one above the other`, gateway, async (page) => {
        await page.getByRole("button", { name: "Compare" }).click();
        await page.getByRole("region", { name: "Timeline below" }).waitFor();
        const { predictions, scaling } = predicted("gateway");
        const below = predictions.filter((row) => row.cpus < scaling.first_cpus_beyond).at(-1);
        await page.locator(".strip", { hasText: `${below.cpus} CPU` }).waitFor();
    });

    scenario(`${way}: what is seen is saved as SVG and as PNG`, gateway, async (page) => {
        for (const kind of ["SVG", "PNG"]) {
            await page.locator("summary", { hasText: "Export" }).click();
            const download = page.waitForEvent("download");
            await page.getByRole("button", { name: kind }).first().click();
            assert.match((await download).suggestedFilename(), new RegExp(`\\.${kind.toLowerCase()}$`));
        }
    });
}

async function selectThread(page, id) {
    await page.getByRole("tab", { name: /^Threads/ }).click();
    await page.getByRole("grid", { name: "Threads" }).getByText(`thread ${id} `).first().click();
    await untilAddress(page, "select", new RegExp(`^thread\\.${id}$`));
}

// What is selected lies in the middle of what is shown once the beginning of the run is out of sight.
async function framedInTheMiddle(page) {
    let range = null;
    do {
        await page.keyboard.press("f");
        range = await changed(page, "range", range);
    } while (times(range)[0] === 0);
}

for (const [way, address] of Object.entries(ways)) {
    const gateway = () => address("gateway");

    scenario(`${way}: a cursor is dragged, and moved and removed by keys`, gateway, async (page) => {
        const at = async (across) => page.mouse.move(...(await onLanes(page, across)));
        await focusTimeline(page);
        await at(0.5);
        await page.keyboard.press("m");
        await at(0.8);
        await page.keyboard.press("m");
        const first = await untilAddress(page, "cursors", /^\d+\.\d+$/);
        await page.mouse.down();
        await at(0.7);
        await page.mouse.up();
        const dragged = await changed(page, "cursors", first);
        const [a, b] = first.split(".").map(Number);
        const [c, d] = dragged.split(".").map(Number);
        assert.equal(c, a, "the other one stays");
        assert.ok(d < b && d > a, `${first}, then ${dragged}`);
        assert.equal(await inAddress(page, "range"), null, "the view did not move");
        const handle = page.getByRole("slider", { name: "Cursor 2" });
        await handle.press("ArrowRight");
        const moved = await changed(page, "cursors", dragged);
        assert.ok(Number(moved.split(".")[1]) > d);
        await handle.press("Delete");
        assert.equal(await changed(page, "cursors", moved), String(a));
    });

    scenario(`${way}: lanes by CPU have the events of the threads that run there`, async () => `${await gateway()}#cpus=4`, async (page) => {
        await focusTimeline(page);
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("]");
        const event = await untilAddress(page, "select", /^event\./);
        await framedInTheMiddle(page);
        await page.keyboard.press("c");
        await untilAddress(page, "by", /cpu/);
        await page.locator(".details h2", { hasText: "Event" }).waitFor();
        await page.keyboard.press("Escape");
        const box = await page.locator(".lanes-stage").boundingBox();
        // In one of the lanes, a click near its lower edge selects the event.
        const gutter = Number(await page.locator(".lanes-stage").getAttribute("data-gutter"));
        const middle = box.x + gutter + (box.width - gutter) / 2;
        for (let y = box.y + box.height * 0.2; y < box.y + box.height; y += 4) {
            await page.mouse.click(middle, y);
            if (await page.evaluate((wanted) => new Promise((done) => setTimeout(() => done(location.hash.includes(wanted)), 200)), `select=${event}`)) {
                return;
            }
        }
        assert.fail(`${event} is in no lane`);
    });

    scenario(`${way}: the title is the program without its folder, and every hit of a search can be reached`, gateway, async (page) => {
        const title = page.locator("h1");
        assert.match(await title.textContent(), /^gateway/);
        assert.match(await title.getAttribute("title"), /^'?\/.*gateway/);
        await page.keyboard.press("/");
        await page.keyboard.type("e");
        const hits = page.locator("#search-hits [role=option]");
        const count = Number((await page.locator(".search-count").textContent()).split("/")[1]);
        assert.ok(count > 12, "or this tests nothing");
        assert.equal(await hits.count(), count);
        await page.keyboard.press("ArrowUp");
        await page.waitForFunction(() => {
            const list = document.querySelector("#search-hits");
            return list.lastElementChild.getAttribute("aria-selected") === "true" && list.scrollTop > 0;
        });
    });
}
