import type { KeyMap } from "./key-map.ts";

/** Passes each key that is pressed anywhere in the page to the key map, unless another handler has already used it. */
export function listenToKeys(keys: KeyMap): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    // A modal dialog handles its own keys and covers what these keys act on.
    if (document.querySelector("dialog:modal") !== null) return;
    const { key, ctrlKey, altKey, metaKey } = event;
    const used = keys.press({ key, modified: ctrlKey || altKey || metaKey, typing: isField(event.target) });
    if (used) event.preventDefault();
  });
}

const NO_TEXT = new Set([
  "button",
  "checkbox",
  "color",
  "file",
  "image",
  "radio",
  "range",
  "reset",
  "submit",
]);

function isField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NO_TEXT.has(target.type);
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLElement && target.isContentEditable;
}
