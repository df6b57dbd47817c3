// Which keys are there? A dialog.

import { useEffect, useRef } from "preact/hooks";
import { shortcuts } from "./shortcuts.ts";

export function Help({ close, version }: { readonly close: () => void; readonly version: string }) {
    const dialog = useRef<HTMLDialogElement>(null);
    useEffect(() => dialog.current?.showModal(), []);
    return (
        <dialog class="help" ref={dialog} aria-labelledby="help-title" onClose={close} onClick={(event) => event.target === dialog.current && close()}>
            <div class="help-body">
                <div class="details-head">
                    <h2 id="help-title">Keys</h2>
                    <button type="button" class="quiet" aria-label="Close" onClick={close}>
                        ✕
                    </button>
                </div>
                <div class="help-groups">
                    {shortcuts.map(({ group, keys }) => (
                        <section key={group}>
                            <h3>{group}</h3>
                            <dl>
                                {keys.map((shortcut) => (
                                    <div key={shortcut.does}>
                                        <dt>
                                            {shortcut.keys.map((key) => (
                                                <kbd key={key}>{key}</kbd>
                                            ))}
                                        </dt>
                                        <dd>{shortcut.does}</dd>
                                    </div>
                                ))}
                            </dl>
                        </section>
                    ))}
                </div>
                <p class="aside">The wheel zooms at the pointer, with Shift it moves, with Alt or over the names it scrolls the lanes. Drag the lanes to move, the axis or the parallelism to mark an interval (with Shift: anywhere), a name to put its lane elsewhere. The address holds what is shown: copy it as a link. parcast {version}.</p>
            </div>
        </dialog>
    );
}
