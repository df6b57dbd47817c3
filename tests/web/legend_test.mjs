// Is it said what colours, patterns, lines and signs mean, where one sees them?

import assert from "node:assert/strict";
import { focusTimeline, inAddress, scenario, untilAddress } from "./page.mjs";
import { report } from "./program.mjs";

const small = { viewport: { width: 1280, height: 800 } };

// Entries of the line that are not cut off.
function seenEntries(page) {
    return page.locator(".lanes-legend").evaluate((line) => {
        const box = line.getBoundingClientRect();
        return [...line.children]
            .filter((each) => {
                const { left, right, top, bottom } = each.getBoundingClientRect();
                return left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;
            })
            .map((each) => each.textContent);
    });
}

scenario("a legend that lost the critical path in small windows: the line names what occurs, the critical path first", () => report("gateway"), async (page) => {
    const seen = await seenEntries(page);
    assert.equal(seen[0], "critical path");
    assert.ok(seen.includes("running") && seen.includes("waiting"), seen.join());
    assert.ok(!seen.includes("spinning"), "nothing spins in this program");
}, small);

scenario("the legend explains every state and sign, without scrolling, and goes with Escape", () => report("gateway"), async (page) => {
    const button = page.getByRole("button", { name: "Legend" });
    await focusTimeline(page);
    await page.keyboard.press("ArrowRight");
    const selected = await untilAddress(page, "select", /./);
    await button.focus();
    await page.keyboard.press("Enter");
    const legend = page.getByRole("region", { name: "Legend" });
    const { x, y, width, height } = await legend.boundingBox();
    assert.ok(x >= 0 && y >= 0 && x + width <= 1280 && y + height <= 800, "it lies in the window");
    assert.equal(await legend.evaluate((each) => each.scrollHeight > each.clientHeight), false);
    const text = await legend.textContent();
    for (const word of ["running", "switching", "spinning", "ready", "waiting", "sleeping", "input/output", "critical path", "takes a lock", "waits on a condition", "waits on a semaphore", "posts it", "barrier", "creates a thread"]) {
        assert.ok(text.includes(word), word);
    }
    const signs = await legend.locator("canvas").evaluateAll((all) => all.map((canvas) => canvas.toDataURL()));
    assert.ok(signs.length >= 13);
    assert.equal(new Set(signs).size, signs.length, "no two signs are the same");
    await page.keyboard.press("Escape");
    await legend.waitFor({ state: "hidden" });
    assert.equal(await button.evaluate((each) => each === document.activeElement), true);
    assert.equal(await inAddress(page, "select"), selected, "and nothing else goes with it");
    await button.click();
    await legend.waitFor();
    await page.locator("h1").click();
    await legend.waitFor({ state: "hidden" });
}, small);

scenario("by CPU the legend says that colours are threads", () => report("gateway"), async (page) => {
    await page.getByRole("button", { name: "By CPU" }).click();
    await page.locator(".lanes-legend", { hasText: "a thread each" }).waitFor();
    assert.ok(!(await seenEntries(page)).includes("waiting"), "what waits is on no CPU");
}, small);
