// The page of a series of recordings: the verdict, how work, events and speed-ups go with the number of threads, what the
// events of a thread are made of, a row for each recording, and the calls whose events grow most.

import { useMemo, useState } from "preact/hooks";
import { DocumentHeader, useScheme } from "../chrome/document_header.tsx";
import { countText, counted, percentText, shortText, wholeText } from "../format.ts";
import { CopiedTable } from "../tables/copied_table.tsx";
import { Table, type ColumnOf } from "../tables/table.tsx";
import type { SchemeChoice } from "../theme/scheme.ts";
import { signPath } from "../tuning/tuning_chart.tsx";
import { RecordingDetails } from "./recording_details.tsx";
import type { Chart, Line } from "./chart.ts";
import { colourOf, SeriesChart } from "./series_chart.tsx";
import { causesChart, eventsChart, factsOf, figureChart, figures, meansCharts, shownColumns, speedUpChart, tableText, workChart, type Cause, type Recording, type SignatureAnswer } from "./signature.ts";

interface Props {
    readonly answer: SignatureAnswer;
    readonly title: string;
    readonly schemes: SchemeChoice;
}

export function SignaturePage({ answer, title, schemes }: Props) {
    useScheme(schemes);
    const [selected, setSelected] = useState(answer.recordings[answer.recordings.length - 1]!);
    return (
        <div class="tuning signature">
            <DocumentHeader title={title} verb="signature" answer={answer} schemes={schemes} />
            <main class="tuning-body">
                <Verdict answer={answer} />
                <section class="card signature-main" aria-label="How it scales">
                    <Figure chart={speedUpChart(answer)} />
                    <Figure chart={workChart(answer)} />
                    <Figure chart={eventsChart(answer)} note={answer.characteristic ? `g(P) = ${answer.characteristic.formula}` : ""} />
                </section>
                <Facts answer={answer} />
                <Causes answer={answer} />
                <section class="card" aria-label="Events of a thread">
                    <div class="tuning-head">
                        <h2>The events of a thread</h2>
                        <BandKeys />
                    </div>
                    <div class="signature-figures">
                        {figures.map((figure) => (
                            <Figure key={figure.number} chart={figureChart(answer, figure)} hasKeys={false} />
                        ))}
                        {meansCharts(answer).map((chart) => (
                            <Figure key={chart.title} chart={chart} />
                        ))}
                    </div>
                </section>
                <Recordings answer={answer} selected={selected} choose={setSelected} />
                <RecordingDetails recording={selected} />
                <Notes answer={answer} />
                <footer class="aside">
                    parcast {answer.parcast}. Times with blocking are those of a replay with a CPU for each thread; counts and work were recorded.
                </footer>
            </main>
        </div>
    );
}

function Verdict({ answer }: { readonly answer: SignatureAnswer }) {
    const [first, ...others] = answer.verdict;
    return (
        <section class="card tuning-found" aria-label="Verdict">
            <p class="tuning-lead">{first}</p>
            <ul>
                {others.map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                ))}
            </ul>
            <p class="aside">{counted(answer.recordings.length, "recording")}</p>
        </section>
    );
}

interface FigureProps {
    readonly chart: Chart;
    readonly note?: string;
    readonly hasKeys?: boolean;
}

// A chart under its name; a click on the key of a line hides it.
function Figure({ chart, note = "", hasKeys = true }: FigureProps) {
    const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
    const toggle = (name: string) => setHidden(new Set(hidden.has(name) ? [...hidden].filter((each) => each !== name) : [...hidden, name]));
    const isShown = ({ name }: { readonly name: string }) => !hidden.has(name);
    return (
        <figure>
            <figcaption>
                {chart.title}
                {note !== "" && <span class="aside"> {note}</span>}
            </figcaption>
            {hasKeys && chart.lines.length > 1 && (
                <div class="tuning-keys" role="group" aria-label={`Lines to show: ${chart.title}`}>
                    {chart.lines.map((line) => (
                        <button key={line.name} type="button" class="small" aria-pressed={isShown(line)} onClick={() => toggle(line.name)}>
                            <LineKey line={line} />
                            {shortText(line.name, 48)}
                        </button>
                    ))}
                </div>
            )}
            <SeriesChart chart={{ ...chart, lines: chart.lines.filter(isShown), bands: chart.bands.filter(isShown) }} />
        </figure>
    );
}

function LineKey({ line }: { readonly line: Line }) {
    return (
        <svg width="24" height="12" aria-hidden="true" class={`signature-line of-${line.style}`} style={{ color: colourOf(line.colour) }}>
            <polyline points="0,6 24,6" />
            {line.style === "signs" && <path class="tuning-sign" d={signPath(line.colour, 12, 6, 2.8)} />}
        </svg>
    );
}

