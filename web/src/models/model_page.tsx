// The page of a model: what it says in sentences, its numbers as sliders, the time over one of them, the simulation
// beside the formula, tables, and the formulas. All numbers are the module's for the values that are chosen.

import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { CopyButton } from "../chrome/copy_button.tsx";
import { Choice } from "../chrome/choice.tsx";
import { DocumentHeader, useScheme } from "../chrome/document_header.tsx";
import { Command } from "../first_screen/verdict.tsx";
import { countText, counted, numberText, percentText, shortText } from "../format.ts";
import { colourOf, SeriesChart } from "../signature/series_chart.tsx";
import { CopiedTable } from "../tables/copied_table.tsx";
import type { ColumnOf } from "../tables/table.tsx";
import type { SchemeChoice } from "../theme/scheme.ts";
import { signPath } from "../tuning/tuning_chart.tsx";
import type { Evaluation } from "./evaluation.ts";
import {
    commandFor,
    fromHash,
    initialOver,
    initialValues,
    keyOf,
    placeOf,
    scaleOf,
    simulatedIn,
    sweptValues,
    toHash,
    valuesOfRow,
    type ModelDocument,
    type Parameter,
    type Scale,
    type Simulated,
    type Values,
    type Wish,
} from "./model.ts";
import type { EffectRow, ModelModule, PhaseRow, Point } from "./model_module.ts";

interface Props {
    readonly model: ModelDocument;
    readonly evaluation: Evaluation;
    readonly title: string;
    readonly schemes: SchemeChoice;
}

const addressDelay = 150; // ms: browsers refuse to note every step of a drag

// The address keeps the values, and who goes to another address gets those.
function useWish(model: ModelDocument): readonly [Wish, Wish, (wish: Wish) => void] {
    const initial = useMemo(() => ({ values: initialValues(model), over: initialOver(model) }), [model]);
    const [wish, setWish] = useState<Wish>(() => fromHash(model, location.hash, initial));
    const timer = useRef<ReturnType<typeof setTimeout>>();
    const choose = (next: Wish) => {
        setWish(next);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => {
            const hash = toHash(model, next, initial);
            history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
        }, addressDelay);
    };
    useEffect(() => {
        const go = () => setWish(fromHash(model, location.hash, initial));
        addEventListener("hashchange", go);
        return () => removeEventListener("hashchange", go);
    }, [model]);
    return [wish, initial, choose];
}

export function ModelPage({ model, evaluation, title, schemes }: Props) {
    useScheme(schemes);
    const [wish, initial, choose] = useWish(model);
    const [simulated, addSimulated] = useReducer((all: ReadonlyMap<string, Simulated>, [values, one]: readonly [Values, Simulated]) => new Map([...all, [keyOf(values), one]]), model, simulatedAlready);
    const { formulas } = evaluation;
    return (
        <div class="tuning signature model">
            <DocumentHeader title={title} verb="predict" answer={model.prediction} schemes={schemes} />
            <main class="tuning-body">
                {formulas === null ? (
                    <Refusal model={model} reason={evaluation.refusal} />
                ) : (
                    <Live model={model} formulas={formulas} evaluation={evaluation} wish={wish} initial={initial} choose={choose} simulated={simulated} addSimulated={(values, one) => addSimulated([values, one])} />
                )}
                <Formulas model={model} />
                <Remarks title="Assumptions" sentences={model.assumptions} />
                <Remarks title="Notes on the values that the page begins with" sentences={model.notes} />
                <section class="card" aria-label="Model">
                    <div class="tuning-head">
                        <h2>The model</h2>
                        <CopyButton name="Copy text" text={() => model.text} />
                    </div>
                    <pre class="model-text" tabIndex={0}>
                        {model.text}
                    </pre>
                </section>
                <footer class="aside">parcast {model.parcast}. Numbers have the unit of the times in the model.</footer>
            </main>
        </div>
    );
}

function simulatedAlready(model: ModelDocument): ReadonlyMap<string, Simulated> {
    const found = new Map<string, Simulated>();
    for (const row of model.prediction.predictions) {
        const simulated = simulatedIn(row, []);
        if (simulated) {
            found.set(keyOf(valuesOfRow(model, row)), simulated);
        }
    }
    return found;
}

