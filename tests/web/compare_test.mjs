// Are two programs shown one above the other?

import assert from "node:assert/strict";
import { scenario } from "./page.mjs";
import { predicted, recording, shownFirst, view } from "./program.mjs";
import { says } from "./page.mjs";

scenario("view --compare: both programs, on one scale, each with its own numbers", () => view("gateway", "--compare", recording("one_lock")), async (page) => {
    await page.getByRole("region", { name: "Timeline below" }).waitFor();
    const strips = await page.locator(".strip").allTextContents();
    assert.equal(strips.length, 2);
    assert.match(strips[0], /gateway/);
    assert.match(strips[1], /one_lock/);
    const { cpus } = shownFirst("gateway");
    await page.locator(".lanes-stage").nth(1).focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(".details h2", { hasText: "Interval" }).waitFor();
    await page.keyboard.press("Escape");
    const [row] = predicted("one_lock", "--cpus", String(cpus)).predictions;
    await page.getByRole("button", { name: "More" }).click(); // in a window of 900 lines the answers gave way
    await page.getByRole("button", { name: "As tables" }).click();
    const below = page.getByRole("table", { name: "Predicted speed-up" }).locator("tr", { hasText: "below" }).filter({ has: page.getByRole("button", { name: String(cpus), exact: true }) });
    says(await below.locator("td").nth(2).textContent(), row.time_ns, "time below");
});
