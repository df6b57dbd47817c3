// A sentence of the page, with what can be shown beside it.

import type { Panel, Selection } from "./state.ts";

export interface Sentence {
    readonly text: string;
    readonly selection?: Selection; // what it speaks of
    readonly panel?: Panel; // where there is more about it
    readonly command?: string; // to type
}

export interface Verdict {
    readonly limits: Sentence;
    readonly where: Sentence;
    readonly attempt: Sentence;
}
