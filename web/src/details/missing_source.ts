// Why is there no source text of a place, and where was it looked for?

import type { Overview } from "../overview.ts";

export function missingSource(overview: Overview, site: number): string {
    const entry = overview.sites[site];
    if (!entry?.file || entry.line === 0) {
        return "Its file and line are unknown: this part of the program has no debug information (compile it with -g).";
    }
    const folder = overview.prediction.input.working_directory;
    const path = entry.file.startsWith("/") || !folder ? entry.file : `${folder}/${entry.file}`;
    return overview.capabilities.source_text
        ? `The source could not be read from ${path} on the machine that made this page.`
        : `This page has no source text: it was made with --no-source-text, or the program's files could not be read. This place is in ${path}.`;
}
