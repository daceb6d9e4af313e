import { useEffect, useRef } from "react";
import { useServices } from "../shell/services.ts";
import { IconButton } from "../ui/button.tsx";
import { useStore } from "../ui/create-store.ts";
import { KeyCaps } from "./key-caps.tsx";
import { KEYS_DIALOG } from "./keys-words.ts";
import styles from "./keys.module.css";

/** Says what every key does on the page as it is now, and switches them off. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { keys } = useServices();
  const bindings = useStore(keys.bindings);
  const use = useStore(keys.use);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className={`dialog ${styles.keysDialog}`}
      aria-labelledby="keys-title"
      onClose={onClose}
    >
      <header>
        <h2 id="keys-title">{KEYS_DIALOG.keyboardShortcuts}</h2>
        <IconButton icon="close" label={KEYS_DIALOG.closeShortcuts} onClick={() => dialog.current?.close()} />
      </header>
      <label className={styles.keysSwitch}>
        <input
          type="checkbox"
          checked={use === "on"}
          onChange={(event) => keys.use.set(event.target.checked ? "on" : "off")}
        />
        {KEYS_DIALOG.enable}
      </label>
      <dl>
        {bindings.map(
          ({ keys: pressed, label }) =>
            pressed !== undefined && (
              <div key={pressed}>
                <dt>
                  <KeyCaps keys={pressed} />
                </dt>
                <dd>{label}</dd>
              </div>
            ),
        )}
      </dl>
      <p>{KEYS_DIALOG.whenOff}</p>
    </dialog>
  );
}
