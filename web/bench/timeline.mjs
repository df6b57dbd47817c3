// How fast is the page with very many intervals? Serves the built page with a synthetic execution to Chromium, and prints
// when the lanes are on screen, how long frames take while the view zooms and pans, and what memory the page holds:
//   node bench/timeline.mjs [--intervals 1000000] [--threads 32] [--cpus 16] [--seconds 3] [--screenshot FILE] [--json]
// The screenshot is of the lanes: what is around them is of another, small execution, and means nothing.
// Chromium is /usr/bin/chromium, or what CHROMIUM names.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const option = (name, otherwise) => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const intervals = option("intervals", 1_000_000);
const threads = option("threads", 32);
const cpus = option("cpus", 16);
const seconds = option("seconds", 3);

async function synthetic() {
    const bundle = await build({ absWorkingDir: join(here, ".."), entryPoints: ["test/synthetic.ts"], bundle: true, write: false, format: "esm", platform: "node", target: "node18" });
    return import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].text).toString("base64")}`);
}

// The page asks for the execution once with its lanes, and for others without.
async function serve({ syntheticBytes, syntheticOverview, withIntervals }) {
    const small = withIntervals(threads, 50 * threads);
    const bytes = Buffer.from(syntheticBytes(withIntervals(threads, intervals), cpus));
    const others = Buffer.from(syntheticBytes(small, cpus));
    const overview = { ...syntheticOverview(small, [cpus]), capabilities: { simulate: true, source_text: false, compare: false } };
    const page = await readFile(join(here, "..", "dist", "page.html"));
    const server = createServer((request, response) => {
        const { pathname, searchParams } = new URL(request.url, "http://localhost");
        if (pathname === "/overview.json") {
            response.end(JSON.stringify(overview));
        } else if (pathname === "/execution") {
            response.end(searchParams.get("timeline") === "0" ? others : bytes);
        } else {
            response.setHeader("content-type", "text/html; charset=utf-8");
            response.end(page);
        }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, bytes: bytes.length, address: `http://127.0.0.1:${server.address().port}/` };
}

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

function memoryOf(pid) {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const kib = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
    return { now: kib("RssAnon") * 1024, most: kib("VmHWM") * 1024 };
}

async function rendererOf(browser) {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.filter((each) => each.type === "renderer").map((each) => each.id);
}

// Times between frames and of the script in each while `act` goes on.
async function frames(page, act) {
    await page.evaluate(() => {
        const seen = { times: [], ends: [], on: true };
        window.benchFrames = seen;
        const channel = new MessageChannel();
        let begun = 0;
        // Runs after the frame's own work: what the main thread spent on it.
        channel.port1.onmessage = () => seen.ends.push(performance.now() - begun);
        const frame = (now) => {
            seen.times.push(now);
            begun = performance.now();
            channel.port2.postMessage(0);
            if (seen.on) {
                requestAnimationFrame(frame);
            }
        };
        requestAnimationFrame(frame);
    });
    await act();
    return page.evaluate(() => {
        const seen = window.benchFrames;
        seen.on = false;
        return { between: seen.times.slice(1).map((time, i) => time - seen.times[i]), work: seen.ends };
    });
}

function percentile(values, share) {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function measured() {
    const { server, bytes, address } = await serve(await synthetic());
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(address);
    await page.waitForFunction(() => performance.getEntriesByName("parcast: timeline drawn").length > 0, null, { timeout: 120_000 });
    const times = await page.evaluate(() => ({
        drawn: performance.getEntriesByName("parcast: timeline drawn")[0].startTime,
        loaded: Math.max(...performance.getEntriesByType("resource").map((each) => each.responseEnd)),
    }));
    const pids = await rendererOf(browser);
    if (process.argv.includes("--screenshot")) {
        await page.locator(".timelines").screenshot({ path: process.argv[process.argv.indexOf("--screenshot") + 1] });
    }
    const stage = await page.locator(".lanes-stage").boundingBox();
    await page.mouse.move(stage.x + stage.width * 0.5, stage.y + stage.height * 0.7);
    const hold = async (key, ms) => {
        await page.keyboard.down(key);
        await page.waitForTimeout(ms);
        await page.keyboard.up(key);
    };
    const zoomInAndOut = async () => {
        for (let i = 0; i < seconds; ++i) {
            await hold("w", 600);
            await hold("s", 400);
        }
    };
    const zoom = await frames(page, zoomInAndOut);
    for (let i = 0; i < 8; ++i) {
        await page.mouse.wheel(0, -120);
        await page.waitForTimeout(50);
    }
    const pan = await frames(page, async () => {
        for (let i = 0; i < seconds; ++i) {
            await hold("d", 500);
            await hold("a", 500);
        }
    });
    await page.keyboard.press("0");
    const wheel = await frames(page, async () => {
        for (let i = 0; i < seconds * 40; ++i) {
            await page.mouse.wheel(0, i % 40 < 24 ? -120 : 120);
            await page.waitForTimeout(16);
        }
    });
    await page.keyboard.press("c");
    const byCpu = await frames(page, zoomInAndOut);
    const memory = pids.map(memoryOf).sort((a, b) => b.now - a.now)[0];
    await browser.close();
    server.close();
    return { intervals, threads, bytes, ...times, zoom, pan, wheel, byCpu, memory };
}

function row(name, { between, work }) {
    const digits = (value) => value.toFixed(1).padStart(7);
    return `${name.padEnd(10)}${String(between.length).padStart(7)}${digits(percentile(between, 0.5))}${digits(percentile(between, 0.95))}${digits(percentile(work, 0.5))}${digits(percentile(work, 0.95))}`;
}

const result = await measured();
if (process.argv.includes("--json")) {
    console.log(JSON.stringify(result));
} else {
    const mib = (bytes) => (bytes / 2 ** 20).toFixed(0);
    console.log(`${result.intervals.toLocaleString("en-US")} intervals in ${result.threads} threads, ${mib(result.bytes)} MiB`);
    console.log(`on screen after ${result.drawn.toFixed(0)} ms, of which the data came within ${result.loaded.toFixed(0)} ms`);
    console.log(`memory of the page ${mib(result.memory.now)} MiB (${(result.memory.now / result.bytes).toFixed(2)} times the data), at most ${mib(result.memory.most)} MiB`);
    console.log("           frames between, ms    work, ms");
    console.log("                     p50    p95    p50    p95");
    for (const name of ["zoom", "pan", "wheel", "byCpu"]) {
        console.log(row(name === "byCpu" ? "by CPU" : name, result[name]));
    }
}
