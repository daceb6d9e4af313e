import { Button } from "./button.tsx";
import { PAGER } from "./ui-words.ts";

type Props = {
  /** The name of the list, for screen readers. */
  readonly label: string;
  /** Go to the first, previous, next and last part. */
  readonly words: readonly [first: string, before: string, next: string, last: string];
  readonly at: number;
  readonly parts: number;
  /** The drawn rows, counted from one, in the list's own order. */
  readonly shown: Part;
  readonly rows: number;
  readonly onGo: (part: number) => void;
};

/** Moves between the parts of a long list; renders nothing if there is only one. */
export function Pager({ label, words, at, parts, shown, rows, onGo }: Props) {
  if (parts < 2) return null;
  const targets = [0, at - 1, at + 1, parts - 1];
  return (
    <nav
      className="flex flex-wrap items-center justify-center gap-x-1.5 gap-y-0.5 border-t border-line px-2.5 py-1.5 text-sm text-soft tabular-nums print:hidden"
      aria-label={label}
    >
      {words.slice(0, 2).map((word, index) => (
        <Go key={word} word={word} to={targets[index] ?? 0} isThere={at > 0} onGo={onGo} />
      ))}
      <span role="status">
        {PAGER.of(
          (shown.first + 1).toLocaleString("en"),
          shown.end.toLocaleString("en"),
          rows.toLocaleString("en"),
        )}
      </span>
      {words.slice(2).map((word, index) => (
        <Go key={word} word={word} to={targets[index + 2] ?? 0} isThere={at < parts - 1} onGo={onGo} />
      ))}
    </nav>
  );
}

type GoProps = {
  readonly word: string;
  readonly to: number;
  readonly isThere: boolean;
  readonly onGo: (part: number) => void;
};

/** It keeps the focus when it is disabled. */
function Go({ word, to, isThere, onGo }: GoProps) {
  return (
    <Button
      kind="quiet"
      className="aria-disabled:cursor-default aria-disabled:text-faint"
      aria-disabled={!isThere}
      onClick={() => isThere && onGo(to)}
    >
      {word}
    </Button>
  );
}

/** The parts of a long list that are drawn one at a time. */
type Part = {
  /** Rows from `first` to before `end`. */
  readonly first: number;
  readonly end: number;
};

/**
 * Parts of `size` rows; the last one also takes the remainder, so that it never has just a few rows, and the parts before
 * it stay the same while the list grows.
 *
 * @returns At least one part, which is empty when there are no rows.
 */
export function partsOf(rows: number, size: number): readonly Part[] {
  const parts = Math.max(1, Math.floor(rows / size));
  return Array.from({ length: parts }, (_, index) => ({
    first: index * size,
    end: index === parts - 1 ? rows : (index + 1) * size,
  }));
}

/** The index of the part that contains a row; 0 when there is no such row. */
export function partWith(row: number, parts: readonly Part[]): number {
  return Math.max(
    0,
    parts.findIndex(({ first, end }) => row >= first && row < end),
  );
}