function Refusal({ model, reason }: { readonly model: ModelDocument; readonly reason: string }) {
    return (
        <section class="card tuning-found" aria-label="Not evaluated">
            <p class="tuning-lead">This page cannot evaluate the model again.</p>
            <p>{reason}.</p>
            <p>What it gave for the values that were asked for, and what else is known of it, stands below. With other values:</p>
            <Command text={commandFor(model, initialValues(model))} />
        </section>
    );
}

interface LiveProps {
    readonly model: ModelDocument;
    readonly formulas: ModelModule;
    readonly evaluation: Evaluation;
    readonly wish: Wish;
    readonly initial: Wish;
    readonly choose: (wish: Wish) => void;
    readonly simulated: ReadonlyMap<string, Simulated>;
    readonly addSimulated: (values: Values, simulated: Simulated) => void;
}

function Live({ model, formulas, evaluation, wish, initial, choose, simulated, addSimulated }: LiveProps) {
    const { values, over } = wish;
    const scales = useMemo(() => new Map(model.parameters.map((parameter) => [parameter.name, scaleOf(parameter, sweepOf(model, parameter.name))])), [model]);
    const { point, error, sentences } = useMemo(() => {
        const { points, error } = formulas.points([values]);
        return { point: points[0] ?? null, error, sentences: points[0] ? formulas.sentences(values) : [] };
    }, [formulas, values]);
    const set = (name: string, value: number) => choose({ values: model.parameters.map((parameter, i) => (parameter.name === name ? value : values[i]!)), over });
    return (
        <>
            <section class="card tuning-found" aria-label="Verdict">
                <p class="tuning-lead" role="status">
                    {point ? sentences[0] : `With these values there is no time: ${error}.`}
                </p>
                <ul>
                    {sentences.slice(1).map((sentence) => (
                        <li key={sentence}>{sentence}</li>
                    ))}
                </ul>
            </section>
            {model.parameters.length > 0 && (
                <div class="model-main">
                    <Parameters model={model} scales={scales} wish={wish} initial={initial} set={set} reset={() => choose({ ...initial, over })} />
                    <TimeOver model={model} formulas={formulas} scale={scales.get(over)!} wish={wish} chooseOver={(name) => choose({ values, over: name })} simulated={simulated} />
                </div>
            )}
            <Simulation model={model} evaluation={evaluation} values={values} point={point} simulated={simulated.get(keyOf(values)) ?? null} add={addSimulated} />
            {model.parameters.length > 0 && <Points model={model} formulas={formulas} scale={scales.get(over)!} wish={wish} simulated={simulated} set={(value) => set(over, value)} />}
            <div class="model-tables">
                {point && <WhereTimeGoes formulas={formulas} values={values} point={point} />}
                {point && model.has_phases && <Phases rows={formulas.phases(values)} />}
                {point && model.parameters.length > 0 && <Effects formulas={formulas} values={values} />}
            </div>
        </>
    );
}

function sweepOf(model: ModelDocument, name: string) {
    return model.sweeps.find((sweep) => sweep.name === name);
}

interface ParametersProps {
    readonly model: ModelDocument;
    readonly scales: ReadonlyMap<string, Scale>;
    readonly wish: Wish;
    readonly initial: Wish;
    readonly set: (name: string, value: number) => void;
    readonly reset: () => void;
}

function Parameters({ model, scales, wish, initial, set, reset }: ParametersProps) {
    const isMoved = wish.values.some((value, i) => value !== initial.values[i]);
    return (
        <section class="card model-parameters" aria-label="Parameters">
            <div class="tuning-head">
                <h2>Parameters</h2>
                {isMoved && (
                    <button type="button" class="small" onClick={reset}>
                        Reset
                    </button>
                )}
            </div>
            <div class="model-sliders">
                {model.parameters.map((parameter, i) => (
                    <Slider key={parameter.name} parameter={parameter} scale={scales.get(parameter.name)!} value={wish.values[i]!} set={(value) => set(parameter.name, value)} />
                ))}
            </div>
            {model.immovable.length > 0 && (
                <p class="aside" title={model.immovable.map(({ name, reason }) => `${name}: ${reason}`).join("\n")}>
                    {counted(model.immovable.length, "other number")} cannot be moved here: {shortText(model.immovable.map(({ name }) => name).join(", "), 120)}
                </p>
            )}
        </section>
    );
}

