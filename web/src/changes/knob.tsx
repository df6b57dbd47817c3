// What if? Less of one piece of work, tried with a click; the change can then be edited beside the scheduler.

import { useState } from "preact/hooks";
import { shortText } from "../format.ts";

interface KnobProps {
    readonly change: string; // how it begins: "lock:table"
    readonly about: string; // what becomes less
    readonly isLock?: boolean;
    readonly tryChange: (scenario: string) => void;
}

const factors: readonly [suffix: string, text: string][] = [
    ["*0.9", "10 % less"],
    ["*0.5", "half"],
    ["*0", "none"],
];
const ofLocks: readonly [suffix: string, text: string][] = [
    ["/8", "8 locks"],
    ["=free", "no lock"],
];

export function Knob({ change, about, isLock, tryChange }: KnobProps) {
    return (
        <div class="knob" role="group" aria-label={`What if: ${about}`}>
            <span>What if: {shortText(about, 60)}</span>
            {[...factors, ...(isLock ? ofLocks : [])].map(([suffix, text]) => (
                <button key={suffix} type="button" class="small" title={`${change}${suffix}`} onClick={() => tryChange(change + suffix)}>
                    {text}
                </button>
            ))}
        </div>
    );
}

interface FieldProps {
    readonly label: string;
    readonly scenario: string; // at first
    readonly tryChange: (scenario: string) => void;
}

// A change as `predict --what-if` takes it.
export function ScenarioField({ label, scenario, tryChange }: FieldProps) {
    const [text, setText] = useState(scenario);
    const [shown, setShown] = useState(scenario);
    if (shown !== scenario) {
        setShown(scenario);
        setText(scenario);
    }
    return (
        <form
            class="scenario-field"
            onSubmit={(event) => {
                event.preventDefault();
                if (text.trim() !== "") {
                    tryChange(text.trim());
                }
            }}
        >
            <input
                type="text"
                aria-label={label}
                title="Changes as predict --what-if takes them: function:NAME*0.5, lock:NAME*0.5, lock:NAME/8, lock:NAME=free, thread:NAME*0.5, thread:NAME@CPU, place:FILE:LINE*0.5, io:*0.1, sleep:*0, wake-ups=free. A comma joins them"
                placeholder="function:NAME*0.5, lock:NAME/8"
                spellcheck={false}
                maxLength={2000}
                size={Math.min(60, Math.max(24, text.length + 1))}
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
            />
            <button type="submit" class="small">
                Try
            </button>
        </form>
    );
}
