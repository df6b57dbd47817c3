// Serves the page with synthetic executions, to look at it without parcast:
//   node demo.mjs [--port 8430] [--threads 9] [--intervals 3000] [--findings] [--hostile] [--compare]
// or writes a report without a simulator, which has the predicted numbers of CPUs only:
//   node demo.mjs --report FILE [...]

import { createServer } from "node:http";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const option = (name, otherwise) => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const has = (name) => process.argv.includes(`--${name}`);

const bundle = await build({
    absWorkingDir: here,
    entryPoints: ["test/synthetic.ts"],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node18",
});
const { syntheticBytes, syntheticOverview, withIntervals } = await import(
    `data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].text).toString("base64")}`
);

const shape = withIntervals(option("threads", 9), option("intervals", 3000));
const hostile = (i) => ["<img src=x onerror=alert(1)>", "x".repeat(1e6), "a\u202eb\u0000c", "'\"&amp;</script>"][i % 4];
// Every name, also those that no system would allow.
const renamed = (document) => ({
    ...document,
    threads: document.threads.map((each, i) => ({ ...each, function: hostile(i + 1) })),
    objects: document.objects.map((each, i) => ({ ...each, name: hostile(i) })),
    sites: document.sites.map((each, i) => ({ ...each, name: hostile(i), file: hostile(i + 1), function: hostile(i + 2) })),
});
const made = (more) => syntheticOverview(shape, [1, 2, 4, 8, 16, 32, 64], { measured: true, findings: has("findings"), ...more });
const overview = (title) => ({
    ...(has("hostile") ? renamed(made({ name: hostile, title: hostile(0) })) : made({ title })),
    complete: true,
    capabilities: { simulate: true, source_text: true, compare: has("compare"), recorded: false, editor: false },
});
const documents = { "": overview("pigz -p 8 -k big.tar"), "b/": overview("pigz -p 16 -k big.tar") };

function respond(path, query) {
    const side = path.startsWith("b/") ? "b/" : "";
    const name = path.slice(side.length);
    const { sites } = documents[side];
    switch (name) {
        case "overview.json":
            return ["application/json", JSON.stringify(documents[side])];
        case "execution": {
            const other = { ...shape, seed: side ? 2 : query.get("scheduler") === "ideal" ? 3 : 1 };
            return ["application/octet-stream", Buffer.from(syntheticBytes(other, Number(query.get("cpus"))))];
        }
        case "source": {
            const site = sites[Number(query.get("site"))];
            const lines = Array.from({ length: 9 }, (_, i) => `    line ${site.line - 4 + i} of <b>${site.function}</b>;`);
            return ["application/json", JSON.stringify({ file: site.file, first_line: site.line - 4, lines })];
        }
        default:
            return null;
    }
}

function element(id, content) {
    return `<script type="application/octet-stream" id="${id}">${gzipSync(content).toString("base64")}</script>`;
}

async function report() {
    const document = { ...documents[""], capabilities: { simulate: true, source_text: true, compare: false, recorded: false, editor: false } };
    const sources = Object.fromEntries(document.sites.map((_, i) => [i, JSON.parse(respond("source", new URLSearchParams({ site: String(i) }))[1])]));
    const elements = [
        element("overview", JSON.stringify(document)),
        element("sources", JSON.stringify(sources)),
        ...document.cpus.map((cpus) => element(`execution-linux-${cpus}`, Buffer.from(syntheticBytes(shape, cpus)))),
    ];
    const page = await readFile(join(here, "dist", "page.html"), "utf8");
    return page.replace("<!--parcast-data-->", () => elements.join("\n"));
}

function serve() {
    const port = option("port", 8430);
    createServer(async (request, response) => {
        const address = new URL(request.url, "http://localhost");
        if (address.pathname === "/") {
            response.setHeader("content-type", "text/html; charset=utf-8");
            response.end(await readFile(join(here, "dist", "page.html")));
            return;
        }
        const answer = respond(address.pathname.slice(1), address.searchParams);
        response.statusCode = answer ? 200 : 404;
        response.setHeader("content-type", answer?.[0] ?? "text/plain");
        response.end(answer?.[1] ?? "There is no such page.");
    }).listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/`));
}

if (has("report")) {
    await writeFile(process.argv[process.argv.indexOf("--report") + 1], await report());
} else {
    serve();
}
