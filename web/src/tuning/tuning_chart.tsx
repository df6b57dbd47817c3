// One picture of a search: a value of every point that was looked at, over one of the parameters; a colour and a sign for
// each curve, and what the pointer is over in words.

import { useLayoutEffect, useRef } from "preact/hooks";
import { percentText, timeUnit } from "../format.ts";
import { factorScale, linearScale, valueScale, type ValueScale } from "../first_screen/chart_scale.ts";
import { useSize } from "../hooks.ts";
import { fillTooltip } from "../timeline/tooltip_box.ts";
import { bestOf, curveColours, hasUnit, isNumeric, markOf, timeOf, valueText, type Axis, type Curve, type Part, type Point, type Series, type TuningAnswer } from "./tuning.ts";

// What the pointer is over, in all pictures at once.
export interface Hover {
    readonly part: string; // where the words stand
    readonly place: number; // along the axis
    readonly x: number;
    readonly y: number;
}

const mostTicks = 100; // beyond, those with a name only
const leastApart = 6; // px between values with a sign
const dodge = 12; // px between curves at the same name

interface Props {
    readonly answer: TuningAnswer;
    readonly along: Axis;
    readonly part: Part;
    readonly curves: readonly Curve[]; // that are shown
    readonly hover: Hover | null;
    readonly setHover: (hover: Hover | null) => void;
    readonly selected: Point | null;
    readonly choose: (point: Point) => void;
}

const margin = { left: 52, right: 18, top: 12, bottom: 40 };
const rowHeight = 34; // px between ticks
const wordsTop = -16; // px: over the caption
const labelGap = 6;
const letterWidth = 6.4;

export const signs = ["circle", "square", "triangle", "diamond", "cross"] as const;

export function colourOf(curve: Curve): string {
    return `var(--curve-${curve.index % curveColours})`;
}

// A sign around (x, y).
export function signPath(index: number, x: number, y: number, size: number): string {
    const r = size;
    switch (signs[index % signs.length]) {
        case "square":
            return `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`;
        case "triangle":
            return `M${x} ${y - 1.3 * r}l${1.3 * r} ${2.3 * r}h${-2.6 * r}z`;
        case "diamond":
            return `M${x} ${y - 1.4 * r}l${1.4 * r} ${1.4 * r}l${-1.4 * r} ${1.4 * r}l${-1.4 * r} ${-1.4 * r}z`;
        case "cross":
            return `M${x - r} ${y - r}l${2 * r} ${2 * r}M${x + r} ${y - r}l${-2 * r} ${2 * r}`;
        default:
            return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
    }
}

// On the axis, at a value that was not looked at.
export function missingPath(x: number, y: number): string {
    return `M${x - 3} ${y - 3}l6 6M${x + 3} ${y - 3}l-6 6`;
}

export function TuningChart(props: Props) {
    const { answer, along, part, curves, hover } = props;
    const [attach, { width, height }] = useSize<HTMLDivElement>();
    const stage = useRef<HTMLDivElement | null>(null);
    const tooltip = useRef<HTMLDivElement | null>(null);
    useLayoutEffect(() => {
        if (!tooltip.current || !stage.current) {
            return;
        }
        tooltip.current.hidden = hover?.part !== part.title;
        if (hover?.part === part.title) {
            fillTooltip(tooltip.current, stage.current, hover, wordsAt(answer, along, part, curves, hover.place));
        }
    });
    return (
        <div
            class="chart"
            ref={(element) => {
                stage.current = element;
                attach(element);
            }}
        >
            {width > 80 && height > 60 && <Drawing {...props} width={width} height={height} />}
            <div class="lanes-tooltip" role="status" hidden ref={tooltip} />
        </div>
    );
}

interface Placed {
    readonly curve: Curve;
    readonly place: number;
    readonly point: Point;
    readonly x: number;
    readonly y: number;
}

