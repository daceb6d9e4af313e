import { useEffect, useRef } from "react";
import { PALETTE } from "./palette-words.ts";
import styles from "./palette-button.module.css";

type Props = {
  readonly onType: (text: string) => void;
  readonly onClose: () => void;
};

/** The palette's field while the palette loads: what is typed meanwhile must neither be lost nor press keys of the page. */
export function PaletteWaiting({ onType, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className={styles.paletteWaiting} aria-label={PALETTE.name} onClose={onClose}>
      <input
        type="text"
        className="field"
        aria-label={PALETTE.field}
        placeholder={PALETTE.field}
        autoFocus
        onChange={({ target }) => onType(target.value)}
      />
    </dialog>
  );
}
