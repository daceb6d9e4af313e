/** The palette: a field that searches plans, actions, pages and docs, and the list of results. */
import { type KeyboardEvent, type Ref, useEffect, useId, useMemo, useRef, useState } from "react";
import { DOCS_PAGES } from "virtual:docs-pages";
import type { PlanSummary } from "../api/api-types.ts";
import { navigate } from "../router/use-route.ts";
import { KeyCaps } from "../keys/key-caps.tsx";
import { useServices } from "../shell/services.ts";
import { IconButton } from "../ui/button.tsx";
import { useStore } from "../ui/create-store.ts";
import { Icon } from "../ui/icons.tsx";
import { EntryOptions, WITH_KEYS } from "./entry-options.tsx";
import { actionsOf, type Entry, listEntries, planEntry } from "./entry.ts";
import { PALETTE, resultsText } from "./palette-words.ts";

/** Delay after the last keystroke. */
const SEARCH_DELAY_MS = 200;
const FOUND_MAX = 8;

const DOCS: readonly Entry[] = DOCS_PAGES.map(({ title, section, href }) => ({
  id: `docs ${href}`,
  title,
  about: section,
  group: "docs",
  href,
  external: true,
}));

type Props = {
  /** The text typed while the palette loaded. */
  readonly typed: () => string;
  readonly onClose: () => void;
};

export function PaletteDialog({ typed, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const idOf = (entry: Entry) => `${listId}-${entry.id.replaceAll(/[^\w-]/g, "_")}`;
  useEffect(() => {
    dialog.current?.showModal();
    field.current?.focus();
  }, []);
  const choose = (entry: Entry, inNewTab: boolean) => {
    if (inNewTab && entry.href !== undefined) return void open(entry.href, "_blank", "noopener");
    // First: while the dialog is open, nothing else can have the focus.
    dialog.current?.close();
    follow(entry);
  };
  const { query, search, found, lists, active, onKeyDown } = usePalette(typed, choose);
  const count = lists.reduce((sum, { entries }) => sum + entries.length, 0);
  const activeId = active && idOf(active);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  const isSearching = found.phase === "searching";
  return (
    <dialog
      ref={dialog}
      // A phone's on-screen keyboard covers the lower half of the screen.
      className="dialog mt-[max(12px,12dvh)] max-h-[min(560px,calc(100dvh-24px))] w-[min(640px,calc(100vw-24px))] flex-col overflow-hidden p-0 open:flex max-sm:mt-2 max-sm:max-h-[calc(100dvh-16px)] max-sm:[@media(hover:none)]:max-h-[54dvh]"
      aria-label={PALETTE.name}
      onClose={onClose}
      // A click beside the dialog hits its backdrop, which is part of the dialog.
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <div className="flex flex-none items-center gap-2.5 border-b border-line py-2 pr-2.5 pl-4 text-soft focus-within:shadow-[inset_0_-2px_0_var(--accent)]">
        <Icon className="flex-none" name={isSearching ? "running" : "search"} spin={isSearching} />
        <SearchField
          field={field}
          value={query}
          listId={listId}
          activeId={activeId}
          onChange={search}
          onKeyDown={onKeyDown}
        />
        <IconButton icon="close" label={PALETTE.close} onClick={() => dialog.current?.close()} />
      </div>
      <EntryOptions id={listId} lists={lists} active={active} idOf={idOf} onChoose={choose} />
      <Foot found={found} count={count} />
    </dialog>
  );
}

/** The search, its results and the active entry. Enter chooses that entry. */
function usePalette(typed: Props["typed"], choose: (entry: Entry, inNewTab: boolean) => void) {
  const [query, setQuery] = useState(typed);
  const [chosenId, setChosenId] = useState<string>();
  const found = useFoundPlans(query);
  const lists = useLists(query, found);
  const entries = lists.flatMap((list) => list.entries);
  const active = entries.find(({ id }) => id === chosenId) ?? entries[0];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && active !== undefined) {
      event.preventDefault();
      return choose(active, event.ctrlKey || event.metaKey);
    }
    const at = active === undefined ? -1 : entries.indexOf(active);
    const next = entries[entryAfterKey(event.key, at, entries.length)];
    if (next === undefined) return;
    event.preventDefault();
    setChosenId(next.id);
  };
  const search = (text: string) => {
    setQuery(text);
    setChosenId(undefined);
  };
  return { query, search, found, lists, active, onKeyDown };
}

