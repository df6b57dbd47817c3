// On which CPU should this thread run, and no other? Tried with a click, beside the other changes below.

import { countText } from "../format.ts";
import { bindingsIn, mostBindableCpus, withBinding } from "./bindings.ts";

interface Props {
    readonly thread: number;
    readonly cpus: number; // of the execution
    readonly scenario: string; // the change that is shown below; empty: none
    readonly tryChange: (scenario: string) => void;
    readonly drop: () => void; // the change, when nothing is left of it
}

const most = 16; // buttons in a row; beyond them a number is typed

export function BindControl({ thread, cpus, scenario, tryChange, drop }: Props) {
    const name = String(thread);
    const bound = bindingsIn(scenario).find((each) => each.thread === name)?.cpu ?? null;
    const choose = (cpu: number | null) => {
        const next = withBinding(scenario, name, cpu);
        next === "" ? drop() : tryChange(next);
    };
    const last = Math.min(cpus, mostBindableCpus) - 1;
    return (
        <div class="knob" role="group" aria-label="Bind this thread to a CPU">
            <span>Bind it to CPU</span>
            {last < most ? (
                Array.from({ length: last + 1 }, (_, cpu) => (
                    <button key={cpu} type="button" class="small" aria-pressed={cpu === bound} title={`thread:${thread}@${cpu}`} onClick={() => choose(cpu)}>
                        {cpu}
                    </button>
                ))
            ) : (
                <input
                    type="number"
                    min="0"
                    max={last}
                    aria-label={`A CPU from 0 to ${countText(last)}`}
                    value={bound ?? ""}
                    onChange={({ currentTarget: { value, validity } }) => validity.valid && choose(value === "" ? null : Number(value))}
                />
            )}
            {bound !== null && (
                <button type="button" class="small" onClick={() => choose(null)}>
                    any
                </button>
            )}
        </div>
    );
}
