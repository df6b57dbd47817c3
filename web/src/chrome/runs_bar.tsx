// What is still being replayed when the page opens, with a button that stops it.

import { counted } from "../format.ts";
import type { Overview } from "../overview.ts";
import type { Command, Progress } from "../source.ts";

interface Props {
    readonly overview: Overview;
    readonly progress: Progress;
    readonly isRecordedShown: boolean;
    readonly which: string; // of two programs; else empty
    readonly command: (command: Command) => void;
}

export function RunsBar({ overview, progress, isRecordedShown, which, command }: Props) {
    if (progress.error !== null) {
        return (
            <p class="failure" role="alert">
                {progress.error}
            </p>
        );
    }
    const { cpus, points, paused, range_replays: ranges } = progress;
    const verb = overview.graph ? "Predicting" : "Replaying";
    const doing = ranges ? "Replaying for the ranges" : onCounts(verb, progress);
    const [done, all] = ranges ? [ranges.begun, ranges.all] : [points.length, cpus.length];
    return (
        <div class="runs-bar" role="status">
            <progress max={Math.max(1, all)} value={done} aria-label={`${verb}: runs made`} />
            <span>
                {which && <b>{which}: </b>}
                {paused ? "Stopped" : doing}: {done} of {counted(all, ranges ? "replay" : "CPU count")} done.
                {isRecordedShown && " Shown below: what was recorded on one CPU."} A count that you choose is replayed first.
            </span>
            <button type="button" class="small" onClick={() => command(paused ? "go_on" : "pause")}>
                {paused ? "Go on" : "Stop"}
            </button>
        </div>
    );
}

function onCounts(verb: string, { running }: Progress): string {
    const counts = [...new Set(running)].sort((a, b) => a - b);
    const last = counts.pop();
    return last === undefined ? verb : `${verb} on ${counts.length > 0 ? `${counts.join(", ")} and ${last}` : last} ${last === 1 && counts.length === 0 ? "CPU" : "CPUs"}`;
}
