// What a chart over numbers of threads, or over a parameter, is made of (series_chart.tsx draws it).

export type Values = readonly (number | null)[]; // by place along the axis; null: there is none

export interface Line {
    readonly name: string;
    readonly colour: number; // one of the curves' (palette.ts), and its sign
    readonly style: "signs" | "solid" | "dashed";
    readonly values: Values;
}

export interface Band {
    readonly name: string;
    readonly colour: number;
    readonly style: "area" | "edges";
    readonly low: Values;
    readonly high: Values;
}

// Along which values lie that are no numbers of threads.
export interface Axis {
    readonly name: string;
    readonly isLogarithmic: boolean;
    readonly text: (value: number) => string;
    readonly mark: number; // where the reader is
}

export interface Chart {
    readonly title: string;
    readonly threads: readonly number[]; // rise; or values of the axis
    readonly axis?: Axis;
    readonly lines: readonly Line[];
    readonly bands: readonly Band[];
    readonly text: (value: number) => string;
}