function Drawing({ answer, along, part, curves, hover, setHover, selected, choose, width, height }: Props & { readonly width: number; readonly height: number }) {
    const all = curves.flatMap((curve) => part.series.flatMap((series) => valuesOf(curve, series)));
    const unit = hasUnit(answer) ? timeUnit(Math.max(...all, 0)) : { ns: 1, name: "" };
    const y = valueScale(all.length > 0 ? all.map((value) => value / unit.ns) : [0, 1], height - margin.bottom, margin.top, (height - margin.bottom) / rowHeight);
    const xs = placesOf(along, margin.left + 10, width - margin.right);
    const labels = labelled(along, xs);
    const [first] = part.series;
    const aside = (curve: Curve) => (isNumeric(along) ? 0 : (curves.indexOf(curve) - (curves.length - 1) / 2) * dodge); // names have room
    const placed = curves.flatMap((curve) =>
        curve.points.flatMap((point, place): Placed[] => {
            const value = point && first!.value(point);
            return point && value !== null && value > -Infinity ? [{ curve, place, point, x: xs[place]! + aside(curve), y: y.at(value / unit.ns) }] : [];
        }),
    );
    // Where values are closer than signs are wide, some have none.
    let last = -Infinity;
    const signed = placed.filter((each) => {
        const isSigned = each.x < last || each.x >= last + leastApart || each.point === bestOf(answer);
        last = isSigned ? each.x : last;
        return isSigned;
    });
    // The words stand where the curves are not.
    const hoverOn = (place: number): Hover => {
        const there = placed.filter((each) => each.place === place);
        const isHigh = there.reduce((sum, each) => sum + each.y, 0) < (there.length * height) / 2;
        return { part: part.title, place, x: xs[place]!, y: isHigh ? height - margin.bottom : wordsTop };
    };
    const hoverAt = (event: { readonly offsetX: number }) => hoverOn(nearest(xs, event.offsetX));
    const chooseAt = (event: { readonly offsetX: number; readonly offsetY: number }) => {
        const { place } = hoverAt(event);
        const away = (each: Placed) => Math.hypot(each.x - event.offsetX, each.y - event.offsetY);
        const [closest] = placed.filter((each) => each.place === place).sort((a, b) => away(a) - away(b));
        if (closest) {
            choose(closest.point);
        }
    };
    const walk = (event: KeyboardEvent) => {
        const now = hover?.place ?? -1;
        const next = { ArrowLeft: Math.max(0, now - 1), ArrowRight: Math.min(xs.length - 1, now + 1), Home: 0, End: xs.length - 1 }[event.key];
        if (event.key === "Escape") {
            setHover(null);
        } else if (next !== undefined) {
            setHover(hoverOn(next));
            event.preventDefault();
        }
    };
    return (
        <svg
            width={width}
            height={height}
            role="group"
            tabIndex={0}
            aria-label={`${part.title} over ${along.name}: ${curves.length === 1 ? "one curve" : `${curves.length} curves`}. Arrow keys go from value to value; the table has all of them.`}
            onPointerMove={(event) => setHover(hoverAt(event))}
            onPointerLeave={() => setHover(null)}
            onBlur={() => setHover(null)}
            onClick={chooseAt}
            onKeyDown={walk}
        >
            <Axes scale={y} along={along} xs={xs} labels={labels} isMissing={(place) => curves.some((curve) => curve.points[place] === null)} unit={unit.name} width={width} height={height} />
            {hover && <line class="tuning-cursor" x1={xs[hover.place]} x2={xs[hover.place]} y1={margin.top} y2={height - margin.bottom} />}
            {curves.map((curve) => (
                <CurveLines key={curve.index} curve={curve} part={part} along={along} xs={xs.map((x) => x + aside(curve))} at={(value) => y.at(value / unit.ns)} />
            ))}
            {signed.map((each) => (
                <path key={`${each.curve.index} ${each.place}`} class="tuning-sign" style={{ color: colourOf(each.curve) }} d={signPath(each.curve.index, each.x, each.y, 2.6)} />
            ))}
            {part.title === "Time" && <Marks answer={answer} placed={signed} width={width} height={height} />}
            {placed.filter((each) => each.point === selected).map((each) => (
                <circle key={each.curve.index} class="tuning-selected" cx={each.x} cy={each.y} r="9" />
            ))}
        </svg>
    );
}

function valuesOf(curve: Curve, series: Series): number[] {
    return curve.points.flatMap((point) => (point && series.value(point)) ?? []).filter(Number.isFinite);
}

// Numbers that grow by a factor get as much room each; names stand side by side.
function placesOf(axis: Axis, from: number, to: number): readonly number[] {
    const { values } = axis;
    if (!isNumeric(axis)) {
        return values.map((_, place) => from + ((place + 0.5) / values.length) * (to - from));
    }
    const numbers = values as readonly number[];
    const measure = isGeometric(numbers) ? Math.log : (value: number) => value;
    const [a, b] = [measure(numbers[0]!), measure(numbers[numbers.length - 1]!)];
    return numbers.map((value) => from + ((measure(value) - a) / (b - a || 1)) * (to - from));
}

// As in the picture that --plot draws (src/report/chart/tuning_chart.cpp).
function isGeometric(numbers: readonly number[]): boolean {
    const [first, second] = numbers;
    const last = numbers[numbers.length - 1]!;
    const steps = numbers.slice(1).map((value, i) => value - numbers[i]!);
    return first! > 0 && last >= 8 * first! && Math.max(...steps) > 2 * (second! - first!);
}

// The values that have room for their names: all, or the round ones of many.
function labelled(axis: Axis, xs: readonly number[]): ReadonlySet<number> {
    const chosen = new Set<number>();
    const room = xs[xs.length - 1]! - xs[0]!;
    if (isNumeric(axis) && xs.length * leastApart > room) {
        const numbers = axis.values as readonly number[];
        const scale = isGeometric(numbers) ? factorScale : linearScale;
        const round = scale(numbers[0]!, numbers[numbers.length - 1]!, 0, 1, room / (2 * rowHeight)).ticks;
        const places = round.map((tick) => axis.values.indexOf(tick)).filter((place) => place >= 0);
        if (places.length > 1) {
            return new Set(places);
        }
    }
    let end = -Infinity;
    xs.forEach((x, place) => {
        const half = (String(axis.values[place]).length * letterWidth) / 2;
        if (x - half >= end + labelGap) {
            chosen.add(place);
            end = x + half;
        }
    });
    return chosen;
}

