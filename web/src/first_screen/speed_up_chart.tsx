// How fast on how many CPUs? Predicted speed-up, its bounds, and what was measured. Both axes double, so that a program
// that scales perfectly is a straight line.

import { countText, counted, percentText, speedUpText, timeText } from "../format.ts";
import { useSize } from "../hooks.ts";
import type { BindingLimits, MeasuredPoint, PredictedCount, Range } from "../overview.ts";
import type { Point } from "../workbench.ts";
import { doublingScale } from "./chart_scale.ts";

export interface Curve {
    readonly label: string;
    readonly points: readonly Point[];
    readonly timeOnOne: number | null;
    readonly cpus: number; // chosen
    readonly choose: (cpus: number) => void;
}

interface Props {
    readonly curves: readonly Curve[]; // one, or two that are compared
    readonly bounds: readonly PredictedCount[]; // of the first curve; empty where none are known
    readonly boundsBelow?: readonly PredictedCount[]; // of the second curve
    readonly rangeWord: string; // what they are called
    readonly measured: readonly MeasuredPoint[];
    readonly bindings: readonly BindingLimits[];
    readonly maxCpus: number;
    readonly asTable: boolean;
}

interface Dot {
    readonly cpus: number;
    readonly speedUp: number;
    readonly time: number;
}

const margin = { left: 34, right: 14, top: 10, bottom: 24 };
const tickSpace = 34; // px

function dotsOf(curve: Curve): Dot[] {
    return curve.points.flatMap(({ cpus, time }) =>
        time !== null && time > 0 && curve.timeOnOne !== null ? [{ cpus, time, speedUp: curve.timeOnOne / time }] : [],
    );
}

export function SpeedUpChart(props: Props) {
    const [attach, { width, height }] = useSize<HTMLDivElement>();
    return (
        <div class={props.asTable ? "chart as-table" : "chart"} ref={attach}>
            {props.asTable ? <SpeedUpTable {...props} /> : width > 80 && height > 60 && <Drawing {...props} width={width} height={height} />}
        </div>
    );
}

