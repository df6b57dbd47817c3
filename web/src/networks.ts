// On which networks can messages be replayed? Those that have a name, and values of one's own, as words of a view's address.

export interface NetworkChoice {
    readonly name: string;
    readonly text: string; // its values
    readonly source: string;
    readonly numbers: readonly number[]; // as src/view/message_program.h has them
}

// What an Overview has beside, if it is that of a program that sends messages.
export interface MessagesOverview {
    readonly cpusOfRank: number;
    readonly isSteps: boolean;
    readonly networks: readonly NetworkChoice[]; // that of the command line first
    readonly efficiency: Efficiency | null; // on that network
}

export interface Efficiency {
    readonly parallel: number | null;
    readonly load_balance: number | null;
    readonly serialisation: number | null;
    readonly transfer: number | null;
}

export const givenNetwork = "given";
const own = "own:";

// Where the numbers of a network stand.
export const numberOfNetwork = { kind: 0, latency: 1, overhead: 2, overheadPerByte: 3, gap: 4, gapPerByte: 5, rendezvous: 6, hasNode: 7, nodes: 14 } as const;
const numbers = 15;

// A network that was typed in the page, as the word of a view's address: "own:0,1250,380,0,0,0_25,...".
export function wordOf(network: readonly number[]): string {
    return own + network.map((each) => String(each).replace(".", "_")).join(",");
}

// Null: there is no such network.
export function numbersOf({ networks }: MessagesOverview, word: string): readonly number[] | null {
    const known = networks.find(({ name }) => name === word);
    if (known || !word.startsWith(own)) {
        return known?.numbers ?? null;
    }
    const typed = word.slice(own.length).split(",").map((each) => Number(each.replace("_", ".")));
    return typed.length === numbers && typed.every((each) => Number.isFinite(each) && each >= 0) ? typed : null;
}

export function networkName({ networks }: MessagesOverview, word: string): string {
    if (word === givenNetwork) {
        return "as given";
    }
    return networks.some(({ name }) => name === word) ? word : "own values";
}
