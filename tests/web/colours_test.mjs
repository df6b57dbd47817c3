// Is everything readable, in light and in dark?

import assert from "node:assert/strict";
import { scenario } from "./page.mjs";
import { report } from "./program.mjs";

const leastContrast = 4.5; // WCAG 2.2 AA, text of usual size

// Text whose contrast with the ground that it stands on is too small. Text on the timeline's canvas is held to the
// palette by a test of its own (web/test/palette_test.ts).
function paleTexts(least) {
    const channel = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const parsed = (colour) => {
        const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
        return { rgb: [r, g, b], a };
    };
    const luminance = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
    const over = (top, below) => top.rgb.map((value, i) => value * top.a + below[i] * (1 - top.a));
    const groundOf = (element) => {
        const layers = [];
        for (let each = element; each; each = each.parentElement) {
            layers.push(parsed(getComputedStyle(each).backgroundColor));
        }
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
    };
    const pale = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        if (node.textContent.trim() === "" || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || element.closest("script, style, :disabled")) {
            continue;
        }
        const style = getComputedStyle(element);
        const ground = groundOf(element);
        const ink = over(parsed(element instanceof SVGElement ? style.fill : style.color), ground);
        const [light, dark] = [luminance(ink), luminance(ground)].sort((a, b) => b - a);
        const contrast = (light + 0.05) / (dark + 0.05);
        if (contrast < least) {
            pale.push(`${contrast.toFixed(2)}: ${node.textContent.trim().slice(0, 60)}`);
        }
    }
    return pale;
}

function groundLightness(page) {
    return page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).slice(0, 3).map(Number));
}

for (const colorScheme of ["light", "dark"]) {
    scenario(`${colorScheme} as the system: every text has enough contrast`, () => report("gateway"), async (page) => {
        const ground = await groundLightness(page);
        assert.ok(ground.every((value) => (colorScheme === "dark" ? value < 60 : value > 220)), ground.join());
        assert.deepEqual(await page.evaluate(paleTexts, leastContrast), []);
        await page.getByRole("tab", { name: /^Objects/ }).click();
        await page.getByRole("grid", { name: "Objects" }).getByRole("row").nth(1).click();
        await page.getByRole("button", { name: "As tables" }).click();
        assert.deepEqual(await page.evaluate(paleTexts, leastContrast), []);
        await page.getByRole("tab", { name: "What to change" }).click();
        await page.locator(".change-tab .levers").waitFor();
        assert.deepEqual(await page.evaluate(paleTexts, leastContrast), []);
        await page.locator(".levers button").first().click();
        await page.getByLabel("Change of the program").waitFor();
        assert.deepEqual(await page.evaluate(paleTexts, leastContrast), []);
        await page.getByRole("button", { name: "Legend" }).first().click();
        assert.deepEqual(await page.evaluate(paleTexts, leastContrast), []);
        await page.keyboard.press("Escape");
        await page.keyboard.press("?");
        assert.deepEqual(await page.evaluate(paleTexts, leastContrast), []);
    }, { colorScheme });
}

scenario("the colours can be chosen against the system's wish", () => report("gateway"), async (page) => {
    const before = await groundLightness(page);
    const button = page.getByRole("button", { name: /^Colours/ });
    await button.click();
    const seen = [await groundLightness(page)];
    await button.click();
    seen.push(await groundLightness(page));
    assert.ok(seen.some((ground) => ground.join() !== before.join()));
}, { colorScheme: "light" });

scenario("forced colours: the page is there and complains of nothing", () => report("gateway"), async (page) => {
    await page.locator(".figures b").first().waitFor();
}, { forcedColors: "active" });
