// The edge between the timeline and the details with their source, to drag or to move with the arrow keys.

const usual = 300; // px, in a large window
const least = 240;
const step = 32;

interface Props {
    readonly width: number | null; // null: the usual one
    readonly setWidth: (width: number) => void;
}

export function SideGrip({ width, setWidth }: Props) {
    const most = Math.round(window.innerWidth * 0.6);
    const bounded = (wish: number) => Math.round(Math.min(most, Math.max(least, wish)));
    return (
        <div
            class="side-grip"
            role="separator"
            aria-orientation="vertical"
            aria-label="Width of the details"
            aria-valuenow={width ?? usual}
            aria-valuemin={least}
            aria-valuemax={most}
            tabIndex={0}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={(event) => {
                if (event.currentTarget.hasPointerCapture(event.pointerId)) {
                    setWidth(bounded(event.currentTarget.parentElement!.getBoundingClientRect().right - event.clientX));
                }
            }}
            onKeyDown={(event) => {
                const by = event.key === "ArrowLeft" ? step : event.key === "ArrowRight" ? -step : 0;
                if (by !== 0) {
                    event.preventDefault();
                    event.stopPropagation();
                    setWidth(bounded(event.currentTarget.parentElement!.clientWidth + by));
                }
            }}
        />
    );
}
