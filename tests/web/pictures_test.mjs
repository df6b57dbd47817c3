// Can a saved picture be read on its own? It says of which program, on how many CPUs, under which scheduler, of which
// recording, and what its colours mean.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { figures, scenario } from "./page.mjs";
import { report, shownFirst, ways } from "./program.mjs";

async function saved(page, entry) {
    await page.locator("summary", { hasText: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: entry }).click();
    return readFile(await (await download).path());
}

// Every text of an SVG document, as a browser reads it; a document that is not well-formed has none.
function textsOf(page, svg) {
    return page.evaluate((source) => {
        const document = new DOMParser().parseFromString(source, "image/svg+xml");
        return [...document.querySelectorAll("svg > text, svg > g text")].map((each) => each.textContent);
    }, svg);
}

// Width, height and the number of colours of an image.
function imageOf(page, bytes, type) {
    return page.evaluate(
        async ([base64, mime]) => {
            const image = new Image();
            image.src = `data:${mime};base64,${base64}`;
            await image.decode();
            const canvas = document.createElement("canvas");
            canvas.width = image.width;
            canvas.height = image.height;
            const context = canvas.getContext("2d", { willReadFrequently: true });
            context.drawImage(image, 0, 0);
            const coloursBetween = (top, bottom) => new Set(new Uint32Array(context.getImageData(0, Math.round(top), image.width, Math.round(bottom - top)).data.buffer)).size;
            const { height } = image;
            return { width: image.width, height, caption: coloursBetween(0, height * 0.1), lanes: coloursBetween(height * 0.2, height * 0.8), legend: coloursBetween(height - 40, height) };
        },
        [bytes.toString("base64"), type],
    );
}

for (const [way, address] of Object.entries(ways)) {
    scenario(`${way}: the timeline as SVG says what it shows`, () => address("gateway"), async (page) => {
        const { time, speedUp, efficiency } = await figures(page);
        const { cpus } = shownFirst("gateway");
        const texts = await textsOf(page, (await saved(page, "Timeline as SVG")).toString());
        assert.match(texts[0], /^gateway/);
        assert.equal(texts[1], `Predicted for ${cpus} CPUs, scheduler linux: ${time}, ${speedUp.replace("×", "")} times as fast as on one CPU, efficiency ${efficiency}`);
        assert.match(texts[2], /^gateway\.parcast, parcast [\d.]+.*, the whole run$/);
        const legend = await page.locator(".lanes-legend > *").allTextContents(); // what occurs
        for (const words of legend) {
            assert.ok(texts.includes(words), words);
        }
        assert.ok(!texts.includes("spinning"), "nothing spins in this program");
        assert.ok(texts.includes("creates a thread") && texts.includes("waits for one to end"), "signs of the events that occur");
        assert.ok(!texts.includes("posts it"), "there is no semaphore");
        assert.ok(texts.some((text) => text.startsWith("thread 1")), "lanes have their names");
        assert.ok(texts.some((text) => text.startsWith("joins thread 1")), "a thread that joins another one looked as if it were that one");
    });
}

scenario("a part of the run is saved with its times, and what is drawn is a picture", async () => `${await report("gateway")}#range=1000000-5000000`, async (page) => {
    const svg = await saved(page, "Timeline as SVG");
    const texts = await textsOf(page, svg.toString());
    assert.match(texts[2], /, 1\.000 ms to 5\.000 ms$/);
    const image = await imageOf(page, svg, "image/svg+xml");
    assert.ok(image.lanes > 8 && image.caption > 8 && image.legend > 8, JSON.stringify(image));
});

scenario("lanes by CPU are saved with what their colours mean there: threads", async () => `${await report("gateway")}#by=cpu`, async (page) => {
    const texts = await textsOf(page, (await saved(page, "Timeline as SVG")).toString());
    const meant = texts.slice(texts.lastIndexOf("critical path") - 9);
    assert.ok(meant.some((text) => /^thread 1/.test(text)), meant.join("\n"));
    assert.ok(!meant.includes("sleeping"));
});

scenario("a picture of a task graph speaks of its schedule and its tasks", () => report("polyroots", "--cpus", "8", "--schedule", "lpt"), async (page) => {
    const texts = await textsOf(page, (await saved(page, "Timeline as SVG")).toString());
    assert.match(texts[1], /^Predicted for 8 CPUs, schedule lpt: /);
    assert.ok(texts.includes("a colour for each group"), "there are more than can be named");
});

for (const colorScheme of ["light", "dark"]) {
    scenario(`${colorScheme}: the timeline as PNG is twice as fine as the screen, with caption and legend`, () => report("gateway"), async (page) => {
        const stage = await page.locator(".lanes-stage").boundingBox();
        const image = await imageOf(page, await saved(page, "Timeline as PNG"), "image/png");
        assert.equal(image.width, 2 * stage.width);
        assert.ok(image.height > 2 * stage.height + 2 * 70, `${image.height} of ${stage.height}`);
        assert.ok(image.lanes > 8 && image.caption > 8 && image.legend > 8, JSON.stringify(image));
    }, { colorScheme });
}

scenario("the chart as SVG has title, scheduler and legend, also where a table or a line stood in its place", async () => `${await report("gateway")}#answers=brief&charts=tables`, async (page) => {
    const svg = await saved(page, "Speed-up chart as SVG");
    const texts = await textsOf(page, svg.toString());
    assert.match(texts[0], /^Speed-up: gateway/);
    assert.match(texts[1], /scheduler linux/);
    assert.match(texts[2], /^gateway\.parcast/);
    assert.ok(texts.includes("predicted"), texts.join("\n"));
    assert.ok(texts.some((text) => /\d CPUs$/.test(text)), "its axis");
    assert.ok((await imageOf(page, svg, "image/svg+xml")).lanes > 8);
});

scenario("two executions are saved as a picture each, with their own counts", async () => `${await report("gateway")}#compare=a.2.linux`, async (page) => {
    await page.getByRole("region", { name: "Timeline below" }).waitFor();
    const downloads = [];
    page.on("download", (each) => downloads.push(each));
    await page.locator("summary", { hasText: "Export" }).click();
    await page.getByRole("button", { name: "Timeline as SVG" }).click();
    for (let tries = 0; tries < 50 && downloads.length < 2; ++tries) {
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    }
    const facts = await Promise.all(downloads.map(async (each) => (await textsOf(page, (await readFile(await each.path())).toString()))[1]));
    assert.match(facts[0], new RegExp(`^Predicted for ${shownFirst("gateway").cpus} CPUs`));
    assert.match(facts[1], /^Predicted for 2 CPUs/);
});