function Drawing({ curves, bounds, boundsBelow = [], measured, bindings, maxCpus, width, height }: Props & { readonly width: number; readonly height: number }) {
    const dots = curves.map(dotsOf);
    const bounded = bounds.filter((run) => run.bounds !== null && run.bounds.lower > 0);
    const sure = sureOf(bounds);
    const sureBelow = sureOf(boundsBelow);
    const limits = speedUpsOfBindings(bindings, curves[0]?.timeOnOne ?? null);
    const all = [
        ...dots.flat().map((dot) => dot.speedUp),
        ...bounded.flatMap(({ bounds }) => [bounds!.lower, bounds!.upper]),
        ...[...sure, ...sureBelow].flatMap(({ low, high }) => [low, high]),
        ...measured.flatMap((point) => [point.low, point.high]),
        ...limits.flatMap(({ most, reachable }) => (reachable === null ? [most] : [most, reachable])),
    ];
    const mostCpus = Math.max(2, maxCpus, ...dots.flat().map((dot) => dot.cpus), ...measured.map((point) => point.cpus));
    const highest = Math.max(2, ...all) * 1.15;
    const lowest = Math.min(1, ...all.filter((value) => value > 0)) * 0.94;
    const x = doublingScale(1, mostCpus, margin.left + 8, width - margin.right, (width - margin.left) / tickSpace);
    const y = doublingScale(lowest, highest, height - margin.bottom, margin.top, (height - margin.bottom) / 24);
    const lastTick = x.ticks[x.ticks.length - 1];
    const ideal = Math.min(mostCpus, highest);
    const path = (points: readonly Dot[]) => points.map((dot) => `${x.at(dot.cpus).toFixed(1)},${y.at(dot.speedUp).toFixed(1)}`).join(" ");
    const at = (cpus: number, speedUp: number) => `${x.at(cpus).toFixed(1)},${y.at(speedUp).toFixed(1)}`;
    const lower = bounded.map((run) => at(run.cpus, run.bounds!.lower));
    const upper = bounded.map((run) => at(run.cpus, run.bounds!.upper));
    // One band is filled: the more telling one.
    const band = sure.length > 1 ? [...sure.map(({ cpus, high }) => at(cpus, high)), ...sure.map(({ cpus, low }) => at(cpus, low)).reverse()] : [...upper, ...[...lower].reverse()];
    const bandBelow = [...sureBelow.map(({ cpus, high }) => at(cpus, high)), ...sureBelow.map(({ cpus, low }) => at(cpus, low)).reverse()];
    return (
        <svg width={width} height={height} role="group" aria-label={spoken(curves, dots)}>
            {y.ticks.map((tick) => (
                <g key={tick} class="axis">
                    <line x1={margin.left} x2={width - margin.right} y1={y.at(tick)} y2={y.at(tick)} />
                    <text x={margin.left - 7} y={y.at(tick) + 3.5} text-anchor="end">
                        {tick}×
                    </text>
                </g>
            ))}
            {x.ticks.map((tick) => (
                <g key={tick} class="axis">
                    <line class="tick" x1={x.at(tick)} x2={x.at(tick)} y1={height - margin.bottom} y2={height - margin.bottom + 4} />
                    <text x={x.at(tick) + (tick === lastTick ? 12 : 0)} y={height - 7} text-anchor={tick === lastTick ? "end" : "middle"}>
                        {countText(tick)}
                        {tick === lastTick ? " CPUs" : ""}
                    </text>
                </g>
            ))}
            {(sure.length > 1 || bounded.length > 1) && <polygon class="band" points={band.join(" ")} />}
            {sureBelow.length > 1 && <polygon class="band below" points={bandBelow.join(" ")} />}
            {sure.length > 1 && bounded.length > 1 && <path class="band-edges" d={[lower, upper].map((edge) => `M${edge.join("L")}`).join("")} />}
            <line class="ideal" x1={x.at(1)} y1={y.at(1)} x2={x.at(ideal)} y2={y.at(ideal)}>
                <title>as many times as fast as there are CPUs</title>
            </line>
            {limits.map(({ cpus, most, by, reachable }) => (
                <g key={cpus} class="bindings">
                    <path class="limit" d={`M${x.at(cpus) - 7} ${y.at(most)}h14`}>
                        <title>
                            {counted(cpus, "CPU")}: no binding of threads is faster than {speedUpText(most)}: {by}
                        </title>
                    </path>
                    {reachable !== null && (
                        <path class="reachable" d={`M${x.at(cpus)} ${y.at(reachable) - 5}l5 9h-10z`}>
                            <title>
                                {counted(cpus, "CPU")}: some binding of threads surely reaches {speedUpText(reachable)}; the best may be better
                            </title>
                        </path>
                    )}
                </g>
            ))}
            {curves.map((curve, i) => (
                <g key={i} class={`curve curve-${i}`}>
                    <polyline points={path(dots[i]!)} />
                    {dots[i]!.map((dot) => (
                        <DotMark key={dot.cpus} dot={dot} curve={curve} x={x.at(dot.cpus)} y={y.at(dot.speedUp)} sure={i === 0 ? sure.find(({ cpus }) => cpus === dot.cpus) : undefined} isOutside={i === 0 && isOutsideBounds(bounds, dot.cpus)} />
                    ))}
                </g>
            ))}
            {measured.map((point) => (
                <g key={point.cpus} class="measured">
                    {!point.over_predicted && <path d={errorBar(x.at(point.cpus), y.at(point.low), y.at(point.high))} />}
                    <circle cx={x.at(point.cpus)} cy={y.at(point.speed_up)} r="4">
                        <title>{measuredText(point)}</title>
                    </circle>
                </g>
            ))}
        </svg>
    );
}

interface SureSpeedUp {
    readonly cpus: number;
    readonly low: number;
    readonly high: number;
}

