import { type KeyboardEvent, type ReactNode, useRef } from "react";
import type { StepView } from "../api/api-types.ts";
import { useKeys } from "../keys/use-keys.ts";
import { IconButton } from "../ui/button.tsx";
import { formatCount } from "../ui/format.ts";
import { lookOf } from "../ui/status-badge.tsx";
import type { StepSearch } from "./use-step-search.ts";
import { STEP_SEARCH_FIELD } from "./plan-words.ts";

export const SEARCH_LINE = "flex flex-wrap items-center gap-x-3 gap-y-1.5 px-3.5 py-2.5 print:hidden";
export const SEARCH_FIELD = "field max-w-105 min-w-0 flex-[1_1_240px]";

/** Moves between matches. */
export type Walk = {
  /** The current match. */
  readonly at: StepView | undefined;
  readonly go: (by: 1 | -1) => void;
};

/** The search for steps. Escape clears it; Enter goes to the next match, Shift+Enter to the previous one. */
export function StepSearchField({
  search,
  walk,
  children,
}: {
  readonly search: StepSearch;
  readonly walk?: Walk;
  /** Further settings, at the end of the row. */
  readonly children?: ReactNode;
}) {
  const field = useRef<HTMLInputElement>(null);
  useKeys([
    {
      keys: "f",
      label: walk === undefined ? STEP_SEARCH_FIELD.findAStep : STEP_SEARCH_FIELD.keysHint,
      run: () => {
        field.current?.focus();
        field.current?.select();
      },
    },
  ]);
  const { text, setText, found, total } = search;
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && text !== "") setText("");
    else if (event.key === "Enter" && walk !== undefined) walk.go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return (
    <search className={SEARCH_LINE}>
      <input
        ref={field}
        className={SEARCH_FIELD}
        type="search"
        aria-label={STEP_SEARCH_FIELD.searchSteps}
        placeholder={STEP_SEARCH_FIELD.placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      {walk !== undefined && found !== undefined && found.length > 0 && (
        <span className="flex">
          <IconButton
            icon="chevron"
            size={14}
            className="-scale-x-100"
            label={STEP_SEARCH_FIELD.previousMatch}
            onClick={() => walk.go(-1)}
          />
          <IconButton
            icon="chevron"
            size={14}
            label={STEP_SEARCH_FIELD.nextMatch}
            onClick={() => walk.go(1)}
          />
        </span>
      )}
      <span role="status">
        {found !== undefined &&
          STEP_SEARCH_FIELD.of(found.length.toLocaleString("en"), formatCount(total, "step"))}
        {walk?.at !== undefined && <At found={found ?? []} step={walk.at} />}
      </span>
      {children}
    </search>
  );
}

function At({ found, step }: { found: readonly StepView[]; step: StepView }) {
  return (
    <>
      {STEP_SEARCH_FIELD.atThe(ordinal(found.indexOf(step) + 1))} <code>{step.id}</code>
      <span className="visually-hidden">
        {" "}
        {step.description}, {lookOf(step.status).label}
      </span>
    </>
  );
}

const ENDINGS: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };
const PLURALS = new Intl.PluralRules("en", { type: "ordinal" });

function ordinal(count: number): string {
  return `${count.toLocaleString("en")}${ENDINGS[PLURALS.select(count)] ?? "th"}`;
}
