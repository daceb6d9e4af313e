import clsx from "clsx";
import { type ReactNode, useState } from "react";
import { FOLDED } from "./value-words.ts";
import { Button } from "../ui/button.tsx";

/** Shorter texts are shown in full. */
const CHARS_MAX = 1_200;

/** Long contents, collapsed to their beginning until the reader expands them. @param chars - Their length. */
export function Folded({ chars, children }: { chars: number; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  if (chars <= CHARS_MAX) return children;
  return (
    <div>
      <div className={clsx(!open && "max-h-65 overflow-hidden mask-b-from-75%")}>{children}</div>
      <Button kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? FOLDED.showLess : FOLDED.showAllCharacters(chars.toLocaleString("en"))}
      </Button>
    </div>
  );
}
