// What to change first, and what would it bring? The fourth answer: found by replays while the page has nothing to do.

import { timeText } from "../format.ts";
import type { Store } from "../state.ts";
import { freeWakeUps, half, mostSuggested, type Workbench } from "../workbench.ts";
import type { Shown } from "../wished_execution.ts";
import { freeWakeUpsText, gainText, halvedText, timesText, worthIt } from "./wording.ts";

interface Props {
    readonly workbench: Workbench;
    readonly shown: Shown; // above
    readonly store: Store;
}

export function WouldBring({ workbench, shown, store }: Props) {
    const { execution, side, scheduler } = shown;
    const weights = workbench.weightsOf(side);
    if (!workbench.advises(side) || !execution || execution.totals.deadlocked) {
        return null;
    }
    const { cpus, completion } = execution.totals;
    const sentences = workbench.adviceOf(scheduler);
    const sentence = sentences.find(({ lastCpus }) => cpus <= lastCpus) ?? sentences[sentences.length - 1];
    const suggested = weights?.counts.includes(cpus) ? weights.leaders(cpus, mostSuggested) : null;
    const changes = suggested?.map((owner) => ({ scenario: owner.change + half, text: halvedText(owner, workbench.bench(side).overview) }));
    const tried = changes && [...changes, { scenario: freeWakeUps, text: freeWakeUpsText }].map((each) => ({ ...each, time: workbench.timeWith(each.scenario, cpus, scheduler) }));
    const isPending = !tried || tried.some(({ scenario, time }) => time === undefined && !workbench.isUntried(scenario, cpus, scheduler));
    const worth = tried?.filter(({ time }) => time != null && 1 - time / completion >= worthIt).sort((a, b) => a.time! - b.time!) ?? [];
    return (
        <>
            {sentence && (
                <>
                    <dt>What to change</dt>
                    <dd class="advice">
                        {sentence.text}{" "}
                        <button type="button" class="link" onClick={() => store.set({ panel: "change" })}>
                            More
                        </button>
                    </dd>
                </>
            )}
            <dt>What it would bring</dt>
            <dd class="would-bring" aria-busy={isPending}>
                {worth.map(({ scenario, text, time }) => (
                    <span key={scenario} class="brings">
                        {text}:{" "}
                        <b title={`${timeText(completion)} now`}>{timesText(completion, time!)}</b> ({gainText(completion, time!)}){" "}
                        <button type="button" class="small" aria-label={`Try: ${text}`} onClick={() => workbench.tryChange(scenario)}>
                            Try
                        </button>
                    </span>
                ))}
                {isPending ? <span class="zero">Trying changes …</span> : worth.length === 0 && "Half of any function or of the work under any lock, or free wake-ups, bring less than 2 % here."}
            </dd>
        </>
    );
}
