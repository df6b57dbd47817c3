// Is hostile content shown, and never run? Every page here is watched: a script that ran, a dialog, a picture that was
// asked for, or a complaint of the browser fails its test.

import assert from "node:assert/strict";
import { scenario } from "./page.mjs";
import { ways } from "./program.mjs";

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
