import { Icon, type IconName } from "./icons.tsx";
import { useCopy } from "./use-copy.ts";
import { COPY_BUTTON } from "./ui-words.ts";

/** Copies a text; the icon confirms it for a moment. Absent where the browser has no clipboard (plain HTTP). */
export function CopyButton({ text, label, icon = "copy" }: { text: string; label: string; icon?: IconName }) {
  const clipboard = useCopy();
  if (clipboard === undefined) return null;
  const { isCopied, copy } = clipboard;
  return (
    <button
      type="button"
      className="icon-button"
      title={label}
      aria-label={isCopied ? COPY_BUTTON.copied : label}
      onClick={() => copy(text)}
    >
      <Icon name={isCopied ? "check" : icon} size={14} />
    </button>
  );
}
