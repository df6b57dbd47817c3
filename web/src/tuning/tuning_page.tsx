// The page of a search: what it found in sentences, its curves, every point in a table, and what was not looked at.

import { useMemo, useState } from "preact/hooks";
import { Choice } from "../chrome/choice.tsx";
import { DocumentHeader, useScheme } from "../chrome/document_header.tsx";
import { Command } from "../first_screen/verdict.tsx";
import { countText, counted, percentText, shortText, wholeText } from "../format.ts";
import { CopiedTable } from "../tables/copied_table.tsx";
import type { ColumnOf } from "../tables/table.tsx";
import type { SchemeChoice } from "../theme/scheme.ts";
import { colourOf, missingPath, signPath, TuningChart, type Hover } from "./tuning_chart.tsx";
import {
    axesToDraw,
    bestOf,
    curveColours,
    curvesOver,
    hasSteps,
    isNumeric,
    markOf,
    notLookedAt,
    partsOf,
    pointText,
    tableText,
    timeOf,
    valueText,
    type Axis,
    type Curve,
    type Point,
    type TuningAnswer,
} from "./tuning.ts";

interface Props {
    readonly answer: TuningAnswer;
    readonly title: string;
    readonly schemes: SchemeChoice;
}

const mostNamed = 24; // curves that can be shown

export function TuningPage({ answer, title, schemes }: Props) {
    const axes = useMemo(() => axesToDraw(answer), [answer]);
    const [along, setAlong] = useState(axes[0]!);
    const curves = useMemo(() => curvesOver(answer, along), [answer, along]);
    const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set(curves.slice(curveColours).map((curve) => curve.index)));
    const [hover, setHover] = useState<Hover | null>(null);
    const [selected, setSelected] = useState<Point | null>(null);
    useScheme(schemes);
    const shown = curves.filter((curve) => !hidden.has(curve.index));
    const goAlong = (name: string) => {
        const axis = axes.find((each) => each.name === name)!;
        setAlong(axis);
        setHidden(new Set(curvesOver(answer, axis).slice(curveColours).map((curve) => curve.index)));
        setHover(null);
    };
    const toggle = (index: number) => setHidden(new Set(hidden.has(index) ? [...hidden].filter((each) => each !== index) : [...hidden, index]));
    const parts = partsOf(answer);
    return (
        <div class="tuning">
            <DocumentHeader title={title} verb="tune" answer={answer} schemes={schemes} />
            <main class="tuning-body">
                <Found answer={answer} />
                <section class="card tuning-curves" aria-label="Curves">
                    <div class="tuning-head">
                        <h2>{shown.length === 1 ? "The curve" : "The curves"}</h2>
                        {axes.length > 1 && <Choice label="Over" options={axes.map((axis) => axis.name)} value={along.name} choose={goAlong} />}
                        <MethodKeys answer={answer} along={along} />
                    </div>
                    <CurveKeys answer={answer} along={along} curves={curves} hidden={hidden} toggle={toggle} />
                    <div class={parts.length > 1 ? "tuning-charts of-steps" : "tuning-charts"}>
                        {parts.map((part) => (
                            <figure key={part.title}>
                                <figcaption>{captionOf(answer, part.title)}</figcaption>
                                <TuningChart answer={answer} along={along} part={part} curves={shown} hover={hover} setHover={setHover} selected={selected} choose={setSelected} />
                            </figure>
                        ))}
                    </div>
                </section>
                <Points answer={answer} selected={selected} choose={setSelected} />
                <LeftOut answer={answer} along={along} />
                <Assumptions answer={answer} />
                <footer class="aside">
                    parcast {answer.parcast}. The same for another search: <code>parcast tune ... -o FILE.html</code>
                </footer>
            </main>
        </div>
    );
}

function captionOf(answer: TuningAnswer, title: string): string {
    if (!hasSteps(answer)) {
        return answer.methods.includes("mean") ? "Mean time" : title;
    }
    const words: Readonly<Record<string, string>> = { Communication: "Communication, standard to overestimate", Computation: "Computation of the slowest rank in each step, summed up" };
    return words[title] ?? title;
}