interface SliderProps {
    readonly parameter: Parameter;
    readonly scale: Scale;
    readonly value: number;
    readonly set: (value: number) => void;
}

function Slider({ parameter, scale, value, set }: SliderProps) {
    const { name, value: given, is_count: isCount } = parameter;
    const place = placeOf(scale, value);
    return (
        <div class="model-slider">
            <span class="model-name" title={isCount ? "A count: of turns, branches or servers" : "A number"}>
                {shortText(name, 24)}
            </span>
            <input
                type="range"
                min={0}
                max={scale.values.length - 1}
                step={1}
                value={place}
                aria-label={name}
                aria-valuetext={String(value)}
                title={value === given ? undefined : `The model has ${given}; a double click goes back to it`}
                onInput={(event) => set(scale.values[Number(event.currentTarget.value)]!)}
                onDblClick={() => set(given)}
            />
            <input
                type="number"
                step={isCount && Number.isInteger(value) ? 1 : "any"}
                value={value}
                aria-label={`${name}, number`}
                onChange={(event) => {
                    const typed = event.currentTarget.valueAsNumber;
                    Number.isFinite(typed) ? set(typed) : (event.currentTarget.value = String(value));
                }}
            />
        </div>
    );
}

// --- the time over a parameter

const chartPoints = 61;
const patience = 150; // ms that a chart may take
const fewest = 5;

function TimeOver({ model, formulas, scale, wish, chooseOver, simulated }: { readonly model: ModelDocument; readonly formulas: ModelModule; readonly scale: Scale; readonly wish: Wish; readonly chooseOver: (name: string) => void; readonly simulated: ReadonlyMap<string, Simulated> }) {
    const { values, over } = wish;
    const place = model.parameters.findIndex(({ name }) => name === over);
    const spent = useRef(0); // ms a point, last time
    const at = (value: number): Values => values.map((each, i) => (i === place ? value : each));
    const chart = useMemo(() => {
        const room = spent.current > 0 ? Math.max(fewest, Math.min(chartPoints, Math.floor(patience / spent.current))) : chartPoints;
        const step = Math.max(1, (scale.values.length - 1) / (room - 1));
        const even = Array.from({ length: Math.floor((scale.values.length - 1) / step) + 1 }, (_, i) => scale.values[Math.round(i * step)]!);
        const known = scale.values.filter((value) => simulated.has(keyOf(at(value))));
        const xs = [...new Set([...even, ...known, values[place]!])].sort((a, b) => a - b);
        const begin = performance.now();
        const { points } = formulas.points(xs.map(at));
        spent.current = (performance.now() - begin) / xs.length;
        const line = (of: (point: Point) => number) => points.map((point) => (point ? of(point) : null));
        const hasResources = points.some((point) => point?.resource);
        const simulatedMeans = xs.map((x) => simulated.get(keyOf(at(x)))?.mean ?? null);
        return {
            title: "Time",
            threads: xs,
            axis: { name: over, isLogarithmic: scale.isLogarithmic, text: (value: number) => String(Number(value.toPrecision(12))), mark: values[place]! },
            lines: [
                { name: "mean", colour: 0, style: "solid" as const, values: line((point) => point.mean) },
                ...(hasResources
                    ? [
                          { name: "critical path", colour: 1, style: "dashed" as const, values: line((point) => point.criticalPath) },
                          { name: "busiest resource", colour: 2, style: "dashed" as const, values: line((point) => point.busiest) },
                      ]
                    : []),
                ...(simulatedMeans.some((mean) => mean !== null) ? [{ name: "simulated", colour: 3, style: "signs" as const, values: simulatedMeans }] : []),
            ],
            bands: points.some((point) => point && point.deviation > 0) ? [{ name: "nine runs of ten", colour: 0, style: "area" as const, low: line((point) => point.low), high: line((point) => point.high) }] : [],
            text: numberText,
        };
    }, [formulas, scale, values, over, simulated]);
    return (
        <section class="card model-chart" aria-label="Time over a parameter">
            <div class="tuning-head">
                <h2>Time</h2>
                {model.parameters.length > 1 && <Choice label="over" options={model.parameters.map(({ name }) => name)} value={over} choose={chooseOver} />}
                <div class="tuning-keys" aria-label="What is drawn">
                    {chart.lines.map((line) => (
                        <span key={line.name}>
                            <svg width="24" height="12" aria-hidden="true" class={`signature-line of-${line.style}`} style={{ color: colourOf(line.colour) }}>
                                {line.style === "signs" ? <path class="tuning-sign" d={signPath(line.colour, 12, 6, 2.8)} /> : <polyline points="0,6 24,6" />}
                            </svg>
                            {line.name}
                        </span>
                    ))}
                    {chart.bands.map((band) => (
                        <span key={band.name}>
                            <svg width="24" height="12" aria-hidden="true" class="signature-band of-area" style={{ color: colourOf(band.colour) }}>
                                <polygon points="0,2 24,2 24,10 0,10" />
                            </svg>
                            {band.name}
                        </span>
                    ))}
                </div>
            </div>
            <figure>
                <SeriesChart chart={chart} />
            </figure>
        </section>
    );
}

