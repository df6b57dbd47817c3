// What does the source say there? The lines around a place, with the CPU time of the calls that were recorded in each of
// them; where they cannot be read, why not.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Execution } from "../execution.ts";
import { counted, shortText, timeText, wholeText } from "../format.ts";
import { siteLabel, type Overview } from "../overview.ts";
import type { Source, SourceText } from "../source.ts";
import type { Store } from "../state.ts";
import { lineTimes, type LineTimes } from "../waits.ts";
import { missingSource } from "./missing_source.ts";

interface Props {
    readonly source: Source;
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly site: number;
    readonly heading: string;
}

const longestLine = 400;
const mostLines = 200;

export function SourceView({ source, execution, overview, store, site, heading }: Props) {
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
    const { file = "", line = 0 } = overview.sites[site] ?? {};
    const times = useMemo(() => (text ? lineTimes(execution, overview.sites, file) : noTimes), [execution, overview, file, text]);
    return (
        <section class="source">
            <h3>{heading}</h3>
            <button type="button" class="link" title={wholeText(label)} onClick={() => store.set({ selection: { kind: "site", index: site } })}>
                {shortText(label, 90)}
            </button>
            {text && source.edit && <EditLink edit={source.edit} site={site} />}
            {text === null && <p class="aside missing">{shortText(missingSource(overview, site), 600)}</p>}
            {text && (
                <pre ref={excerpt} tabIndex={0} aria-label={`Source of ${shortText(label, 90)}`}>
                    {text.lines.slice(0, mostLines).map((each, i) => (
                        <code key={i} class={text.first_line + i === line ? "here" : ""}>
                            <span class="line-number">{text.first_line + i}</span>
                            <LineTime times={times.get(text.first_line + i)} />
                            {shortText(each.replaceAll("\t", "    "), longestLine)}
                            {"\n"}
                        </code>
                    ))}
                </pre>
            )}
        </section>
    );
}

const noTimes: ReadonlyMap<number, LineTimes> = new Map();

// In the margin.
function LineTime({ times }: { readonly times: LineTimes | undefined }) {
    if (!times) {
        return <span class="line-time" />;
    }
    const { work, waiting, operations } = times;
    const title = `${timeText(work)} of CPU time before the calls of this line, ${timeText(waiting)} of waiting in them, ${counted(operations, "call")} in this run`;
    return (
        <span class="line-time" title={title}>
            {work > 0 ? timeText(work) : "·"}
        </span>
    );
}

function EditLink({ edit, site }: { readonly edit: (site: number) => Promise<void>; readonly site: number }) {
    const [failure, setFailure] = useState("");
    const act = () => {
        setFailure("");
        edit(site).catch((error: unknown) => setFailure(error instanceof Error ? error.message : String(error)));
    };
    return (
        <>
            {" "}
            <button type="button" class="small" onClick={act}>
                Open in editor
            </button>
            {failure && (
                <p class="aside missing" role="alert">
                    {shortText(failure, 300)}
                </p>
            )}
        </>
    );
}
