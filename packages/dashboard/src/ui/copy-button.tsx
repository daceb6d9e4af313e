import { useEffect, useState } from "react";
import { Icon, type IconName } from "./icons.tsx";
import { COPY_BUTTON, COPY_LINK } from "./ui-words.ts";
import { IconButton } from "./button.tsx";

const CONFIRMED_MS = 1_500;

/** Copies a text; the icon confirms it for a moment. Absent where the browser has no clipboard (plain HTTP). */
export function CopyButton({ text, label, icon = "copy" }: { text: string; label: string; icon?: IconName }) {
  const clipboard = useCopy();
  if (clipboard === undefined) return null;
  const { isCopied, copy } = clipboard;
  return (
    <IconButton
      icon={isCopied ? "check" : icon}
      size={14}
      title={label}
      label={isCopied ? COPY_BUTTON.copied : label}
      onClick={() => copy(text)}
    />
  );
}

type Props = {
  /** The query of the address, on the current page. */
  readonly search: string;
  /** The target of the address: `this step`. */
  readonly to: string;
};

/** Copies the address of a place on this page; where the browser has no clipboard, a link that can be copied by hand. */
export function CopyLink({ search, to }: Props) {
  const href = location.pathname + search;
  if ("clipboard" in navigator) {
    return <CopyButton text={location.origin + href} label={COPY_LINK.copy(to)} icon="link" />;
  }
  return (
    <a className="icon-button" href={href} aria-label={COPY_LINK.linkTo(to)} title={COPY_LINK.linkTo(to)}>
      <Icon name="link" size={14} />
    </a>
  );
}

/**
 * Copies a text, and briefly confirms it.
 *
 * @returns Undefined where the browser has no clipboard (plain HTTP).
 */
export function useCopy(): { readonly isCopied: boolean; readonly copy: (text: string) => void } | undefined {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (!("clipboard" in navigator)) return undefined;
  const copy = (text: string) =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return { isCopied, copy };
}