// --- the simulation, on demand

interface SimulationProps {
    readonly model: ModelDocument;
    readonly evaluation: Evaluation;
    readonly values: Values;
    readonly point: Point | null;
    readonly simulated: Simulated | null;
    readonly add: (values: Values, simulated: Simulated) => void;
}

function Simulation({ model, evaluation, values, point, simulated, add }: SimulationProps) {
    const [running, setRunning] = useState<AbortController | null>(null);
    const [failure, setFailure] = useState("");
    useEffect(() => {
        setFailure("");
        return () => undefined;
    }, [keyOf(values)]);
    const simulate = async () => {
        const controller = new AbortController();
        setRunning(controller);
        setFailure("");
        try {
            add(values, await evaluation.simulate(values, controller.signal));
        } catch (error) {
            if (!controller.signal.aborted) {
                setFailure(error instanceof Error ? error.message : String(error));
            }
        } finally {
            setRunning(null);
        }
    };
    return (
        <section class="card model-simulation" aria-label="Simulation">
            <div class="tuning-head">
                <h2>Simulation</h2>
                {running ? (
                    <button type="button" class="small" onClick={() => running.abort()}>
                        Stop
                    </button>
                ) : (
                    <button type="button" class="small" disabled={point === null || simulated !== null} onClick={() => void simulate()}>
                        Simulate
                    </button>
                )}
                <span role="status" class="aside">
                    {running ? "simulating …" : simulated ? "" : "Draws every time and queues for resources, where the formula only bounds."}
                </span>
            </div>
            {simulated && point && (
                <p class="model-simulated">
                    simulated <strong>{numberText(simulated.mean)}</strong>
                    {simulated.high > simulated.low && <> ± {numberText((simulated.high - simulated.low) / 2)}</>}
                    {simulated.deviation > 0 && <>, standard deviation {numberText(simulated.deviation)}</>}; by formula <strong>{numberText(point.mean)}</strong>
                    {simulated.mean !== 0 && <>, {differenceText(point.mean / simulated.mean - 1)}</>} <span class="aside">{simulated.runs > 0 && counted(simulated.runs, "run")}</span>
                </p>
            )}
            {simulated?.notes.map((note) => (
                <p key={note} class="aside">
                    {note}
                    {/[.]$/.test(note) ? "" : "."}
                </p>
            ))}
            {failure !== "" && (
                <p class="failure" role="alert">
                    {failure}
                </p>
            )}
            <p class="aside">The same on the command line, formula and simulation side by side:</p>
            <Command text={commandFor(model, values)} />
        </section>
    );
}

function differenceText(share: number): string {
    return `${share < 0 ? "−" : "+"}${(100 * Math.abs(share)).toFixed(1)} %`;
}

// --- tables

const narrow = "minmax(84px, 1fr)";
const wide = "minmax(120px, 1.6fr)";