type SearchFieldProps = {
  readonly field: Ref<HTMLInputElement>;
  readonly value: string;
  readonly listId: string;
  /** The active option; undefined when there are none. */
  readonly activeId: string | undefined;
  readonly onChange: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

function SearchField({ field, value, listId, activeId, onChange, onKeyDown }: SearchFieldProps) {
  return (
    <input
      ref={field}
      // At least 16 px: mobile browsers zoom into smaller fields.
      className="min-h-10 min-w-0 flex-1 border-0 bg-transparent text-[16px] text-ink outline-none placeholder:text-faint"
      type="text"
      role="combobox"
      aria-label={PALETTE.field}
      aria-expanded={activeId !== undefined}
      aria-controls={listId}
      aria-activedescendant={activeId}
      aria-autocomplete="list"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      enterKeyHint="go"
      placeholder={PALETTE.field}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={onKeyDown}
    />
  );
}

function useLists(query: string, { plans }: FoundPlans) {
  const { keys } = useServices();
  const bindings = useStore(keys.bindings);
  return useMemo(
    () => listEntries([...actionsOf(bindings), ...plans.map(planEntry), ...DOCS], query),
    [bindings, plans, query],
  );
}

/** The status of the search, and the keys. */
function Foot({ found: { phase }, count }: { found: FoundPlans; count: number }) {
  return (
    <div className="flex flex-none flex-wrap justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-xs text-soft">
      <p role="status">
        {phase === "failed" && <strong>{PALETTE.plansFailed} </strong>}
        {phase === "searching" ? PALETTE.loadingPlans : count === 0 ? PALETTE.nothing : resultsText(count)}
      </p>
      <p className={WITH_KEYS}>
        <KeyCaps keys="ArrowUp ArrowDown Enter" /> {PALETTE.hint}
      </p>
    </div>
  );
}

function follow(entry: Entry): void {
  if (entry.href === undefined) return entry.run();
  if (entry.external === true) return location.assign(entry.href);
  navigate(entry.href);
  scrollTo({ top: 0 });
}

/** Returns the index of the entry that a key moves to, or -1. Arrows wrap around. */
function entryAfterKey(key: string, at: number, count: number): number {
  switch (key) {
    case "ArrowDown":
      return at + 1 < count ? at + 1 : 0;
    case "ArrowUp":
      return at > 0 ? at - 1 : count - 1;
    case "PageDown":
      return Math.min(count - 1, at + PAGE);
    case "PageUp":
      return Math.max(0, at - PAGE);
    default:
      return -1;
  }
}

const PAGE = 6;

type FoundPlans = {
  readonly phase: "searching" | "found" | "failed";
  /** While another search is in progress, the results of the previous one. */
  readonly plans: readonly PlanSummary[];
};

/** The plans that match a search, newest first; without a search, the newest. */
function useFoundPlans(query: string): FoundPlans {
  const { gateway } = useServices();
  const [found, setFound] = useState<FoundPlans>({ phase: "searching", plans: [] });
  const q = query.trim();
  useEffect(() => {
    const closing = new AbortController();
    setFound(({ plans }) => ({ phase: "searching", plans }));
    const search = async (): Promise<void> => {
      const asked = { ...(q !== "" && { q }), limit: FOUND_MAX };
      const next = await gateway.plans(asked, closing.signal).then(
        ({ plans }): FoundPlans => ({ phase: "found", plans }),
        (): FoundPlans => ({ phase: "failed", plans: [] }),
      );
      if (!closing.signal.aborted) setFound(next);
    };
    const timer = setTimeout(() => void search(), q === "" ? 0 : SEARCH_DELAY_MS);
    return () => {
      clearTimeout(timer);
      closing.abort();
    };
  }, [q, gateway]);
  return found;
}
