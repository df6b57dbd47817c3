// The answers where there is no room for them: a line for each execution, and what limits the upper one.

import { percentText, shortText, speedUpText, timeText } from "../format.ts";
import { labelOf } from "../first_screen/overview_section.tsx";
import { RunBar } from "../first_screen/run_bar.tsx";
import { lanesText } from "../overview.ts";
import { verdict } from "../sentences.ts";
import type { Store } from "../state.ts";
import type { Bench, Workbench } from "../workbench.ts";
import { isOld, type Shown } from "../wished_execution.ts";

interface Place {
    readonly shown: Shown;
    readonly bench: Bench;
    readonly store: Store;
}

interface Props {
    readonly workbench: Workbench;
    readonly places: readonly Place[];
    readonly showAll: () => void;
    readonly difference: string | null; // its first sentence, where two programs are compared
}

export function Brief({ workbench, places, showAll, difference }: Props) {
    const [upper] = places;
    const execution = upper?.shown.execution;
    if (!upper || !execution) {
        return null;
    }
    const { overview } = upper.bench;
    const warnings = overview.prediction.findings.filter((finding) => finding.severity === "warning").length;
    const lead = difference ?? verdict(execution, overview).limits?.text ?? "";
    return (
        <section class={isOld(upper.shown) ? "overview brief stale" : "overview brief"} aria-label="Overview" aria-busy={upper.shown.pending}>
            <div class={places.length > 1 ? "brief-runs two" : "brief-runs"}>
                {places.map((place, i) => (
                    <Run key={i} workbench={workbench} place={place} isCompared={places.length > 1} />
                ))}
            </div>
            <p class={execution.totals.deadlocked ? "brief-lead warned" : "brief-lead"} title={lead}>
                {shortText(lead, 200)}
            </p>
            <button type="button" class="quiet fold" title="Chart and answers  (O)" aria-expanded={false} onClick={showAll}>
                {warnings > 0 && <span class="warned">{warnings === 1 ? "1 warning" : `${warnings} warnings`} · </span>}
                More
            </button>
        </section>
    );
}

function Run({ workbench, place, isCompared }: { readonly workbench: Workbench; readonly place: Place; readonly isCompared: boolean }) {
    const { shown, bench, store } = place;
    if (!shown.execution) {
        return null;
    }
    const { cpus, completion, deadlocked } = shown.execution.totals;
    const speedUp = workbench.speedUpOf(shown);
    return (
        <>
            {isCompared && <span class="bar-label" title={labelOf(bench, shown)}>{labelOf(bench, shown, 22)}</span>}
            {!deadlocked && (
                <span class="figures">
                    <span>
                        <b>{timeText(completion)}</b>
                        {!isCompared && ` on ${lanesText(bench.overview, cpus)}`}
                    </span>
                    {speedUp !== null && (
                        <>
                            <span>
                                <b>{speedUpText(speedUp)}×</b>
                            </span>
                            <span>
                                <b>{percentText(speedUp / cpus)}</b>
                            </span>
                        </>
                    )}
                </span>
            )}
            <RunBar execution={shown.execution} overview={bench.overview} store={store} asTable={false} label="" />
        </>
    );
}