function numberColumn<Row>(name: string, title: string, value: (row: Row) => number | null, text: (value: number) => string = numberText): ColumnOf<Row> {
    return {
        name,
        title,
        width: narrow,
        numeric: true,
        rises: true,
        key: (row) => value(row) ?? Infinity,
        show: (row) => {
            const number = value(row);
            return number === null || !Number.isFinite(number) ? "–" : text(number);
        },
    };
}

interface SweptRow {
    readonly value: number;
    readonly point: Point | null;
    readonly simulated: Simulated | null;
    readonly mva: number | null;
}

function Points({ model, formulas, scale, wish, simulated, set }: { readonly model: ModelDocument; readonly formulas: ModelModule; readonly scale: Scale; readonly wish: Wish; readonly simulated: ReadonlyMap<string, Simulated>; readonly set: (value: number) => void }) {
    const { values, over } = wish;
    const place = model.parameters.findIndex(({ name }) => name === over);
    const theories = useMemo(() => new Map(model.prediction.predictions.map((row) => [keyOf(valuesOfRow(model, row)), row.mva ?? null])), [model]);
    const rows = useMemo((): readonly SweptRow[] => {
        const swept = sweptValues(scale, sweepOf(model, over), values[place]!);
        const all = swept.map((value) => values.map((each, i) => (i === place ? value : each)));
        const { points } = formulas.points(all);
        return swept.map((value, i) => ({ value, point: points[i]!, simulated: simulated.get(keyOf(all[i]!)) ?? null, mva: theories.get(keyOf(all[i]!)) ?? null }));
    }, [formulas, scale, values, over, simulated]);
    const hasTheory = [...theories.values()].some((value) => value !== null);
    const of = (read: (point: Point) => number) => (row: SweptRow) => (row.point ? read(row.point) : null);
    const hasResources = rows.some(({ point }) => point?.resource);
    const columns: readonly ColumnOf<SweptRow>[] = [
        numberColumn(over, "The parameter", (row) => row.value, String),
        numberColumn("mean", "By formula", of((point) => point.mean)),
        numberColumn("std", "Standard deviation", of((point) => point.deviation)),
        ...model.levels.map((level, i) => numberColumn<SweptRow>(`${level} %`, `${level} % of the runs end within`, of((point) => point.quantiles[i]!))),
        ...(rows.some((row) => row.mva !== null) ? [numberColumn<SweptRow>("MVA", "Exact mean value analysis of the long run", (row) => row.mva)] : []),
        ...(rows.some((row) => row.simulated) ? [numberColumn<SweptRow>("simulated", "Mean of the simulated runs", (row) => row.simulated?.mean ?? null)] : []),
        ...(hasResources
            ? [
                  { name: "bound by", title: "What the formula found longer", width: narrow, key: boundOf, show: (row: SweptRow) => shortText(boundOf(row)) },
                  { name: "busiest", title: "The resource with most work, and how much of the time it is busy", width: wide, key: (row: SweptRow) => (row.point ? row.point.busiest / row.point.mean : 0), show: (row: SweptRow) => busiestText(row.point) },
              ]
            : []),
    ];
    return (
        <CopiedTable title={`By ${over}`} label="Points" columns={columns} rows={rows} isSelected={(row) => row.value === values[place]} choose={(row) => set(row.value)}>
            <span class="aside">
                A row chosen here moves the slider.
                {hasTheory && rows.some((row) => row.mva === null) && " MVA is known only for the values that this page was written with: the command above gives it for others."}
            </span>
        </CopiedTable>
    );
}

function boundOf({ point }: SweptRow): string {
    return point === null ? "–" : point.isBoundByResource && point.resource ? point.resource : "path";
}

function busiestText(point: Point | null): string {
    return point?.resource && point.mean > 0 ? `${shortText(point.resource)} ${percentText(Math.min(1, point.busiest / point.mean))}` : "";
}

interface TimeRow {
    readonly name: string;
    readonly servers: number | null;
    readonly work: number;
    readonly busy: number; // of each server
    readonly share: number;
}

