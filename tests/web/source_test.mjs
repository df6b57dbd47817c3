// Is the source shown of what is selected?

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fact, scenario, untilAddress } from "./page.mjs";
import { report, view, ways } from "./program.mjs";

async function selectPlace(page) {
    await page.keyboard.press("/");
    await page.keyboard.type("gateway.cpp");
    await page.keyboard.press("ArrowUp"); // the last hit: places come after threads and objects
    await untilAddress(page, "select", /^site/);
}

for (const [way, address] of Object.entries(ways)) {
    scenario(`${way}: the line of a place is shown as it is in its file`, () => address("gateway"), async (page) => {
        await selectPlace(page);
        const [, file, line] = /^(.*):(\d+)$/.exec(await fact(page, "File"));
        const lines = readFileSync(file, "utf8").split("\n");
        const here = page.locator(".source pre .here");
        await here.waitFor();
        const isSeen = await here.evaluate((line) => {
            const [inner, outer] = [line.getBoundingClientRect(), line.closest("pre").getBoundingClientRect()];
            return inner.top >= outer.top && inner.bottom <= outer.bottom;
        });
        assert.ok(isSeen, "the excerpt was shown from its begin, 30 lines before the place");
        const number = await here.locator(".line-number").textContent();
        assert.equal(number, line);
        assert.equal((await here.textContent()).slice(number.length).trimEnd(), lines[Number(line) - 1].trimEnd());
        assert.ok((await page.locator(".source pre code").count()) > 10, "and what stands around it");
    });
}

for (const [way, address] of Object.entries({ report, view })) {
    scenario(`${way} without source text: names the place and shows no line`, () => address("gateway", "--no-source-text"), async (page) => {
        await selectPlace(page);
        assert.match(await fact(page, "File"), /gateway\.cpp:\d+$/);
        assert.equal(await page.locator(".source pre").count(), 0);
        assert.match(await page.locator(".source .missing").textContent(), /--no-source-text.*gateway\.cpp/);
    });
}

scenario("what an event calls was below the facts and out of sight", async () => `${await report("gateway")}#select=event.4`, async (page) => {
    const here = page.locator(".source pre .here");
    await here.waitFor();
    const [line, details] = [await here.boundingBox(), await page.locator(".details-body").boundingBox()];
    assert.ok(line.y >= details.y && line.y + line.height <= details.y + details.height, JSON.stringify([line, details]));
    assert.match(await page.locator(".reason + .source h3").textContent(), /^Called at$/);
}, { viewport: { width: 1280, height: 800 } });

scenario("of a thread is said where it begins, not that it is created there", async () => `${await report("gateway")}#select=thread.1`, async (page) => {
    assert.equal(await page.locator(".details .source h3").textContent(), "Begins at");
});

// What `parcast view` answers where the file is not there any more.
function withoutFiles() {
    const ask = window.fetch;
    window.fetch = (address, options) => (/source\?site=/.test(address) ? Promise.resolve(new Response("null")) : ask(address, options));
}

scenario("source that cannot be read was blank: it is said, with where it was looked for", () => view("gateway"), async (page) => {
    await selectPlace(page);
    const [, file] = /^(.*):\d+$/.exec(await fact(page, "File"));
    const missing = page.locator(".source .missing");
    await missing.waitFor();
    const text = await missing.textContent();
    assert.ok(text.includes("could not be read") && text.includes(file), text);
}, { before: withoutFiles });
