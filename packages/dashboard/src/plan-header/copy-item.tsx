import { Icon } from "../ui/icons.tsx";
import { useCopy } from "../ui/use-copy.ts";
import { MENU_WORDS } from "./header-words.ts";

/** An item of a menu that copies a text and says so; absent where the browser has no clipboard (plain HTTP). */
export function CopyItem({ label, text }: { readonly label: string; readonly text: () => string }) {
  const clipboard = useCopy();
  if (clipboard === undefined) return null;
  const { isCopied, copy } = clipboard;
  return (
    <button type="button" onClick={() => copy(text())}>
      {label}
      {isCopied && (
        <span role="status">
          <Icon name="check" size={13} /> {MENU_WORDS.copied}
        </span>
      )}
    </button>
  );
}
