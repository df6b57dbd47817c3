// Which threads, objects, functions and places have this in their names?

import { objectLabel, siteLabel, threadLabel, type Overview } from "./overview.ts";
import type { Selection } from "./state.ts";

export interface Hit {
    readonly selection: Selection;
    readonly label: string;
    readonly kind: "thread" | "object" | "place";
}

const mostHits = 1000;
const searchedLetters = 4096; // of a name: of one that has a megabyte, the beginning

// Threads first, then objects, then places, each by id. Empty text has no hits.
export function hitsOf(overview: Overview, text: string): Hit[] {
    const wanted = text.trim().toLowerCase();
    if (wanted === "") {
        return [];
    }
    const hits: Hit[] = [];
    const add = (kind: Hit["kind"], as: Selection["kind"], count: number, label: (i: number) => string, more: (i: number) => string) => {
        const known = new Set<string>(); // a line that several calls come from is one place
        for (let index = 0; index < count && hits.length < mostHits; ++index) {
            const name = label(index);
            const key = kind === "place" ? `${name} ${more(index)}` : "";
            if (!known.has(key) && (contains(name, wanted) || contains(more(index), wanted))) {
                if (kind === "place") {
                    known.add(key);
                }
                hits.push({ kind, selection: { kind: as, index }, label: name });
            }
        }
    };
    add("thread", "thread", overview.threads.length, (i) => threadLabel(overview, i), (i) => overview.threads[i]!.function);
    add("object", "object", overview.objects.length, (i) => objectLabel(overview, i), (i) => overview.objects[i]!.kind);
    add("place", "site", overview.sites.length, (i) => siteLabel(overview, i), (i) => overview.sites[i]!.file);
    return hits;
}

function contains(name: string, wanted: string): boolean {
    return name.slice(0, searchedLetters).toLowerCase().includes(wanted);
}

// The hit after (or before) the one that is selected, round and round.
export function step(hits: readonly Hit[], selection: Selection | null, by: 1 | -1): Hit | null {
    if (hits.length === 0) {
        return null;
    }
    const at = hits.findIndex((hit) => hit.selection.kind === selection?.kind && hit.selection.index === selection.index);
    const next = at < 0 ? (by === 1 ? 0 : hits.length - 1) : (at + by + hits.length) % hits.length;
    return hits[next]!;
}
