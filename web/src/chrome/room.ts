// Is there room for the answers? Lanes need a height below which they show nothing; where they would not get it, the
// overview is one line for each execution, until somebody asks for all of it.

export interface Window {
    readonly width: number; // px
    readonly height: number;
}

export interface Wishes {
    readonly timelines: 1 | 2;
    readonly tablesOpen: boolean;
}

const leastTimeline = 280; // px: the parallelism and eight lanes
// Heights that the style sheets give, px.
const header = 52;
const wrappedHeader = 90;
const secondHeader = 46;
const answers = 290;
const tabs = 33;
// Where the page itself scrolls, and where the header takes two lines: src/theme/windows.css.
const scrollsTo: Window = { width: 920, height: 640 };
const wrapsTo = 1180;

export function hasRoomForAnswers({ width, height }: Window, { timelines, tablesOpen }: Wishes): boolean {
    if (width <= scrollsTo.width || height <= scrollsTo.height) {
        return true; // for everything
    }
    const tables = tablesOpen ? Math.min(340, Math.max(150, 0.3 * height - 56)) : tabs;
    const top = (width <= wrapsTo ? wrappedHeader : header) + (timelines === 2 ? secondHeader : 0);
    return height - top - answers - tables >= timelines * leastTimeline;
}
