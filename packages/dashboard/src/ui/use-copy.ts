import { useEffect, useState } from "react";

const CONFIRMED_MS = 1_500;

/**
 * Copies a text, and says for a moment that it was.
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