function Found({ answer }: { readonly answer: TuningAnswer }) {
    const [first, ...others] = answer.sentences;
    const { network } = answer.input;
    return (
        <section class="card tuning-found" aria-label="What was found">
            <p class="tuning-lead">{first}</p>
            <ul>
                {others.map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                ))}
            </ul>
            <p class="aside">
                {answer.searched === answer.of ? counted(answer.of, "point") : `${countText(answer.searched)} of ${counted(answer.of, "point")}`} looked at
                {network === null ? "" : `; network ${network}`}
            </p>
            <Command text={answer.next} />
        </section>
    );
}

// Which line says what; methods that differ from the first are drawn beside it.
function MethodKeys({ answer, along }: { readonly answer: TuningAnswer; readonly along: Axis }) {
    const [time] = partsOf(answer);
    const isLine = isNumeric(along);
    return (
        <div class="tuning-keys" aria-label="What is drawn">
            {time!.series.length > 1 &&
                time!.series.map((series, i) => (
                    <span key={series.method}>
                        <svg width="26" height="12" aria-hidden="true" class="tuning-curve">
                            {isLine ? <line class={`tuning-${series.kind}`} x2="26" y1="6" y2="6" /> : i === 0 ? <path class="tuning-sign" d={signPath(0, 13, 6, 2.6)} /> : <circle class={`tuning-${series.kind}-sign`} cx="13" cy="6" r={series.kind === "edge" ? 4 : 1.6} />}
                        </svg>
                        {series.method}
                    </span>
                ))}
            <span>
                <svg width="18" height="18" aria-hidden="true">
                    <circle class="tuning-best" cx="9" cy="9" r="7" />
                </svg>
                best
            </span>
            {answer.within_5_percent.length > 0 && (
                <span>
                    <svg width="14" height="14" aria-hidden="true">
                        <circle class="tuning-near" cx="7" cy="7" r="5.5" />
                    </svg>
                    within 5 % of it
                </span>
            )}
            {answer.searched < answer.of && (
                <span>
                    <svg width="10" height="12" aria-hidden="true">
                        <path class="tuning-missing" d={missingPath(5, 6)} />
                    </svg>
                    not looked at
                </span>
            )}
        </div>
    );
}

interface KeysProps {
    readonly answer: TuningAnswer;
    readonly along: Axis;
    readonly curves: readonly Curve[];
    readonly hidden: ReadonlySet<number>;
    readonly toggle: (index: number) => void;
}

// Curves to show and to hide.
function CurveKeys({ answer, along, curves, hidden, toggle }: KeysProps) {
    if (curves.length === 1) {
        return null;
    }
    const leastOf = (curve: Curve) => curve.points.findIndex((point) => point !== null && timeOf(answer, point, answer.methods[0]!) === curve.best);
    return (
        <div class="tuning-keys of-curves" role="group" aria-label="Curves to show">
            {curves.slice(0, mostNamed).map((curve) => (
                <button key={curve.index} type="button" class="small" aria-pressed={!hidden.has(curve.index)} title={hidden.has(curve.index) ? "Show this curve" : "Hide this curve"} onClick={() => toggle(curve.index)}>
                    <svg width="14" height="12" aria-hidden="true">
                        <path class="tuning-sign" style={{ color: colourOf(curve) }} d={signPath(curve.index, 7, 6, 3.4)} />
                    </svg>
                    {shortText(curve.name, 48)}
                    <span class="aside">
                        {Number.isFinite(curve.best) ? ` ${valueText(answer, curve.best)} at ${along.values[leastOf(curve)]}` : ""}
                    </span>
                </button>
            ))}
            {curves.length > mostNamed && <span class="aside">and {countText(curves.length - mostNamed)} slower ones, in the table</span>}
        </div>
    );
}

