// One small bar of the states in a row.

import { stateVariables } from "../theme/palette.ts";

interface Props {
    readonly states: readonly number[]; // ns, in the order of ThreadState
    readonly rest?: number; // ns in none of them
}

export function StateBar({ states, rest = 0 }: Props) {
    return (
        <span class="state-bar" aria-hidden="true">
            {states.map((time, state) => time > 0 && <i key={state} class={`fill-${stateVariables[state]}`} style={{ flexGrow: time }} />)}
            {rest > 0 && <i class="fill-idle" style={{ flexGrow: rest }} />}
        </span>
    );
}
