// What decides how much of the time, on how many CPUs? A curve for each function and lock, as in figures 11, 15 and 18
// of Broberg 2002, paper VI.

import { doublingScale } from "../first_screen/chart_scale.ts";
import { countText, counted, percentText } from "../format.ts";
import { useSize } from "../hooks.ts";
import type { Owner, Weights } from "../weights.ts";

interface Props {
    readonly weights: Weights;
    readonly owners: readonly Owner[];
    readonly cpus: number; // shown
    readonly nameOf: (owner: Owner) => string;
}

const margin = { left: 44, right: 16, top: 10, bottom: 24 };

export function WeightChart(props: Props) {
    const [attach, { width, height }] = useSize<HTMLDivElement>();
    return (
        <div class="weight-chart" ref={attach}>
            {width > 80 && height > 60 && <Drawing {...props} width={width} height={height} />}
        </div>
    );
}

function Drawing({ weights, owners, cpus, nameOf, width, height }: Props & { readonly width: number; readonly height: number }) {
    const { counts } = weights;
    const shares = owners.map((owner) => counts.map((count) => weights.share(owner, count) ?? 0));
    const highest = Math.max(1, ...shares.flat());
    const lowest = Math.min(0, ...shares.flat());
    const x = doublingScale(1, Math.max(2, counts[counts.length - 1] ?? 2), margin.left + 6, width - margin.right, (width - margin.left) / 34);
    const y = (share: number) => margin.top + ((highest - share) / (highest - lowest)) * (height - margin.bottom - margin.top);
    const step = highest - lowest > 2 ? 1 : 0.5;
    const ticks = Array.from({ length: Math.floor((highest - lowest) / step) + 1 }, (_, i) => Math.ceil(lowest / step) * step + i * step);
    const lastTick = x.ticks[x.ticks.length - 1];
    return (
        <svg width={width} height={height} role="img" aria-label={`Share of the time that each decides, on ${counted(counts.length, "number")} of CPUs`}>
            {ticks.map((tick) => (
                <g key={tick} class="axis">
                    <line x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
                    <text x={margin.left - 6} y={y(tick) + 3.5} text-anchor="end">
                        {percentText(tick)}
                    </text>
                </g>
            ))}
            {x.ticks.map((tick) => (
                <g key={tick} class="axis">
                    <text x={x.at(tick) + (tick === lastTick ? 12 : 0)} y={height - 7} text-anchor={tick === lastTick ? "end" : "middle"}>
                        {countText(tick)}
                        {tick === lastTick ? " CPUs" : ""}
                    </text>
                </g>
            ))}
            <line class="weight-now" x1={x.at(cpus)} x2={x.at(cpus)} y1={margin.top} y2={height - margin.bottom} />
            {owners.map((owner, i) => (
                <g key={owner.index} class={`weight-curve tone-${i % tones}${owner.kind === "lock" ? " of-lock" : ""}`}>
                    <polyline points={counts.map((count, at) => `${x.at(count).toFixed(1)},${y(shares[i]![at]!).toFixed(1)}`).join(" ")} />
                    {counts.map((count, at) => (
                        <circle key={count} cx={x.at(count)} cy={y(shares[i]![at]!)} r="3">
                            <title>{`${nameOf(owner)}, ${counted(count, "CPU")}: ${percentText(shares[i]![at]!)}`}</title>
                        </circle>
                    ))}
                </g>
            ))}
        </svg>
    );
}

export const tones = 6; // colours of curves: theme/changes.css
