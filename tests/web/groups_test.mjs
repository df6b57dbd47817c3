// Are lanes that are alike folded into one where there are many, unfolded by a click, and sorted as one asks?

import assert from "node:assert/strict";
import { fact, focusTimeline, scenario, settled, untilAddress } from "./page.mjs";
import { ways } from "./program.mjs";

// The threads of quicksort: main, and hundreds that one place creates.
const name = "many_threads";

// Where the names of the lanes are, from the top.
async function nameAt(page, lane) {
    const stage = await page.locator(".lanes-stage").boundingBox();
    return { x: stage.x + 40, y: stage.y + stage.height * 0.5 + lane };
}

async function tooltipAt(page, { x, y }) {
    await page.mouse.move(x, y);
    const tip = page.locator(".lanes-tooltip, [role=tooltip]").first();
    return (await tip.isVisible()) ? tip.textContent() : "";
}

// The first height at which the tooltip of a lane's name fits.
async function findLane(page, wanted) {
    const stage = await page.locator(".lanes-stage").boundingBox();
    for (let y = stage.y + 60; y < stage.y + stage.height - 4; y += 8) {
        const at = { x: stage.x + 40, y };
        if (wanted.test(await tooltipAt(page, at))) {
            return at;
        }
    }
    return null;
}

for (const [way, open] of Object.entries(ways)) {
    scenario(`${way}: hundreds of threads open folded into one lane, and a click unfolds it`, () => open(name, "--cpus", "1,4"), async (page) => {
        assert.equal(await page.getByRole("button", { name: "Groups" }).getAttribute("aria-pressed"), "true");
        const group = await findLane(page, /a lane for each thread/);
        assert.ok(group, "there is the lane of a group");
        const tip = await tooltipAt(page, group);
        assert.match(tip, /^\d[\d,]* × /);
        assert.match(tip, /running [\d.]+, ready [\d.]+, waiting [\d.]+ on average/);
        assert.equal(await findLane(page, /^thread 7 /), null, "its threads have no lanes");
        await page.mouse.click(group.x, group.y);
        await untilAddress(page, "unfolded", /^0$/);
        assert.ok(await findLane(page, /^thread 7 /), "its threads have lanes");
        await page.mouse.move(2, 2);
        await focusTimeline(page);
        await page.keyboard.press("g");
        await untilAddress(page, "groups", /^off$/);
        assert.equal(await findLane(page, /one lane for all/), null, "no groups");
    });
}

scenario("a selected thread is shown below its folded group, and a link holds how the lanes are sorted", () => ways.report(name, "--cpus", "1,4"), async (page) => {
    await page.getByLabel("Order of the lanes").selectOption("path");
    await untilAddress(page, "sort", /^path$/);
    await page.evaluate(() => (location.hash += "&select=thread.7"));
    await page.locator(".details", { hasText: "thread 7 " }).first().waitFor();
    assert.ok(await findLane(page, /^thread 7 /), "the selected one has a lane");
    assert.equal(await findLane(page, /^thread 8 /), null, "the others have none");
    await page.reload();
    await settled(page);
    assert.equal(await page.getByLabel("Order of the lanes").inputValue(), "path");
    assert.ok(await fact(page, "Working time"));
});

scenario("few threads are a lane each, until one asks for groups", () => ways.report("gateway"), async (page) => {
    const groups = page.getByRole("button", { name: "Groups" });
    assert.equal(await groups.getAttribute("aria-pressed"), "false");
    await groups.click();
    assert.ok(await findLane(page, /^2 × lambda in main/), "readers");
    await untilAddress(page, "groups", /^on$/);
});
