import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";

// Of types, too: what is compiled away is still read in a circle. Tests run in web/ (test.mjs).
async function importsOf(file: string): Promise<string[]> {
    const text = await readFile(file, "utf8");
    return [...text.matchAll(/^(?:import|export)\b[^;]*?"(?:script:)?(\.[^"]+\.tsx?)";/gms)].map(([, path]) => normalize(join(dirname(file), path!)));
}

test("no file of the page imports itself in a circle", async () => {
    const files = (await readdir("src", { recursive: true })).filter((name) => /\.tsx?$/.test(name)).map((name) => join("src", name));
    assert(files.length > 50);
    const imports = new Map(await Promise.all(files.map(async (file): Promise<[string, string[]]> => [file, await importsOf(file)])));
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
        assert(!path.includes(file), `${[...path.slice(path.indexOf(file)), file].join(" -> ")}`);
        if (!done.has(file)) {
            imports.get(file)?.forEach((next) => visit(next, [...path, file]));
            done.add(file);
        }
    };
    files.forEach((file) => visit(file, []));
    assert(imports.get("src/main.tsx")!.length > 3); // they are read
});
