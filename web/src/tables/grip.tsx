// The edge between timeline and tables, to drag or to move with the arrow keys.

const leastHeight = 110;
const heightStep = 32;

export function Grip({ height, setHeight }: { readonly height: number | null; readonly setHeight: (height: number) => void }) {
    const bounded = (wish: number) => Math.round(Math.min(window.innerHeight * 0.75, Math.max(leastHeight, wish)));
    return (
        <div
            class="grip"
            role="separator"
            aria-orientation="horizontal"
            aria-label="Height of the tables"
            aria-valuenow={height ?? 240}
            aria-valuemin={leastHeight}
            aria-valuemax={Math.round(window.innerHeight * 0.75)}
            tabIndex={0}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={(event) => {
                if (event.currentTarget.hasPointerCapture(event.pointerId)) {
                    setHeight(bounded(event.currentTarget.parentElement!.getBoundingClientRect().bottom - event.clientY));
                }
            }}
            onKeyDown={(event) => {
                const by = event.key === "ArrowUp" ? heightStep : event.key === "ArrowDown" ? -heightStep : 0;
                if (by !== 0) {
                    event.preventDefault();
                    event.stopPropagation();
                    setHeight(bounded(event.currentTarget.parentElement!.clientHeight + by));
                }
            }}
        />
    );
}
