// The header of a page that shows one answer: its title, the answer as a file, light or dark.

import { useEffect, useReducer } from "preact/hooks";
import { shortText, wholeText } from "../format.ts";
import type { SchemeChoice } from "../theme/scheme.ts";
import { download } from "./export.ts";
import { SchemeButton } from "./header.tsx";

interface Props {
    readonly title: string;
    readonly verb: string; // of parcast, which prints the answer with --json
    readonly answer: unknown;
    readonly schemes: SchemeChoice;
}

export function DocumentHeader({ title, verb, answer, schemes }: Props) {
    return (
        <header class="top">
            <h1 title={wholeText(title)}>{shortText(title, 120)}</h1>
            <div class="tools">
                <button type="button" title={`What parcast ${verb} --json prints`} onClick={() => download(`${verb}.json`, new Blob([JSON.stringify(answer, null, 2)], { type: "application/json" }))}>
                    Save as JSON
                </button>
                <SchemeButton schemes={schemes} />
            </div>
        </header>
    );
}

// Colours of charts are taken from the scheme when they are drawn: a page is drawn again when it changes.
export function useScheme(schemes: SchemeChoice): void {
    const [, renderAgain] = useReducer((count: number) => count + 1, 0);
    useEffect(() => schemes.subscribe(() => renderAgain(undefined)), [schemes]);
}
