// import text from "script:./worker.ts": the bundled script as text, for a worker that is made from a Blob.

import { dirname, resolve } from "node:path";
import { build } from "esbuild";

export function scripts(root) {
    return {
        name: "scripts",
        setup(plugin) {
            plugin.onResolve({ filter: /^script:/ }, ({ path, importer }) => ({
                path: resolve(dirname(importer), path.slice("script:".length)),
                namespace: "script",
            }));
            plugin.onLoad({ filter: /.*/, namespace: "script" }, async ({ path }) => {
                const result = await build({
                    absWorkingDir: root,
                    entryPoints: [path],
                    bundle: true,
                    write: false,
                    format: "iife",
                    target: plugin.initialOptions.target,
                    minify: true,
                    charset: "ascii",
                    legalComments: "none",
                });
                return { contents: result.outputFiles[0].text, loader: "text" };
            });
        },
    };
}
