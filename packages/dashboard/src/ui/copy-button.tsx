import { useEffect, useState } from "react";
import { Icon, type IconName } from "./icons.tsx";

const CONFIRMED_MS = 1_500;

/** Copies a text; the icon confirms it for a moment. Absent where the browser has no clipboard (plain HTTP). */
export function CopyButton({ text, label, icon = "copy" }: { text: string; label: string; icon?: IconName }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  if (!("clipboard" in navigator)) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <button
      type="button"
      className="icon-button"
      title={label}
      aria-label={copied ? "Copied" : label}
      onClick={() => void copy()}
    >
      <Icon name={copied ? "check" : icon} size={14} />
    </button>
  );
}
