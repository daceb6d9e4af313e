/** The button and the key that open the palette. The palette itself loads when first opened. */
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useKeys } from "../keys/use-keys.ts";
import { Icon } from "../ui/icons.tsx";
import { useSameFunction } from "../ui/use-stable.ts";
import { PALETTE } from "./palette-words.ts";

const PaletteDialog = lazy(async () => ({ default: (await import("./palette-dialog.tsx")).PaletteDialog }));

const isApple = /mac|iphone|ipad/i.test(navigator.platform);
const command = `${PALETTE.name} ${PALETTE.buttonRest}`;
const SHORTCUT = isApple ? "⌘K" : "Ctrl+K";

/** The bar stays in one row: this button's texts are hidden first, then the pages scroll. Hidden texts still name the button. */
export function PaletteButton() {
  const [open, setOpen] = useState(false);
  const typed = useRef("");
  const type = (text: string) => {
    typed.current = text;
  };
  const before = useRef<Element>(null);
  const show = () => {
    before.current = document.activeElement;
    setOpen(true);
  };
  const close = () => {
    typed.current = "";
    setOpen(false);
    // The browser restores the focus itself, unless the palette had to be loaded first.
    const active = document.activeElement;
    const isLost = active === null || active === document.body || active.closest("dialog") !== null;
    if (isLost && before.current instanceof HTMLElement) before.current.focus();
  };
  useKeys([{ keys: SHORTCUT, label: command, group: "everywhere" }]);
  const toggle = useSameFunction(() => {
    // Another dialog needs an answer first.
    if (!open && document.querySelector("dialog:modal") !== null) return false;
    if (open) close();
    else show();
    return true;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      // On Apple's systems Ctrl+K deletes the rest of a line.
      const isModified = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
      if (!isModified || altKey || shiftKey || key.toLowerCase() !== "k") return;
      if (toggle()) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [toggle]);
  return (
    <>
      <button
        type="button"
        className="inline-flex min-h-8 flex-none items-center gap-2 rounded-md border border-line bg-sunken px-2.5 py-0.5 text-sm text-soft hover:border-line-strong hover:text-ink max-2xl:size-8 max-2xl:justify-center max-2xl:border-transparent max-2xl:bg-transparent max-2xl:p-0"
        aria-haspopup="dialog"
        title={`${command} (${SHORTCUT})`}
        onClick={show}
      >
        <Icon name="search" size={15} />
        <span className="max-2xl:sr-only">{PALETTE.name}</span>
        <span className="visually-hidden">{PALETTE.buttonRest}</span>
        <kbd className="font-mono text-2xs max-2xl:hidden" aria-hidden="true">
          {SHORTCUT}
        </kbd>
      </button>
      {open && (
        <Suspense fallback={<PaletteWaiting onType={type} onClose={close} />}>
          <PaletteDialog typed={() => typed.current} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

type Props = {
  readonly onType: (text: string) => void;
  readonly onClose: () => void;
};

/** The palette's field while the palette loads: typed text must neither be lost nor trigger the page's keys. */
function PaletteWaiting({ onType, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog mt-[12vh] w-[min(640px,calc(100vw-24px))] p-2.5"
      aria-label={PALETTE.name}
      onClose={onClose}
    >
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
