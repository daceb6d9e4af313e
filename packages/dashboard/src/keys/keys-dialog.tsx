import { useEffect, useRef } from "react";
import { useServices } from "../shell/services.ts";
import { IconButton } from "../ui/button.tsx";
import { useStore } from "../ui/create-store.ts";
import { KeyCaps } from "./key-caps.tsx";
import { KEYS_DIALOG } from "./keys-words.ts";

/** Lists the keys that work on the page right now, and switches them off. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { keys } = useServices();
  const bindings = useStore(keys.bindings);
  const use = useStore(keys.use);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="dialog max-h-[calc(100dvh-48px)] w-[min(520px,calc(100vw-24px))]"
      aria-labelledby="keys-title"
      onClose={onClose}
    >
      <header className="flex items-center justify-between">
        <h2 id="keys-title" className="text-lg">
          {KEYS_DIALOG.keyboardShortcuts}
        </h2>
        <IconButton icon="close" label={KEYS_DIALOG.closeShortcuts} onClick={() => dialog.current?.close()} />
      </header>
      <label className="flex min-h-8 items-center gap-2">
        <input
          type="checkbox"
          checked={use === "on"}
          onChange={(event) => keys.use.set(event.target.checked ? "on" : "off")}
        />
        {KEYS_DIALOG.enable}
      </label>
      <dl className="mt-2.5 mb-3.5 grid grid-cols-[minmax(64px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {bindings.map(
          ({ keys: pressed, label }) =>
            pressed !== undefined && (
              <div key={pressed} className="contents">
                <dt>
                  <KeyCaps keys={pressed} />
                </dt>
                <dd>{label}</dd>
              </div>
            ),
        )}
      </dl>
      <p className="text-sm text-soft">{KEYS_DIALOG.whenOff}</p>
    </dialog>
  );
}
