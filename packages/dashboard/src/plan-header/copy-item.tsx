import { useState } from "react";
import { Icon } from "../ui/icons.tsx";
import { MENU_WORDS } from "./header-words.ts";

/** An item of a menu that copies a text and says so; absent where the browser has no clipboard (plain HTTP). */
export function CopyItem({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [isCopied, setCopied] = useState(false);
  if (!("clipboard" in navigator)) return null;
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <button type="button" onClick={() => void copy()}>
      {label}
      {isCopied && (
        <span role="status">
          <Icon name="check" size={13} /> {MENU_WORDS.copied}
        </span>
      )}
    </button>
  );
}
