import clsx from "clsx";
import { useEffect, useRef, useState } from "react";
import { Icon } from "../ui/icons.tsx";
import type { ListFilter } from "./list-filter.ts";
import { setFilter } from "./use-list-filter.ts";
import { SEARCH_FIELD } from "./plans-words.ts";

const SEARCH_DELAY_MS = 250;

type Props = {
  readonly filter: ListFilter;
  /** A selector for the row that the arrow key leads to. */
  readonly firstRow: string;
  readonly className: string;
};

/** Searches the plans of the list, shortly after the last keystroke. */
export function SearchField({ filter, firstRow, className }: Props) {
  const [text, setText] = useState(filter.q ?? "");
  const said = useRef(filter.q ?? "");
  // Choosing a view or going back in history also changes the search.
  useEffect(() => {
    const q = filter.q ?? "";
    if (q === said.current) return;
    said.current = q;
    setText(q);
  }, [filter.q]);
  useEffect(() => {
    const q = text.trim();
    if (q === said.current) return;
    const timer = setTimeout(() => {
      said.current = q;
      setFilter({ ...filter, q });
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, filter]);
  return (
    <label className={clsx("relative", className)} data-part="rail-search">
      <span className="visually-hidden">{SEARCH_FIELD.searchPlans}</span>
      <Icon
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto text-faint"
        name="search"
        size={15}
      />
      <input
        id="plan-search"
        className="field pl-8"
        type="search"
        placeholder={SEARCH_FIELD.searchPlans}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          document.querySelector<HTMLElement>(firstRow)?.focus();
        }}
      />
    </label>
  );
}
