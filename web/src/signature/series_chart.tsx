// A chart over numbers of threads, or over a parameter: lines with signs, and bands between a least and a most. Threads double along the axis;
// what the pointer or the arrow keys are on stands in words.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { doublingScale, linearScale, valueScale } from "../first_screen/chart_scale.ts";
import { countText, counted } from "../format.ts";
import { useSize } from "../hooks.ts";
import { fillTooltip } from "../timeline/tooltip_box.ts";
import { signPath } from "../tuning/tuning_chart.tsx";
import type { Chart, Values } from "./chart.ts";

const margin = { left: 70, right: 16, top: 10, bottom: 36 };
const rowHeight = 30; // px between ticks
const columnWidth = 34;

export function SeriesChart({ chart }: { readonly chart: Chart }) {
    const [attach, { width, height }] = useSize<HTMLDivElement>();
    const [place, setPlace] = useState<number | null>(null);
    const stage = useRef<HTMLDivElement | null>(null);
    const tooltip = useRef<HTMLDivElement | null>(null);
    const isThere = width > 120 && height > 80;
    const x = scaleOf(chart, width);
    useLayoutEffect(() => {
        if (!tooltip.current || !stage.current) {
            return;
        }
        tooltip.current.hidden = place === null;
        if (place !== null) {
            fillTooltip(tooltip.current, stage.current, { x: x.at(chart.threads[place]!), y: margin.top }, wordsAt(chart, place));
        }
    });
    const last = chart.threads.length - 1;
    const walk = (event: KeyboardEvent) => {
        const now = place ?? -1;
        const next = { ArrowLeft: Math.max(0, now - 1), ArrowRight: Math.min(last, now + 1), Home: 0, End: last }[event.key];
        if (event.key === "Escape") {
            setPlace(null);
        } else if (next !== undefined) {
            setPlace(next);
            event.preventDefault();
        }
    };
    return (
        <div
            class="chart"
            ref={(element) => {
                stage.current = element;
                attach(element);
            }}
        >
            {isThere && (
                <svg
                    width={width}
                    height={height}
                    role="group"
                    tabIndex={0}
                    aria-label={`${chart.title} over ${chart.axis ? `${counted(chart.threads.length, "value")} of ${chart.axis.name}` : `${counted(chart.threads.length, "number")} of threads`}. Arrow keys go from one to the next.`}
                    onPointerMove={(event) => setPlace(nearest(chart.threads.map((threads) => x.at(threads)), event.offsetX))}
                    onPointerLeave={() => setPlace(null)}
                    onBlur={() => setPlace(null)}
                    onKeyDown={walk}
                >
                    <Drawing chart={chart} x={x.at} ticks={x.ticks} place={place} width={width} height={height} />
                </svg>
            )}
            <div class="lanes-tooltip" role="status" hidden ref={tooltip} />
        </div>
    );
}

function scaleOf({ threads, axis }: Chart, width: number): { readonly ticks: readonly number[]; at(value: number): number } {
    const [low, high] = [threads[0]!, threads[threads.length - 1]!];
    const [from, to, most] = [margin.left + 10, width - margin.right, (width - margin.left) / columnWidth];
    return axis && !axis.isLogarithmic ? linearScale(low, high, from, to, most / 2) : doublingScale(low, high, from, to, most);
}

interface DrawingProps {
    readonly chart: Chart;
    readonly x: (threads: number) => number;
    readonly ticks: readonly number[];
    readonly place: number | null;
    readonly width: number;
    readonly height: number;
}

function Drawing({ chart, x, ticks, place, width, height }: DrawingProps) {
    const { threads, lines, bands } = chart;
    const base = height - margin.bottom;
    const all = [...lines.flatMap((line) => line.values), ...bands.flatMap((band) => [...band.low, ...band.high])].filter((value): value is number => value !== null);
    const y = valueScale(all.length > 0 ? all : [0, 1], base, margin.top, (base - margin.top) / rowHeight);
    const pathOf = (values: Values) => values.flatMap((value, i) => (value === null ? [] : [`${x(threads[i]!).toFixed(1)},${y.at(value).toFixed(1)}`]));
    return (
        <>
            {y.ticks.map((tick) => (
                <g key={tick} class="axis">
                    <line x1={margin.left} x2={width - margin.right} y1={y.at(tick)} y2={y.at(tick)} />
                    <text x={margin.left - 7} y={y.at(tick) + 3.5} text-anchor="end">
                        {tickText(chart.text(Number(tick.toPrecision(6))))}
                    </text>
                </g>
            ))}
            {ticks.map((tick) => (
                <g key={tick} class="axis">
                    <line class="tick" x1={x(tick)} x2={x(tick)} y1={base} y2={base + 4} />
                    <text x={x(tick)} y={base + 16} text-anchor="middle">
                        {chart.axis ? tickText(chart.axis.text(Number(tick.toPrecision(6)))) : countText(tick)}
                    </text>
                </g>
            ))}
            <text class="tuning-axis-name" x={width - margin.right} y={height - 4} text-anchor="end">
                {chart.axis?.name ?? "threads"}
            </text>
            {chart.axis && <line class="chart-mark" x1={x(chart.axis.mark)} x2={x(chart.axis.mark)} y1={margin.top} y2={base} />}
            {place !== null && <line class="tuning-cursor" x1={x(threads[place]!)} x2={x(threads[place]!)} y1={margin.top} y2={base} />}
            {bands.map((band) => (
                <g key={band.name} class={`signature-band of-${band.style}`} style={{ color: colourOf(band.colour) }}>
                    {band.style === "area" ? (
                        <polygon points={[...pathOf(band.low), ...pathOf(band.high).reverse()].join(" ")} />
                    ) : (
                        [band.low, band.high].map((values, i) => <polyline key={i} points={pathOf(values).join(" ")} />)
                    )}
                </g>
            ))}
            {lines.map((line) => (
                <g key={line.name} class={`signature-line of-${line.style}`} style={{ color: colourOf(line.colour) }}>
                    <polyline points={pathOf(line.values).join(" ")} />
                    {line.style === "signs" && line.values.map((value, i) => value !== null && <path key={i} class="tuning-sign" d={signPath(line.colour, x(threads[i]!), y.at(value), 2.8)} />)}
                </g>
            ))}
        </>
    );
}

// "1.00 ms" is 1 ms at a tick.
function tickText(text: string): string {
    return text.replace(/(\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, "");
}

export function colourOf(colour: number): string {
    return `var(--curve-${colour})`;
}

function nearest(xs: readonly number[], x: number): number {
    return xs.reduce((best, each, place) => (Math.abs(each - x) < Math.abs(xs[best]! - x) ? place : best), 0);
}

// "8 threads", then a line for each line and band.
function wordsAt(chart: Chart, place: number): readonly string[] {
    const said = (value: number | null | undefined) => (value === null || value === undefined ? "–" : chart.text(value));
    return [
        chart.axis ? `${chart.axis.name} = ${chart.axis.text(chart.threads[place]!)}` : counted(chart.threads[place]!, "thread"),
        ...chart.lines.map((line) => `${line.name}: ${said(line.values[place])}`),
        ...chart.bands.map((band) => `${band.name}: ${said(band.low[place])} – ${said(band.high[place])}`),
    ];
}
