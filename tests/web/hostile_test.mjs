// Is hostile content shown, and never run? Every page here is watched: a script that ran, a dialog, a picture that was
// asked for, or a complaint of the browser fails its test.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { focusTimeline, scenario, untilAddress } from "./page.mjs";
import { neverRun, ways } from "./program.mjs";

// Elements that only what was recorded would have made.
function strangers(page) {
    return page.evaluate(() => document.querySelectorAll("#page img, #page script, #page iframe, #page [onclick], #page [onerror], #page [onload]").length);
}

for (const [way, address] of Object.entries(ways)) {
    const hostile = () => address("hostile");

    scenario(`${way}: a command with HTML and a word of 100,000 letters is a title that fits`, hostile, async (page) => {
        assert.match(await page.title(), /^.{1,120} – parcast$/);
        const title = page.locator("h1");
        assert.ok((await title.getAttribute("title")).includes("<img src=x onerror=ran("), "as a shell takes it");
        assert.ok((await title.boundingBox()).height < 60);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
        assert.equal(await strangers(page), 0);
    });

    scenario(`${way}: names of threads that are HTML are text`, hostile, async (page) => {
        await page.getByRole("tab", { name: /^Threads/ }).click();
        const table = page.getByRole("grid", { name: "Threads" });
        for (const name of ["<img src=x>", "<svg/onload=a()", "'\"><b>bold</b>"]) {
            await table.getByText(name).first().click();
            await page.locator(".details .name", { hasText: name }).waitFor();
        }
        assert.equal(await strangers(page), 0);
    });

    scenario(`${way}: a path of a source that is HTML is text, in tables, hits, details and tooltips`, hostile, async (page) => {
        await page.keyboard.press("/");
        await page.keyboard.type("here");
        await page.keyboard.press("Enter");
        await page.getByRole("tab", { name: /^Functions/ }).click();
        await page.getByRole("grid", { name: "Functions" }).getByRole("row").nth(1).click();
        await page.locator(".details .facts").waitFor();
        const stage = await page.locator(".lanes-stage").boundingBox();
        for (const across of [0.05, 0.4, 0.6, 0.8]) {
            await page.mouse.move(stage.x + stage.width * across, stage.y + stage.height * 0.5);
        }
        assert.equal(await strangers(page), 0);
    });

    scenario(`${way}: an address made by somebody else is read as far as it makes sense`, async () => `${await hostile()}#select=%3Cimg%20src=x%20onerror=ran(1)%3E&range=9e99-1&cpus=0&mark=5-4&search=%3Cb%3E${"x".repeat(500)}&order=1.99999999999&compare=c.5.linux&table=__proto__&by=constructor`, async (page) => {
        await page.locator(".figures b").first().waitFor();
        assert.equal(await strangers(page), 0);
    });
}

// Names of a megabyte, of HTML, and of letters that turn the direction of writing or do not print: of threads, objects,
// functions, places and files.
const unnamed = () => neverRun("--hostile", "--findings");
const megabyte = 1_000_000;

async function longestText(page) {
    return page.evaluate(() => Math.max(...[...document.querySelectorAll("#page *")].flatMap((each) => [each.title?.length ?? 0, ...[...each.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.data.length : 0))])));
}

scenario("names of a megabyte are shortened wherever they stand, and the frame stays", unnamed, async (page) => {
    for (const tab of ["Threads", "Objects", "Functions", "Intervals", "Events", "CPUs", "Parallelism", "What to change", "Path by piece", "Marked interval"]) {
        await page.getByRole("tab", { name: new RegExp(`^${tab}`) }).click();
        await page.locator(`.panel[aria-label="${tab}"]`).waitFor();
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, tab);
        assert.ok((await longestText(page)) < megabyte / 10, tab);
        assert.equal(await strangers(page), 0, tab);
    }
});

scenario("a thread, an object and an event with names of a megabyte are selected, searched and walked through", unnamed, async (page) => {
    for (const [tab, kind] of [["Threads", "thread"], ["Objects", "object"], ["Events", "event"]]) {
        await page.getByRole("tab", { name: new RegExp(`^${tab}`) }).click();
        await page.getByRole("grid", { name: tab }).getByText("xxxxxxxx").first().click();
        await untilAddress(page, "select", new RegExp(`^${kind}`));
        await page.locator(".details .facts").waitFor();
        assert.ok((await longestText(page)) < megabyte / 10, tab);
    }
    await page.keyboard.press("/");
    await page.keyboard.type("xxxx");
    await page.locator(".hits li").first().waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await focusTimeline(page);
    for (const key of ["w", "]", "}", "ArrowDown", "c", "0"]) {
        await page.keyboard.press(key);
    }
    const stage = await page.locator(".lanes-stage").boundingBox();
    for (const across of [0.05, 0.3, 0.6]) {
        for (const down of [0.4, 0.6, 0.8]) {
            await page.mouse.move(stage.x + stage.width * across, stage.y + stage.height * down);
        }
    }
    assert.equal(await strangers(page), 0);
});

scenario("a picture with such names is small and well-formed", unnamed, async (page) => {
    await page.locator("summary", { hasText: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Timeline as SVG" }).click();
    const svg = await readFile(await (await download).path(), "utf8");
    assert.ok(svg.length < megabyte, String(svg.length));
    const found = await page.evaluate((source) => {
        const document = new DOMParser().parseFromString(source, "image/svg+xml");
        return { errors: document.querySelectorAll("parsererror").length, strangers: document.querySelectorAll("img, script, foreignObject").length };
    }, svg);
    assert.deepEqual(found, { errors: 0, strangers: 0 });
});
