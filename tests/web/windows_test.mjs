// Does the page fit into the windows that people have? Nothing is cut off, and the lanes keep their room.

import assert from "node:assert/strict";
import { figures, saysPrediction, scenario } from "./page.mjs";
import { report, shownFirst } from "./program.mjs";

const leastLanes = 150; // px

const windows = [
    [1024, 768],
    [1280, 800],
    [1440, 900],
    [1920, 1080],
];
const views = {  "one execution": "", "with tables": "table=objects", "two executions": "compare=a.2.linux", "two executions and tables": "compare=a.2.linux&table=threads", "a changed program": "what-if=thread:0*0.5,thread:1*0.75,thread:2*0.9,sleep:*0", "what to change": "table=change" };

// What of the frame does not lie in the window, or is cut off where it lies.
function cutOff(page) {
    return page.evaluate(() => {
        const outside = (element) => {
            const box = element.getBoundingClientRect();
            return box.top < 0 || box.left < 0 || box.bottom > innerHeight + 0.5 || box.right > innerWidth + 0.5;
        };
        const frame = document.querySelectorAll("header, .top button, .top input, .slider, .overview, .timeline, .details, .drawer, .tabs > button");
        const wrong = [...frame].filter((element) => element.checkVisibility() && outside(element));
        const pinched = [...document.querySelectorAll("header.top, .top.second")].filter((element) => element.scrollHeight > element.clientHeight + 1);
        return [...wrong, ...pinched].map((element) => `${element.tagName} ${element.className} ${element.textContent.slice(0, 30)}`);
    });
}

// A warning, figures and three sentences: more than a small window has room for.
scenario("1024 x 768: a warning pushed What to try out of sight", () => report("gateway"), async (page) => {
    const card = await page.getByRole("region", { name: "What it means" }).boundingBox();
    assert.equal(await page.locator(".verdict .warnings").count(), 1, "gateway has a warning");
    for (const name of ["What limits it", "Where", "What to try"]) {
        const answer = await page.locator(".sentences dt", { hasText: name }).locator("xpath=following-sibling::dd[1]").boundingBox();
        assert.ok(answer.y >= card.y && answer.y + answer.height <= card.y + card.height, `${name}: ${JSON.stringify(answer)} in ${JSON.stringify(card)}`);
    }
    const warning = page.locator(".verdict .warnings");
    assert.ok((await warning.boundingBox()).height >= 40, "two lines of the warning");
}, { viewport: { width: 1024, height: 768 } });

for (const [width, height] of windows) {
    for (const [what, hash] of Object.entries(views)) {
        scenario(`${width} x ${height}: ${what}: nothing is cut off, and the lanes have room`, async () => `${await report("gateway")}#${hash}`, async (page) => {
            await page.locator(".lanes-stage").nth(/compare|what-if/.test(hash) ? 1 : 0).waitFor();
            assert.deepEqual(await cutOff(page), []);
            for (const stage of await page.locator(".lanes-stage").all()) {
                const box = await stage.boundingBox();
                assert.ok(box.height >= leastLanes, `${box.height} px for the lanes`);
            }
        }, { viewport: { width, height } });
    }
}

scenario("two executions and all of the answers, asked for, made the page higher than its window", async () => `${await report("gateway")}#compare=a.2.linux&answers=all`, async (page) => {
    await page.locator(".verdict").waitFor();
    await page.locator(".lanes-stage").nth(1).waitFor();
    assert.deepEqual(await cutOff(page), []);
    assert.ok((await page.evaluate(() => document.documentElement.scrollHeight)) <= 800);
    for (const stage of await page.locator(".lanes-stage").all()) {
        assert.ok((await stage.boundingBox()).height >= 100, "less than in other views, which nobody asked to have answers too");
    }
}, { viewport: { width: 1280, height: 800 } });

scenario("answers that gave way are a line with the same figures, and come back", async () => `${await report("gateway")}#table=threads`, async (page) => {
    assert.equal(await page.locator(".verdict").count(), 0);
    await saysPrediction(page, shownFirst("gateway"));
    const brief = await figures(page);
    await page.getByRole("button", { name: "More" }).click();
    await page.locator(".verdict").waitFor();
    assert.deepEqual(await figures(page), brief);
    await page.keyboard.press("o");
    await page.locator(".brief-lead").waitFor();
}, { viewport: { width: 1280, height: 800 } });
