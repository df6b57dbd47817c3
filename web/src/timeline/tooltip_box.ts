// Where does the tooltip stand? Beside the pointer, within the stage.

export interface Position {
    readonly x: number; // px from the left upper corner of the stage
    readonly y: number;
}

// Shows these lines there.
export function fillTooltip(tooltip: HTMLElement, stage: HTMLElement, position: Position, lines: readonly string[]): void {
    tooltip.hidden = false; // what is hidden has no size
    tooltip.replaceChildren(
        ...lines.map((line, i) => {
            const element = document.createElement(i === 0 ? "b" : "span");
            element.textContent = line;
            return element;
        }),
    );
    const { offsetWidth, offsetHeight } = tooltip;
    const isRight = position.x + 14 + offsetWidth < stage.clientWidth;
    const isBelow = position.y + 18 + offsetHeight < stage.clientHeight;
    tooltip.style.left = `${Math.max(2, isRight ? position.x + 14 : position.x - 10 - offsetWidth)}px`;
    tooltip.style.top = `${Math.max(2, isBelow ? position.y + 18 : position.y - 10 - offsetHeight)}px`;
}