function WhereTimeGoes({ formulas, values, point }: { readonly formulas: ModelModule; readonly values: Values; readonly point: Point }) {
    const rows = useMemo((): readonly TimeRow[] => {
        const row = (name: string, servers: number | null, work: number, busy: number): TimeRow => ({ name, servers, work, busy, share: point.mean > 0 ? busy / point.mean : 0 });
        return [row("critical path", null, point.criticalPath, point.criticalPath), ...formulas.resources(values).map(({ name, work, servers }) => row(name, servers, work, work / servers))];
    }, [formulas, values, point]);
    const columns: readonly ColumnOf<TimeRow>[] = [
        { name: "what", width: wide, key: (row) => row.name, show: (row) => shortText(row.name) },
        numberColumn("servers", "Places of the resource", (row) => row.servers, countText),
        numberColumn("work", "In the mean, of all servers together", (row) => row.work),
        numberColumn("of one server", "The time for which a server is busy", (row) => row.busy),
        numberColumn("of the time", "How much of the mean time it is busy", (row) => row.share, percentText),
    ];
    return <CopiedTable title="Where the time goes" label="Where the time goes" columns={columns} rows={rows} />;
}

function Phases({ rows }: { readonly rows: readonly PhaseRow[] }) {
    const columns: readonly ColumnOf<PhaseRow>[] = [
        { name: "phase", width: wide, key: (row) => row.name, show: (row) => shortText(row.name) },
        numberColumn("mean", "By formula", (row) => row.mean),
        numberColumn("std", "Standard deviation", (row) => row.deviation),
        numberColumn("critical path", "Without queueing", (row) => row.criticalPath),
        numberColumn("busiest resource", "Its work, by its servers", (row) => row.busiest),
    ];
    return <CopiedTable title="By phase" label="Phases" columns={columns} rows={rows} />;
}

const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

function Effects({ formulas, values }: { readonly formulas: ModelModule; readonly values: Values }) {
    const rows = useMemo(() => formulas.effects(values), [formulas, values]);
    const columns: readonly ColumnOf<EffectRow>[] = [
        { name: "parameter", width: wide, key: (row) => row.name, show: (row) => shortText(row.name) },
        numberColumn("value", "Where the slider stands", (row) => row.value, String),
        numberColumn("mean, % per %", "1 % more of it changes the mean by so many per cent", (row) => row.meanElasticity, signed),
        numberColumn("variance, % per %", "1 % more of it changes the variance by so many per cent", (row) => row.varianceElasticity, signed),
        numberColumn("mean, per unit", "1 more of it changes the mean by so much", (row) => row.meanSlope),
    ];
    return <CopiedTable title="What each parameter does" label="Sensitivity" columns={columns} rows={rows} empty="At these values a parameter can be moved to one side only." />;
}

// --- formulas and sentences

function Formulas({ model }: { readonly model: ModelDocument }) {
    if (model.equations.length === 0) {
        return null;
    }
    const shown = model.equations.filter((equation) => equation.text !== "");
    return (
        <section class="card model-formulas" aria-label="Formulas">
            <div class="tuning-head">
                <h2>Formulas</h2>
                <CopyButton name="Copy LaTeX" text={() => shown.map(({ latex }) => latex).join("\n") + "\n"} />
                <CopyButton name="Copy as a model" text={() => shown.map(({ text }) => text).join("\n") + "\n"} />
            </div>
            {model.equations.map(({ name, meaning, text, mathml }) => (
                <div key={name} class="model-formula">
                    {mathml !== "" ? <div class="model-typeset" tabIndex={0} dangerouslySetInnerHTML={{ __html: mathml }} /> : text !== "" ? <pre class="model-text">{text}</pre> : <p>{name} is too long to be shown: parcast formula writes it.</p>}
                    <p class="aside">{meaning}</p>
                </div>
            ))}
            <p class="aside">
                n ∗ X is the sum of n independent times X; ℳ(mean, variance, skewness, kurtosis) is a random time; a maximum is that of independent times.
            </p>
        </section>
    );
}

function Remarks({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) {
    return sentences.length === 0 ? null : (
        <section class="card tuning-notes" aria-label={title}>
            <h2>{title}</h2>
            <ul>
                {sentences.map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                ))}
            </ul>
        </section>
    );
}