function sureOf(runs: readonly PredictedCount[]): SureSpeedUp[] {
    return runs.flatMap(({ cpus, range }) => (range?.speed_up && range.speed_up.low > 0 ? [{ cpus, ...range.speed_up }] : []));
}

export function hasRanges(runs: readonly PredictedCount[]): boolean {
    return sureOf(runs).length > 1;
}

function rangeText({ low, high }: Range): string {
    return `${speedUpText(low)} – ${speedUpText(high)}`;
}

interface SpeedUpOfBindings {
    readonly cpus: number;
    readonly most: number;
    readonly by: string; // what decides
    readonly reachable: number | null;
}

const reasons: Readonly<Record<string, string>> = {
    work: "all work, shared evenly",
    thread: "the thread with most work",
    sharing: "threads that share a CPU",
    span: "the longest chain of work and waiting",
    lock: "what one lock is held in all",
};

function speedUpsOfBindings(bindings: readonly BindingLimits[], timeOnOne: number | null): SpeedUpOfBindings[] {
    return timeOnOne === null
        ? []
        : bindings
              .filter(({ lower_bound_ns }) => lower_bound_ns > 0)
              .map(({ cpus, lower_bound_ns, lower_bound_by, reachable_ns }) => ({
                  cpus,
                  most: timeOnOne / lower_bound_ns,
                  by: reasons[lower_bound_by] ?? lower_bound_by,
                  reachable: reachable_ns ? timeOnOne / reachable_ns : null,
              }));
}

function measuredText(point: MeasuredPoint): string {
    const on = `measured on ${counted(point.cpus, "CPU")}`;
    return point.over_predicted
        ? `${on}: ${timeText(point.time_ns)}, ${speedUpText(point.speed_up)} times as fast as predicted on one`
        : `${on}: ${speedUpText(point.speed_up)} (${speedUpText(point.low)} to ${speedUpText(point.high)}), ${timeText(point.time_ns)}`;
}

// In a table.
function measuredCell(point: MeasuredPoint): string {
    const beside = point.over_predicted ? timeText(point.time_ns) : `${speedUpText(point.low)} – ${speedUpText(point.high)}`;
    return `${speedUpText(point.speed_up)} (${beside})`;
}

// From the least to the most that was measured, with a line across each end.
function errorBar(x: number, low: number, high: number): string {
    const end = 4;
    return `M${x - end} ${low}h${2 * end}M${x} ${low}V${high}M${x - end} ${high}h${2 * end}`;
}

interface DotProps {
    readonly dot: Dot;
    readonly curve: Curve;
    readonly x: number;
    readonly y: number;
    readonly sure: SureSpeedUp | undefined;
    readonly isOutside: boolean; // of the bounds
}

function isOutsideBounds(bounds: readonly PredictedCount[], cpus: number): boolean {
    return Boolean(bounds.find((run) => run.cpus === cpus)?.bounds_note);
}

function DotMark({ dot, curve, x, y, sure, isOutside }: DotProps) {
    const chosen = dot.cpus === curve.cpus;
    const text = `${counted(dot.cpus, "CPU")}: ${speedUpText(dot.speedUp)} times as fast as one${sure && dot.cpus > 1 ? ` (${rangeText(sure)})` : ""}, ${timeText(dot.time)}${isOutside ? ", outside the ideal range *" : ""}`;
    const choose = () => curve.choose(dot.cpus);
    return (
        <g
            class={chosen ? "dot chosen" : "dot"}
            role="button"
            tabindex={0} // SVG knows no other spelling
            aria-label={text}
            aria-pressed={chosen}
            onClick={choose}
            onKeyDown={(event) => {
                if (event.key === "Enter" || event.key === " ") {
                    event.preventDefault();
                    event.stopPropagation();
                    choose();
                }
            }}
        >
            <title>{text}</title>
            <circle class="reach" cx={x} cy={y} r="11" />
            <circle class="ring" cx={x} cy={y} r="8" />
            <circle class="mark" cx={x} cy={y} r={chosen ? 4.5 : 3.5} />
            {isOutside && (
                <text class="outside" x={x} y={y - 5} text-anchor="middle">
                    *
                </text>
            )}
        </g>
    );
}