function columnsOf(answer: TuningAnswer): readonly ColumnOf<Point>[] {
    const best = timeOf(answer, bestOf(answer), answer.methods[0]!) ?? 0;
    const wide = "minmax(84px, 1fr)";
    const places = new Map(answer.axes.map((axis) => [axis.name, new Map(axis.values.map((value, place) => [value, place]))]));
    const value = (name: string, of: (point: Point) => number | null, title?: string): ColumnOf<Point> => ({
        name,
        width: wide,
        numeric: true,
        rises: true,
        ...(title ? { title } : {}),
        key: (point) => of(point) ?? Infinity,
        show: (point) => {
            const time = of(point);
            return time === null ? "–" : valueText(answer, time);
        },
    });
    const words: Readonly<Record<string, string>> = { standard: "By the standard algorithm", overestimate: "All receives of a step before its sends", overlapped: "Computing and communicating overlapped" };
    return [
        { name: "", width: "46px", key: (point) => ["best", "near", ""].indexOf(markOf(answer, point)), rises: true, show: (point) => ({ best: "best", near: "≤ 5 %", "": "" })[markOf(answer, point)] },
        ...answer.axes.map(
            (axis): ColumnOf<Point> => ({
                name: axis.name,
                width: isNumeric(axis) ? "minmax(64px, 0.7fr)" : "minmax(110px, 1.4fr)",
                numeric: isNumeric(axis),
                rises: true,
                key: (point) => places.get(axis.name)!.get(point.parameters[axis.name]!)!,
                show: (point) => shortText(String(point.parameters[axis.name])),
                whole: (point) => wholeText(String(point.parameters[axis.name])),
            }),
        ),
        ...answer.methods.map((method) => value(method, (point) => timeOf(answer, point, method), words[method])),
        {
            name: "than best",
            width: wide,
            numeric: true,
            rises: true,
            title: "How much longer than the best point",
            key: (point) => timeOf(answer, point, answer.methods[0]!) ?? Infinity,
            show: (point) => {
                const time = timeOf(answer, point, answer.methods[0]!);
                return time === null || best <= 0 ? "–" : time === best ? "" : percentText(time / best - 1).replace(/^(?=\d)/, "+");
            },
        },
        ...(hasSteps(answer)
            ? [
                  value("computation", (point) => point.computation_ns!),
                  value("communication", (point) => timeOf(answer, point, "standard")! - point.computation_ns!, "By the standard algorithm"),
                  value("at most", (point) => timeOf(answer, point, "overestimate")! - point.computation_ns!, "Communication by the overestimate"),
              ]
            : []),
    ];
}

function Points({ answer, selected, choose }: { readonly answer: TuningAnswer; readonly selected: Point | null; readonly choose: (point: Point) => void }) {
    const columns = useMemo(() => columnsOf(answer), [answer]);
    const rows = useMemo(() => {
        const time = (point: Point) => timeOf(answer, point, answer.methods[0]!) ?? Infinity;
        return [...answer.points].sort((a, b) => time(a) - time(b));
    }, [answer]);
    return (
        <CopiedTable title={`${counted(rows.length, "point")}, the fastest first`} label="Points" columns={columns} rows={rows} text={(rows) => tableText(answer, rows)} isSelected={(row) => row === selected} choose={choose} empty="No point was looked at.">
            {selected && <span class="aside">chosen: {pointText(answer, selected.parameters)}</span>}
        </CopiedTable>
    );
}

function LeftOut({ answer, along }: { readonly answer: TuningAnswer; readonly along: Axis }) {
    const left = answer.of - answer.searched;
    if (left === 0) {
        return null;
    }
    return (
        <section class="card tuning-notes" aria-label="Not looked at">
            <h2>
                {countText(left)} of {counted(answer.of, "point")} not looked at
            </h2>
            <p>One of them may be faster than the best that was found.</p>
            <ul>
                {notLookedAt(answer, along).map((line) => (
                    <li key={line}>{line}</li>
                ))}
            </ul>
        </section>
    );
}

function Assumptions({ answer }: { readonly answer: TuningAnswer }) {
    return answer.assumptions.length === 0 ? null : (
        <details class="card tuning-notes">
            <summary>What the times assume</summary>
            <ul>
                {answer.assumptions.map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                ))}
            </ul>
        </details>
    );
}
