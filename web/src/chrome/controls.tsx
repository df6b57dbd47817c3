// What is simulated: the number of CPUs and the scheduler, as far as there is a choice.

import { CountSlider } from "../first_screen/count_slider.tsx";
import { countSteps, type CountSteps } from "../first_screen/count_steps.ts";
import { schedulersOnLwps } from "../generated.ts";
import type { Overview } from "../overview.ts";
import type { Bench } from "../workbench.ts";
import { Choice } from "./choice.tsx";
import { NetworkControls } from "./network_controls.tsx";

export function stepsOf(bench: Bench, scheduler: string): CountSteps {
    const only = bench.overview.messages ? bench.overview.cpus : (bench.offered?.filter((each) => each.scheduler === scheduler).map((each) => each.cpus) ?? null);
    return countSteps(bench.overview.cpus, bench.overview.max_cpus, only);
}

function schedulersOf(bench: Bench): readonly string[] {
    const { schedulers } = bench.overview;
    return bench.offered ? schedulers.filter((name) => bench.offered!.some((each) => each.scheduler === name)) : schedulers;
}

function whyOnlyThese({ capabilities, graph }: Overview): string {
    if (graph) {
        return "A report of a task graph holds only the schedules and CPU counts that were predicted. For others: parcast view GRAPH";
    }
    const why = capabilities.simulate ? "The simulator does not run in this browser" : "This program is too large to replay in a page";
    return `${why}: only what was computed when the report was written can be shown.`;
}

interface ControlsProps {
    readonly label: string;
    readonly bench: Bench;
    readonly cpus: number;
    readonly scheduler: string;
    readonly steps: CountSteps;
    readonly change: (change: { cpus?: number; scheduler?: string }) => void;
    readonly tryChange?: ((scenario: string) => void) | null; // absent or null: changes cannot be replayed
}

// Another number of LWPs is shown below.
function LwpField({ tryChange }: { readonly tryChange: (scenario: string) => void }) {
    return (
        <form
            class="choice-list"
            onSubmit={(event) => {
                event.preventDefault();
                const field = event.currentTarget.elements.namedItem("lwps");
                if (field instanceof HTMLInputElement && field.value !== "") {
                    tryChange(`lwps=${field.value}`);
                }
            }}
        >
            <label>
                LWPs <input type="number" name="lwps" min="1" max="65536" step="1" title="So many LWPs for the threads that are not bound: Enter shows the program with them below" />
            </label>
        </form>
    );
}

export function Controls({ label, bench, cpus, scheduler, steps, change, tryChange }: ControlsProps) {
    const { messages } = bench.overview;
    if (messages) {
        return <NetworkControls label={`Network${label === "CPUs" ? "" : " below"}`} messages={messages} network={scheduler} change={(network) => change({ scheduler: network })} />;
    }
    return (
        <div class="controls">
            <CountSlider label={label} cpus={cpus} steps={steps} choose={(next) => change({ cpus: next })} />
            <Choice label={`${bench.overview.graph ? "Schedule" : "Scheduler"}${label === "CPUs" ? "" : " below"}`} options={schedulersOf(bench)} value={scheduler} choose={(next) => change({ scheduler: next })} />
            {tryChange && (schedulersOnLwps as readonly string[]).includes(scheduler) && <LwpField tryChange={tryChange} />}
            {bench.offered && <span class="offered" title={whyOnlyThese(bench.overview)}>computed counts only</span>}
        </div>
    );
}
