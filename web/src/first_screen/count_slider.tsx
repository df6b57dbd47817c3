// On how many CPUs? A slider on which the predicted counts are marked, and a field to type in.

import { useRef, useState } from "preact/hooks";
import { counted } from "../format.ts";
import { labelledCounts, typedCount, type CountSteps } from "./count_steps.ts";

interface Props {
    readonly label: string;
    readonly cpus: number;
    readonly steps: CountSteps;
    readonly choose: (cpus: number) => void;
}

const noteTime = 4000; // ms: for which a note stays once the field is left
const labelGap = 0.1;

export function CountSlider({ label, cpus, steps, choose }: Props) {
    const track = useRef<HTMLDivElement>(null);
    const [typed, setTyped] = useState<string | null>(null); // not yet chosen: an answer that arrives leaves it alone
    const [note, setNote] = useState<string | null>(null); // about what was typed last
    const drag = (event: PointerEvent) => {
        const box = track.current!.getBoundingClientRect();
        choose(steps.nearest((event.clientX - box.left) / box.width));
    };
    const position = `${100 * steps.at(Math.min(cpus, steps.last))}%`;
    return (
        <div class="count">
            <label class="count-field">
                <span>{label}</span>
                <input
                    type="number"
                    min={1}
                    max={steps.most}
                    value={typed ?? cpus}
                    aria-label={`${label}, number`}
                    onInput={(event) => {
                        setTyped(event.currentTarget.value);
                        setNote(null);
                    }}
                    onChange={(event) => {
                        const { cpus: wish, note: about } = typedCount(event.currentTarget.value, steps);
                        if (wish !== null) {
                            choose(wish);
                        }
                        setNote(about);
                        setTyped(null);
                    }}
                    onBlur={() => setTimeout(() => setNote(null), noteTime)}
                />
                <span class="count-note" role="status">
                    {note}
                </span>
            </label>
            <div
                class="slider"
                role="slider"
                tabIndex={0}
                aria-label={label}
                aria-valuemin={1}
                aria-valuemax={Math.max(steps.last, cpus)}
                aria-valuenow={cpus}
                aria-valuetext={counted(cpus, "CPU")}
                onKeyDown={(event) => {
                    const next = keyed(event.key, cpus, steps);
                    if (next !== null && !event.ctrlKey && !event.metaKey && !event.altKey) {
                        event.preventDefault();
                        event.stopPropagation();
                        choose(next);
                    }
                }}
                onPointerDown={(event) => {
                    if (event.button === 0) {
                        event.currentTarget.setPointerCapture(event.pointerId);
                        drag(event);
                    }
                }}
                onPointerMove={(event) => {
                    if (event.currentTarget.hasPointerCapture(event.pointerId)) {
                        drag(event);
                    }
                }}
            >
                <div class="slider-track" ref={track}>
                    <span class="slider-done" style={{ width: position }} />
                    {steps.marked.map((each) => (
                        <span key={each} class={each <= cpus ? "slider-mark passed" : "slider-mark"} style={{ left: `${100 * steps.at(each)}%` }} />
                    ))}
                    <span class="slider-thumb" style={{ left: position }} />
                </div>
                <div class="slider-labels" aria-hidden="true">
                    {labelledCounts(steps, labelGap).map((each) => (
                        <span key={each} class={each === cpus ? "chosen" : ""} style={{ left: `${100 * steps.at(each)}%` }}>
                            {each}
                        </span>
                    ))}
                </div>
            </div>
        </div>
    );
}

function keyed(key: string, cpus: number, steps: CountSteps): number | null {
    switch (key) {
        case "ArrowRight":
        case "ArrowUp":
            return steps.next(cpus, 1);
        case "ArrowLeft":
        case "ArrowDown":
            return steps.next(cpus, -1);
        case "PageUp":
            return steps.nextMarked(cpus, 1);
        case "PageDown":
            return steps.nextMarked(cpus, -1);
        case "Home":
            return steps.next(1, 0);
        case "End":
            return steps.last;
        default:
            return null;
    }
}
