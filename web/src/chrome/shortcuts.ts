// Which keys do what? Said by the help, and the keys of the page itself acted upon here; those of the timeline
// act in src/timeline/keys.ts.

export interface Shortcut {
    readonly keys: readonly string[];
    readonly does: string;
}

export const shortcuts: readonly { readonly group: string; readonly keys: readonly Shortcut[] }[] = [
    {
        group: "Timeline",
        keys: [
            { keys: ["W", "S"], does: "zoom in, zoom out" },
            { keys: ["A", "D"], does: "to the left, to the right" },
            { keys: ["F", "Enter"], does: "zoom to what was selected or marked last" },
            { keys: ["0", "Home"], does: "the whole run" },
            { keys: ["U", "Backspace"], does: "back to the previous zoom" },
            { keys: ["Shift U"], does: "forward again" },
            { keys: ["M"], does: "set a cursor to measure from, then one to measure to" },
            { keys: ["Tab", "←", "→"], does: "move a cursor that has the focus (or drag it); Delete removes it" },
            { keys: ["←", "→", "↑", "↓"], does: "select the next interval or lane" },
            { keys: ["G"], does: "one lane for all threads that are alike, or one for each" },
            { keys: ["E"], does: "unfold or fold the group of the lane" },
            { keys: ["P", "X"], does: "pin the lane on top, hide it" },
            { keys: ["Shift X"], does: "show hidden lanes" },
            { keys: ["Shift ↑", "Shift ↓"], does: "move the lane" },
            { keys: ["I"], does: "hide lanes without activity in view" },
            { keys: ["C"], does: "lanes by thread or by CPU" },
            { keys: ["Page Up", "Page Down"], does: "scroll the lanes" },
        ],
    },
    {
        group: "Stepping and search",
        keys: [
            { keys: ["[", "]"], does: "previous, next event of this thread" },
            { keys: ["{", "}"], does: "previous, next event on this object" },
            { keys: [",", "."], does: "previous, next event of this kind, of any thread" },
            { keys: ["(", ")"], does: "previous, next event at this place, of any thread" },
            { keys: ["J", "K"], does: "along the arrows: to who released this thread, to whom it releases" },
            { keys: ["Shift J", "Shift K"], does: "back and on along the critical path" },
            { keys: ["/"], does: "search" },
            { keys: ["n", "N"], does: "next hit, previous hit" },
        ],
    },
    {
        group: "Run",
        keys: [
            { keys: ["<", ">"], does: "one CPU fewer, one more" },
            { keys: ["Page Up", "Page Down"], does: "on the slider: to the next marked count" },
            { keys: ["T"], does: "charts as tables" },
            { keys: ["O"], does: "all answers, or one line" },
            { keys: ["Esc"], does: "nothing selected" },
            { keys: ["?"], does: "this help" },
        ],
    },
];

// Keys that are typed into a field are not shortcuts.
export function isTyping(target: EventTarget | null): boolean {
    return (
        target instanceof HTMLTextAreaElement ||
        target instanceof HTMLSelectElement ||
        (target instanceof HTMLInputElement && target.type !== "radio" && target.type !== "checkbox")
    );
}
