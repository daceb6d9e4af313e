import type { KeyMap } from "./key-map.ts";

/** Hands what is pressed anywhere in the page to the map, unless somebody has used it already. */
export function listenToKeys(keys: KeyMap): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    // A dialog has keys of its own, and hides what these are for.
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
