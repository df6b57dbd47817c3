// Builds dist/page.html: the whole page in one file, script and style inside. `node build.mjs --check` compares with
// what is committed instead. The same sources give the same bytes on every machine.

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { scripts } from "./scripts.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const marker = "<!--parcast-data-->";

async function bundled(entry) {
    const result = await build({
        absWorkingDir: here,
        entryPoints: [entry],
        outdir: "dist",
        bundle: true,
        write: false,
        format: "iife",
        target: ["chrome110", "firefox113", "safari16.4"],
        jsx: "automatic",
        jsxImportSource: "preact",
        minify: true,
        charset: "ascii",
        legalComments: "none",
        define: { "process.env.NODE_ENV": '"production"' },
        plugins: [scripts(here)],
        logLevel: "warning",
    });
    const text = (suffix) => result.outputFiles.find((file) => file.path.endsWith(suffix))?.text.trimEnd() ?? "";
    return { script: text(".js"), style: text(".css") };
}

function hashSource(text) {
    return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

async function licences() {
    const texts = await Promise.all(
        ["preact"].map(async (name) => {
            const text = await readFile(join(here, "node_modules", name, "LICENSE"), "utf8");
            return `${name}\n\n${text.trim()}`;
        }),
    );
    return texts.join("\n\n").replaceAll("--", "- -");
}

async function page() {
    const { script, style } = await bundled("src/main.tsx");
    for (const text of [script, style]) {
        if (/<!--|<\/(script|style)/i.test(text)) {
            throw new Error("The bundle would end its element early.");
        }
    }
    const policy = [
        "default-src 'none'",
        `script-src ${hashSource(script)} 'wasm-unsafe-eval'`,
        `style-src ${hashSource(style)}`,
        "worker-src blob:",
        "connect-src 'self'",
        "img-src blob: data:",
        "base-uri 'none'",
        "form-action 'none'",
    ].join("; ");
    return [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        '<link rel="icon" href="data:,">',
        "<title>parcast</title>",
        `<!--\nThis page contains\n\n${await licences()}\n-->`,
        `<style>${style}</style>`,
        "</head>",
        "<body>",
        '<div id="page"><noscript>This page draws with JavaScript, which is switched off.</noscript></div>',
        marker,
        `<script>${script}</script>`,
        "</body>",
        "</html>",
        "",
    ].join("\n");
}

const sumsFile = join(here, "dist", "SHA256SUMS");

// The sums of files that are not built here (module.wasm) stay as they are.
async function sums(html) {
    const others = (await readFile(sumsFile, "utf8").catch(() => ""))
        .split("\n")
        .filter((line) => line && !line.endsWith("  page.html"));
    const own = `${createHash("sha256").update(html).digest("hex")}  page.html`;
    return [...others, own].sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join("\n") + "\n";
}

const html = await page();
const file = join(here, "dist", "page.html");
if (process.argv.includes("--check")) {
    const committed = await readFile(file, "utf8").catch(() => "");
    if (committed !== html || (await readFile(sumsFile, "utf8").catch(() => "")) !== (await sums(html))) {
        console.error("web/dist is not what its sources give: run `node build.mjs` in web/ and commit what it writes.");
        process.exit(1);
    }
    console.log(`dist/page.html is what its sources give: ${html.length} bytes.`);
} else {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, html);
    await writeFile(sumsFile, await sums(html));
    console.log(`dist/page.html: ${html.length} bytes.`);
}
