// What does the source say there? The lines around a place; where they cannot be read, why not.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { shortText, wholeText } from "../format.ts";
import { siteLabel, type Overview } from "../overview.ts";
import type { Source, SourceText } from "../source.ts";
import type { Store } from "../state.ts";
import { missingSource } from "./missing_source.ts";

interface Props {
    readonly source: Source;
    readonly overview: Overview;
    readonly store: Store;
    readonly site: number;
    readonly heading: string;
}

const longestLine = 400;
const mostLines = 200;

export function SourceView({ source, overview, store, site, heading }: Props) {
    const [text, setText] = useState<SourceText | null | undefined>(undefined); // null: there is none
    const readable = overview.capabilities.source_text;
    useEffect(() => {
        let wanted = true;
        setText(readable ? undefined : null);
        if (readable) {
            source.sourceText(site).then(
                (found) => wanted && setText(found),
                () => wanted && setText(null),
            );
        }
        return () => {
            wanted = false;
        };
    }, [source, site, readable]);
    const excerpt = useRef<HTMLPreElement>(null);
    // The place itself in the middle: what is read begins well before it.
    useLayoutEffect(() => {
        const here = excerpt.current?.querySelector<HTMLElement>(".here");
        if (excerpt.current && here) {
            const above = here.getBoundingClientRect().top - excerpt.current.getBoundingClientRect().top;
            excerpt.current.scrollTop += above - (excerpt.current.clientHeight - here.offsetHeight) / 2;
        }
    }, [text]);
    const label = siteLabel(overview, site);
    const line = overview.sites[site]?.line ?? 0;
    return (
        <section class="source">
            <h3>{heading}</h3>
            <button type="button" class="link" title={wholeText(label)} onClick={() => store.set({ selection: { kind: "site", index: site } })}>
                {shortText(label, 90)}
            </button>
            {text === null && <p class="aside missing">{shortText(missingSource(overview, site), 600)}</p>}
            {text && (
                <pre ref={excerpt} tabIndex={0} aria-label={`Source of ${shortText(label, 90)}`}>
                    {text.lines.slice(0, mostLines).map((each, i) => (
                        <code key={i} class={text.first_line + i === line ? "here" : ""}>
                            <span class="line-number">{text.first_line + i}</span>
                            {shortText(each.replaceAll("\t", "    "), longestLine)}
                            {"\n"}
                        </code>
                    ))}
                </pre>
            )}
        </section>
    );
}
