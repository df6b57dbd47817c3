// Runs the tests in test/*_test.ts: bundles them for Node, which reads no TypeScript at version 18.

import { spawnSync } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { scripts } from "./scripts.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, ".test");
const wanted = process.argv.slice(2);

const names = (await readdir(join(here, "test"))).filter((name) => /_test\.tsx?$/.test(name));
const tests = names.filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
await rm(out, { recursive: true, force: true });
await build({
    absWorkingDir: here,
    entryPoints: tests.map((name) => join("test", name)),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node18",
    jsx: "automatic",
    jsxImportSource: "preact",
    sourcemap: "inline",
    plugins: [scripts(here)],
    logLevel: "warning",
});
const files = tests.map((name) => join(out, name.replace(/\.tsx?$/, ".mjs")));
const result = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], { cwd: here, stdio: "inherit" });
process.exit(result.status ?? 1);
