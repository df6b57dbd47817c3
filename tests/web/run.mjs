// Is what people see in a browser right? Runs the tests of this folder in one Chromium, on recordings made once:
//   node run.mjs [WORD...]     only files whose names contain a word
// PARCAST, PARCAST_EXAMPLES, PARCAST_HOSTILE, PARCAST_FUNCTIONS and PARCAST_CROSSED_LOCKS name what is tested, PARCAST_PICTURES where pictures of failures go.

import { readdir } from "node:fs/promises";
import { after } from "node:test";
import { closeBrowser } from "./page.mjs";
import { cleanUp } from "./program.mjs";

const wanted = process.argv.slice(2);
after(async () => {
    await closeBrowser();
    await cleanUp();
});
for (const file of (await readdir(new URL(".", import.meta.url))).sort()) {
    if (file.endsWith("_test.mjs") && (wanted.length === 0 || wanted.some((word) => file.includes(word)))) {
        await import(new URL(file, import.meta.url));
    }
}