function Facts({ answer }: { readonly answer: SignatureAnswer }) {
    return (
        <section class="card" aria-label="Fits">
            <dl class="signature-facts">
                {factsOf(answer).map((fact) => (
                    <div key={fact.name} title={fact.title}>
                        <dt>{fact.name}</dt>
                        <dd>{fact.value}</dd>
                    </div>
                ))}
            </dl>
        </section>
    );
}

function BandKeys() {
    return (
        <div class="tuning-keys" aria-label="What is drawn">
            <span>
                <LineKey line={{ name: "", colour: 0, style: "signs", values: [] }} />
                mean over threads
            </span>
            <span>
                <svg width="24" height="12" aria-hidden="true" class="signature-band of-area" style={{ color: colourOf(0) }}>
                    <polygon points="0,2 24,2 24,10 0,10" />
                </svg>
                its 95 % confidence interval
            </span>
            <span>
                <svg width="24" height="12" aria-hidden="true" class="signature-band of-edges" style={{ color: colourOf(0) }}>
                    <polyline points="0,6 24,6" />
                </svg>
                least and most
            </span>
        </div>
    );
}

interface RecordingsProps {
    readonly answer: SignatureAnswer;
    readonly selected: Recording;
    readonly choose: (recording: Recording) => void;
}

function Recordings({ answer, selected, choose }: RecordingsProps) {
    const columns = useMemo(
        () =>
            shownColumns(answer).map((column): ColumnOf<Recording> => ({
                name: column.name,
                title: column.title,
                width: "minmax(64px, 1fr)",
                numeric: true,
                rises: true,
                key: (recording) => column.value(recording) ?? Infinity,
                show: (recording) => {
                    const value = column.value(recording);
                    return value === null ? "–" : column.text(value);
                },
            })),
        [answer],
    );
    return (
        <CopiedTable title="By number of threads" label="Recordings" columns={columns} rows={answer.recordings} text={(rows) => tableText(answer, rows)} isSelected={(row) => row === selected} choose={choose} empty="No recording.">
            <span class="aside">A row chosen here is shown below.</span>
        </CopiedTable>
    );
}

function causeColumns(answer: SignatureAnswer): readonly ColumnOf<Cause>[] {
    const last = answer.recordings.length - 1;
    const lines = new Map(causesChart(answer).lines.map((line, i) => [answer.causes[i]!, line]));
    const keyOf = (cause: Cause) => lines.get(cause);
    return [
        { name: "", width: "24px", show: (cause) => (keyOf(cause) ? <LineKey line={keyOf(cause)!} /> : "") },
        { name: "of the growth", width: "100px", numeric: true, key: (cause) => cause.growth_share, show: (cause) => percentText(cause.growth_share) },
        { name: "calls", width: "minmax(260px, 1fr)", key: (cause) => cause.text, show: (cause) => shortText(cause.text), whole: (cause) => wholeText(cause.text) },
        { name: "grows as", width: "84px", numeric: true, key: (cause) => cause.exponent ?? 0, show: (cause) => cause.growth ?? "–", whole: (cause) => cause.formula ?? "" },
        { name: `events, P = ${countText(answer.recordings[last]?.threads ?? 0)}`, width: "120px", numeric: true, key: (cause) => cause.events[last] ?? 0, show: (cause) => countText(cause.events[last] ?? 0) },
    ];
}

function Causes({ answer }: { readonly answer: SignatureAnswer }) {
    const columns = useMemo(() => causeColumns(answer), [answer]);
    const [selected, setSelected] = useState<Cause | null>(null);
    const chart = causesChart(answer);
    const onlyOf = (cause: Cause | null) => (cause && answer.causes.indexOf(cause) < chart.lines.length ? { ...chart, lines: [chart.lines[answer.causes.indexOf(cause)]!] } : chart);
    return answer.causes.length === 0 ? null : (
        <section class="card signature-causes" aria-label="Causes">
            <h2>The calls whose events grow most</h2>
            <div class="signature-cause-rows">
                <div class="tuning-table" style={{ height: `${26 + 24 * Math.min(12, answer.causes.length) + 14}px` }}>
                    <Table label="Causes" columns={columns} rows={answer.causes} isSelected={(row) => row === selected} choose={(cause) => setSelected(cause === selected ? null : cause)} empty="No events." />
                </div>
                <figure>
                    <figcaption>{selected ? shortText(selected.text, 100) : "Events by cause"}</figcaption>
                    <SeriesChart chart={onlyOf(selected)} />
                </figure>
            </div>
        </section>
    );
}

function Notes({ answer }: { readonly answer: SignatureAnswer }) {
    return answer.notes.length + answer.next.length === 0 ? null : (
        <section class="card tuning-notes" aria-label="Notes">
            <h2>Notes</h2>
            <ul>
                {answer.notes.map((note) => (
                    <li key={note}>{note}</li>
                ))}
                {answer.next.map((command) => (
                    <li key={command}>
                        Next: <code>{shortText(command)}</code>
                    </li>
                ))}
            </ul>
        </section>
    );
}