function spoken(curves: readonly Curve[], dots: readonly (readonly Dot[])[]): string {
    return curves
        .map((curve, i) => `Speed-up${curves.length > 1 ? ` of ${curve.label}` : ""} on ${dots[i]!.length} numbers of CPUs`)
        .join("; ");
}

// Those that are predicted, and those that were only measured.
function rowsOf(curve: Curve, measured: readonly MeasuredPoint[]): { readonly cpus: number; readonly time: number | null | undefined }[] {
    const only = measured.filter((point) => curve.points.every((each) => each.cpus !== point.cpus));
    return [...curve.points, ...only.map(({ cpus }) => ({ cpus, time: undefined }))].sort((a, b) => a.cpus - b.cpus);
}

function SpeedUpTable({ curves, bounds, rangeWord, measured, bindings }: Props) {
    const limits = speedUpsOfBindings(bindings, curves[0]?.timeOnOne ?? null);
    const sure = sureOf(bounds);
    return (
        <table class="plain">
            <caption>Predicted speed-up by number of CPUs</caption>
            <thead>
                <tr>
                    {curves.length > 1 && <th scope="col">Which</th>}
                    <th scope="col" class="number">CPUs</th>
                    <th scope="col" class="number">Time</th>
                    <th scope="col" class="number">Speed-up</th>
                    {sure.length > 0 && <th scope="col" class="number">90 % range</th>}
                    <th scope="col" class="number">{rangeWord.charAt(0).toUpperCase() + rangeWord.slice(1)}</th>
                    <th scope="col" class="number">Efficiency</th>
                    {limits.length > 0 && <th scope="col" class="number">Best binding at most</th>}
                    {limits.some(({ reachable }) => reachable !== null) && <th scope="col" class="number">Surely reachable</th>}
                    <th scope="col" class="number">Measured</th>
                </tr>
            </thead>
            <tbody>
                {curves.flatMap((curve, i) =>
                    rowsOf(curve, i === 0 ? measured : []).map(({ cpus, time }) => {
                        const speedUp = time && curve.timeOnOne ? curve.timeOnOne / time : null;
                        const bound = i === 0 ? bounds.find((run) => run.cpus === cpus)?.bounds : null;
                        const known = i === 0 ? sure.find((each) => each.cpus === cpus) : undefined;
                        const limit = i === 0 ? limits.find((each) => each.cpus === cpus) : undefined;
                        const real = i === 0 ? measured.find((point) => point.cpus === cpus) : undefined;
                        return (
                            <tr key={`${i} ${cpus}`} aria-selected={cpus === curve.cpus}>
                                {curves.length > 1 && <td>{curve.label}</td>}
                                <td class="number">
                                    <button type="button" class="link" onClick={() => curve.choose(cpus)}>
                                        {countText(cpus)}
                                    </button>
                                </td>
                                <td class="number">{time === undefined ? "" : time === null ? "deadlock" : timeText(time)}</td>
                                <td class="number">{speedUp === null ? "" : speedUpText(speedUp)}</td>
                                {sure.length > 0 && <td class="number">{known && cpus > 1 ? rangeText(known) : ""}</td>}
                                <td class="number">
                                    {bound ? `${speedUpText(bound.lower)} – ${speedUpText(bound.upper)}` : ""}
                                    {bound && isOutsideBounds(bounds, cpus) ? " *" : ""}
                                </td>
                                <td class="number">{speedUp === null ? "" : percentText(speedUp / cpus)}</td>
                                {limits.length > 0 && <td class="number">{limit ? speedUpText(limit.most) : ""}</td>}
                                {limits.some(({ reachable }) => reachable !== null) && <td class="number">{limit?.reachable != null ? speedUpText(limit.reachable) : ""}</td>}
                                <td class="number">{real ? measuredCell(real) : ""}</td>
                            </tr>
                        );
                    }),
                )}
            </tbody>
        </table>
    );
}
