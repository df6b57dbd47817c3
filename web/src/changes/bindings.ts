// Which threads does a change bind to which CPUs? As `predict --what-if` writes it, "thread:3@1", and as a plan.

export interface Binding {
    readonly thread: string; // a name, a function or a number
    readonly cpu: number;
}

export const mostBindableCpus = 64; // as --what-if takes them

// Changes that a comma joins; one within the name of a function does not end it.
export function changesIn(scenario: string): string[] {
    return scenario.split(/,(?=(?:function|lock|thread|place|io|sleep):|wake-ups=|lwps=)/).filter((change) => change !== "");
}

export function bindingOf(change: string): Binding | null {
    const found = /^thread:([^*]*)@(\d+)$/.exec(change);
    return found ? { thread: found[1]!, cpu: Number(found[2]) } : null;
}

export function bindingsIn(scenario: string): Binding[] {
    return changesIn(scenario).flatMap((change) => bindingOf(change) ?? []);
}

// The change with the thread on this CPU instead; null: wherever it may run.
export function withBinding(scenario: string, thread: string, cpu: number | null): string {
    const others = changesIn(scenario).filter((change) => bindingOf(change)?.thread !== thread);
    return [...others, ...(cpu === null ? [] : [`thread:${thread}@${cpu}`])].join(",");
}

// What `predict --plan` reads, and `run --plan`: docs/formats/plan.md.
export function planFile(scenario: string, file: string): string {
    const entries = bindingsIn(scenario).map(
        ({ thread, cpu }) => `[[thread]]\n${/^\d+$/.test(thread) ? `number = ${thread}` : `name = ${JSON.stringify(thread)}`}\ncpu = ${cpu}\n`,
    );
    return [`# parcast predict ${file} --plan plan.toml`, "version = 1", "", ...entries].join("\n");
}
