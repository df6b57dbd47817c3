// One recording of a series: how many of its threads are active, communicating and blocked over time, and a row a thread.

import { useMemo, useState } from "preact/hooks";
import { linearScale } from "../first_screen/chart_scale.ts";
import { bytesText, countText, counted, percentText, shortText, threeDigits, timeText, timeUnit, wholeText } from "../format.ts";
import { useSize } from "../hooks.ts";
import { Table, type ColumnOf } from "../tables/table.tsx";
import type { ProfileStep, Recording, ThreadRow } from "./signature.ts";

export function RecordingDetails({ recording }: { readonly recording: Recording }) {
    return (
        <section class="card tuning-points" aria-label="One recording">
            <div class="tuning-head">
                <h2>With {counted(recording.threads, "thread")}</h2>
                <span class="aside" title={wholeText(recording.file)}>
                    {shortText(recording.file)}, replayed on {counted(recording.cpus, "CPU")}
                </span>
                <ProfileKeys />
            </div>
            {recording.profile.length > 0 && <Profile recording={recording} />}
            {recording.thread_rows && <Threads recording={recording} rows={recording.thread_rows} />}
        </section>
    );
}

const parts = [
    { name: "active", state: "running", of: (step: ProfileStep) => step.active },
    { name: "communicating", state: "communicating", of: (step: ProfileStep) => step.communicating },
    { name: "blocked", state: "blocked", of: (step: ProfileStep) => step.blocked },
] as const;

function ProfileKeys() {
    return (
        <div class="tuning-keys" aria-label="What is drawn">
            {parts.map((part) => (
                <span key={part.name}>
                    <svg width="14" height="12" aria-hidden="true">
                        <rect width="14" height="12" rx="2" style={{ fill: `var(--state-${part.state})` }} />
                    </svg>
                    {part.name}
                </span>
            ))}
        </div>
    );
}

const margin = { left: 46, right: 14, top: 8, bottom: 26 };

function Profile({ recording }: { readonly recording: Recording }) {
    const [attach, { width, height }] = useSize<HTMLDivElement>();
    return (
        <div class="chart signature-profile" ref={attach}>
            {width > 120 && height > 60 && <ProfileDrawing recording={recording} width={width} height={height} />}
        </div>
    );
}

function ProfileDrawing({ recording, width, height }: { readonly recording: Recording; readonly width: number; readonly height: number }) {
    const { profile, time_ns: end } = recording;
    const base = height - margin.bottom;
    const sums = profile.map((step) => parts.reduce((sum, part) => sum + part.of(step), 0));
    const y = linearScale(0, Math.max(1, ...sums), base, margin.top, (base - margin.top) / 30);
    const unit = timeUnit(end);
    const x = linearScale(0, end / unit.ns, margin.left, width - margin.right, width / 120);
    const at = (ns: number) => margin.left + (ns / end) * (width - margin.left - margin.right);
    return (
        <svg width={width} height={height} role="img" aria-label={`Threads over time: active, communicating and blocked, in ${timeText(end)}`}>
            {parts.map((part, i) => (
                <path key={part.name} style={{ fill: `var(--state-${part.state})` }} d={stepArea(profile, end, at, y.at, i)} />
            ))}
            {y.ticks.map((tick) => (
                <g key={tick} class="axis">
                    <text x={margin.left - 7} y={y.at(tick) + 3.5} text-anchor="end">
                        {countText(tick)}
                    </text>
                </g>
            ))}
            {x.ticks
                .filter((tick) => tick * unit.ns <= end)
                .map((tick) => (
                    <g key={tick} class="axis">
                        <line class="tick" x1={at(tick * unit.ns)} x2={at(tick * unit.ns)} y1={base} y2={base + 4} />
                        <text x={at(tick * unit.ns)} y={base + 16} text-anchor="middle">
                            {`${Number(tick.toPrecision(6))} ${unit.name}`}
                        </text>
                    </g>
                ))}
        </svg>
    );
}

// The part over those before it, in steps.
function stepArea(profile: readonly ProfileStep[], end: number, x: (ns: number) => number, y: (value: number) => number, part: number): string {
    const below = (step: ProfileStep) => parts.slice(0, part).reduce((sum, each) => sum + each.of(step), 0);
    const corners = profile.flatMap((step, i) => [
        { x: x(step.begin_ns), step },
        { x: x(profile[i + 1]?.begin_ns ?? end), step },
    ]);
    const top = corners.map((corner) => `${corner.x.toFixed(1)} ${y(below(corner.step) + parts[part]!.of(corner.step)).toFixed(1)}`);
    const bottom = corners.map((corner) => `${corner.x.toFixed(1)} ${y(below(corner.step)).toFixed(1)}`).reverse();
    return `M${[...top, ...bottom].join("L")}Z`;
}

export function threadColumns(recording: Recording, rows: readonly ThreadRow[]): readonly ColumnOf<ThreadRow>[] {
    const meanActive = recording.active_ns.mean;
    const column = (name: string, title: string, value: (row: ThreadRow) => number, text: (value: number) => string): ColumnOf<ThreadRow> => ({
        name,
        title,
        width: "minmax(78px, 1fr)",
        numeric: true,
        key: value,
        show: (row) => text(value(row)),
    });
    return [
        { name: "thread", width: "54px", numeric: true, rises: true, key: (row) => row.id, show: (row) => countText(row.id) },
        { name: "name", width: "minmax(110px, 1.5fr)", key: (row) => row.name, show: (row) => shortText(row.name) + (!row.counted ? " (not in P)" : row.in_means ? "" : " (in no mean)"), whole: (row) => wholeText(row.name) },
        column("κ", "Events", (row) => row.events, countText),
        column("α", "Active period between two events", (row) => row.alpha_ns, timeText),
        column("β", "Duration of an event", (row) => row.beta_ns, timeText),
        column("γ", "β / α", (row) => (row.alpha_ns > 0 ? row.beta_ns / row.alpha_ns : Infinity), (value) => (Number.isFinite(value) ? threeDigits(value) : "–")),
        column("η", "Share of the time in which it is active", (row) => row.active_ns / recording.time_ns, percentText),
        column("Δ", "Active time over the mean of the threads, less 1", (row) => (meanActive > 0 ? row.active_ns / meanActive - 1 : 0), percentText),
        column("active", "In all", (row) => row.active_ns, timeText),
        column("communicating", "CPU time in events", (row) => row.communicating_ns, timeText),
        column("algorithmic", "Blocked until what it waits for was issued", (row) => row.algorithmic_blocking_ns, timeText),
        column("other blocking", "By locks, input, wake-ups and want of a CPU", (row) => row.other_blocking_ns, timeText),
        column("outside", "Before its begin and after its end", (row) => row.outside_ns, timeText),
        ...(rows.some((row) => row.data_bytes > 0) ? [column("data", "Input and output", (row) => row.data_bytes, bytesText)] : []),
    ];
}

function Threads({ recording, rows }: { readonly recording: Recording; readonly rows: readonly ThreadRow[] }) {
    const columns = useMemo(() => threadColumns(recording, rows), [recording, rows]);
    const [selected, setSelected] = useState<ThreadRow | null>(null);
    return (
        <div class="tuning-table" style={{ height: `${26 + 24 * Math.min(12, rows.length) + 14}px` }}>
            <Table label="Threads" columns={columns} rows={rows} isSelected={(row) => row === selected} choose={setSelected} empty="No threads." />
        </div>
    );
}