function nearest(xs: readonly number[], x: number): number {
    return xs.reduce((best, each, place) => (Math.abs(each - x) < Math.abs(xs[best]! - x) ? place : best), 0);
}

interface AxesProps {
    readonly scale: ValueScale;
    readonly along: Axis;
    readonly xs: readonly number[];
    readonly labels: ReadonlySet<number>;
    readonly isMissing: (place: number) => boolean; // a curve has no point there
    readonly unit: string;
    readonly width: number;
    readonly height: number;
}

function Axes({ scale, along, xs, labels, isMissing, unit, width, height }: AxesProps) {
    const base = height - margin.bottom;
    return (
        <>
            {scale.ticks.map((tick) => (
                <g key={tick} class="axis">
                    <line x1={margin.left} x2={width - margin.right} y1={scale.at(tick)} y2={scale.at(tick)} />
                    <text x={margin.left - 7} y={scale.at(tick) + 3.5} text-anchor="end">
                        {`${Number(tick.toPrecision(6))}${unit === "" ? "" : ` ${unit}`}`}
                    </text>
                </g>
            ))}
            {xs.map((x, place) => (
                <g key={place} class="axis">
                    {isMissing(place) ? <path class="tuning-missing" d={missingPath(x, base)} /> : (labels.has(place) || xs.length <= mostTicks) && <line class="tick" x1={x} x2={x} y1={base} y2={base + 4} />}
                    {labels.has(place) && (
                        <text x={x} y={base + 16} text-anchor="middle">
                            {String(along.values[place])}
                        </text>
                    )}
                </g>
            ))}
            <text class="tuning-axis-name" x={width - margin.right} y={height - 6} text-anchor="end">
                {along.name}
            </text>
        </>
    );
}

interface LinesProps {
    readonly curve: Curve;
    readonly part: Part;
    readonly along: Axis;
    readonly xs: readonly number[];
    readonly at: (value: number) => number;
}

function CurveLines({ curve, part, along, xs, at }: LinesProps) {
    const through = (series: Series) =>
        curve.points.flatMap((point, place) => {
            const value = point && series.value(point);
            return value !== null && Number.isFinite(value) ? [`${xs[place]!.toFixed(1)},${at(value).toFixed(1)}`] : [];
        });
    const [line] = part.series;
    const edge = part.series.find((series) => series.kind === "edge");
    const isLine = isNumeric(along); // names have no order
    return (
        <g class="tuning-curve" style={{ color: colourOf(curve) }}>
            {edge && isLine && <polygon points={[...through(line!), ...through(edge).reverse()].join(" ")} />}
            {part.series.map((series) =>
                isLine ? (
                    <polyline key={series.method} class={`tuning-${series.kind}`} points={through(series).join(" ")} />
                ) : (
                    series !== line && through(series).map((place) => <circle key={place} class={`tuning-${series.kind}-sign`} cx={place.split(",")[0]} cy={place.split(",")[1]} r={series.kind === "edge" ? 4 : 1.6} />)
                ),
            )}
        </g>
    );
}

// The best point with its name, and rings around those near it.
function Marks({ answer, placed, width, height }: { readonly answer: TuningAnswer; readonly placed: readonly Placed[]; readonly width: number; readonly height: number }) {
    const below = 22;
    return (
        <>
            {placed.map((each) => {
                const mark = markOf(answer, each.point);
                return mark && <circle key={`${each.curve.index} ${each.place}`} class={`tuning-${mark}`} cx={each.x} cy={each.y} r={mark === "best" ? 7.5 : 5.5} />;
            })}
            {placed
                .filter((each) => each.point === bestOf(answer))
                .map((each) => (
                    <text key="best" class="tuning-best-name" x={each.x} y={each.y + below < height - margin.bottom ? each.y + below : each.y - 12} text-anchor={each.x > width - 90 ? "end" : each.x < 110 ? "start" : "middle"}>
                        best
                    </text>
                ))}
        </>
    );
}

// "block 30", then a line for each curve.
function wordsAt(answer: TuningAnswer, along: Axis, part: Part, curves: readonly Curve[], place: number): readonly string[] {
    const [line, edge] = part.series;
    const best = timeOf(answer, bestOf(answer), answer.methods[0]!);
    const lines = curves.map((curve) => {
        const point = curve.points[place];
        const name = curve.name === "" ? "" : `${curve.name}: `;
        if (!point) {
            return `${name}not looked at`;
        }
        const values = part.series.map((series) => {
            const value = series.value(point);
            return (value === null ? "–" : valueText(answer, value)) + (part.series.length > 1 ? ` ${series.method}` : "");
        });
        const time = line!.value(point);
        const more = part.title === "Time" && time !== null && best ? (point === bestOf(answer) ? ", the best" : `, ${percentText(time / best - 1)} more than the best`) : "";
        return `${name}${edge ? values.join(", ") : values[0]}${more}`;
    });
    return [`${along.name} ${along.values[place]}`, ...lines];
}
