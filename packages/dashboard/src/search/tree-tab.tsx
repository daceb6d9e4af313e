import clsx from "clsx";
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { EmptyState } from "../empty-states/empty-state.tsx";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { useSearchField } from "../router/use-route.ts";
import { Button } from "../ui/button.tsx";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { NodeDetails, NodeStateBadge } from "./node-details.tsx";
import { actionOf, moveInTree, type Search, type SearchRow, searchRows, visibleRows } from "./search-rows.ts";
import { PHASES, TREE_ROW, TREE_TAB } from "./search-words.ts";

/** The whole tree of a search: the actions tried, their values, and the nodes from which the search continued. */
export function TreeTab({ view, onSelectStep }: TabProps) {
  const [field, setField] = useSearchField("node");
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const { search } = view;
  const rows = search === undefined ? [] : searchRows({ ...view, search });
  if (search === undefined || rows.length === 0) return <EmptyState of="searchTree" />;
  const selected = rows.find(({ node }) => node.id === field) ?? preferred(rows, search);
  const idsOf = (which: (row: SearchRow) => boolean) => rows.filter(which).map(({ node }) => node.id);
  const folds: readonly (readonly [word: string, folded: readonly string[]])[] = [
    [TREE_TAB.expandAll, []],
    [TREE_TAB.collapseAll, idsOf(({ children }) => children > 0)],
    [TREE_TAB.showBestPathOnly, idsOf(({ isOnBestPath }) => !isOnBestPath)],
  ];
  return (
    <div className="@container grid grid-cols-1 gap-3 px-4 pt-3.5 pb-4.5">
      <Summary search={search} />
      <div className="flex flex-wrap gap-2">
        {folds.map(([word, folded]) => (
          <Button
            key={word}
            className="min-h-7.5 px-2.5 py-0.75 text-sm"
            onClick={() => setCollapsed(new Set(folded))}
          >
            {word}
          </Button>
        ))}
      </div>
      <div className="grid grid-cols-1 items-start gap-4.5 @min-[761px]:grid-cols-[minmax(0,1fr)_minmax(280px,36%)]">
        <Tree
          rows={rows}
          collapsed={collapsed}
          onCollapse={setCollapsed}
          selected={selected?.node.id}
          onSelect={setField}
        />
        {selected !== undefined && (
          <NodeDetails
            view={view}
            search={search}
            row={selected}
            rows={rows}
            onSelectNode={setField}
            onSelectStep={onSelectStep}
          />
        )}
      </div>
    </div>
  );
}

/** Without a selection, the reader sees the search's current position. */
function preferred(rows: readonly SearchRow[], { bestPath }: Search): SearchRow | undefined {
  return rows.find(({ node }) => node.id === bestPath.at(-1)) ?? rows[0];
}

function Summary({ search: { settings, nodes, rounds, root, phase } }: { search: Search }) {
  const solved = nodes.filter(({ status }) => status === "solved").length;
  const facts: readonly [string, string][] = [
    [TREE_TAB.rounds, TREE_TAB.ofMax(rounds.length, settings.iterations)],
    [TREE_TAB.tried, formatCount(nodes.length, "action")],
    [TREE_TAB.solutions, String(solved)],
    [TREE_TAB.meanValue, root.visits === 0 ? TREE_TAB.noneYet : root.meanValue.toFixed(2)],
    [TREE_TAB.width, TREE_TAB.perRound(settings.width)],
    [TREE_TAB.depth, `max ${settings.depth}`],
    [TREE_TAB.exploration, String(settings.exploration)],
    [TREE_TAB.lastPhase, PHASES[phase]],
  ];
  return (
    <dl
      className="flex flex-wrap gap-x-6 gap-y-1.5 text-sm"
      data-part="search-summary"
      aria-label={TREE_TAB.searchSettings}
    >
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-faint">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type TreeProps = {
  readonly rows: readonly SearchRow[];
  readonly collapsed: ReadonlySet<string>;
  readonly onCollapse: (collapsed: ReadonlySet<string>) => void;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
};

function Tree({ rows, collapsed, onCollapse, selected, onSelect }: TreeProps) {
  const shown = visibleRows(rows, collapsed);
  const [focused, setFocused] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const isShown = (id: string | undefined) => shown.some(({ node }) => node.id === id);
  const active = [focused, selected].find(isShown) ?? shown[0]?.node.id ?? "";
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current) list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    moved.current = false;
  }, [active]);
  const toggle = (id: string) => {
    const next = new Set(collapsed);
    if (!next.delete(id)) next.add(id);
    onCollapse(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") onSelect(active);
    else {
      const move = moveInTree(event.key, shown, { active, collapsed });
      if (move === undefined) return;
      if ("to" in move) {
        moved.current = true;
        setFocused(move.to);
      } else if ("open" in move) onCollapse(new Set([...collapsed].filter((id) => !move.open.includes(id))));
      else onCollapse(new Set([...collapsed, move.close]));
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ul
      className="max-h-[72dvh] overflow-y-auto p-0.75"
      role="tree"
      aria-label={TREE_TAB.searchTree}
      ref={list}
      onKeyDown={onKeyDown}
    >
      {shown.map((row) => (
        <TreeRow
          key={row.node.id}
          row={row}
          isOpen={!collapsed.has(row.node.id)}
          isActive={row.node.id === active}
          isSelected={row.node.id === selected}
          onFocus={setFocused}
          onSelect={onSelect}
          onToggle={toggle}
        />
      ))}
    </ul>
  );
}

type Props = {
  readonly row: SearchRow;
  readonly isOpen: boolean;
  /** Whether Tab leads to it. */
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onFocus: (id: string) => void;
  readonly onSelect: (id: string) => void;
  readonly onToggle: (id: string) => void;
};

/** A table where there is room for its columns, otherwise the action above the rest. */
const ROW = clsx(
  "relative flex min-h-8.5 cursor-pointer flex-wrap items-center gap-x-2.5 gap-y-0.5 py-1 pr-2",
  "pl-[calc(28px+var(--level)*var(--indent))] [--indent:11px] @min-[761px]:[--indent:20px]",
  "@min-[1081px]:grid @min-[1081px]:grid-cols-[minmax(120px,1fr)_132px_116px_repeat(3,64px)]",
  "rounded-r-md border-l-3 border-transparent text-sm focus-visible:-outline-offset-1",
  "hover:bg-sunken aria-selected:bg-accent-soft data-[best=true]:border-accent",
);

function TreeRow({ row, isOpen, isActive, isSelected, onFocus, onSelect, onToggle }: Props) {
  const { node, level, position, siblings, children, isOnBestPath, state } = row;
  const { id, visits, meanValue, value, uct } = node;
  return (
    <li
      className={ROW}
      style={{ "--level": level - 1 } as CSSProperties}
      role="treeitem"
      data-node={id}
      data-best={isOnBestPath}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={children > 0 ? isOpen : undefined}
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onFocus(id)}
      onClick={() => onSelect(id)}
    >
      <span
        className="absolute top-0.75 @min-[1081px]:top-1.25 left-[calc(4px+var(--level)*var(--indent))] grid size-6 place-items-center text-soft"
        aria-hidden="true"
        onClick={(event) => {
          if (children === 0) return;
          event.stopPropagation();
          onToggle(id);
        }}
      >
        {children > 0 && <Icon className={clsx(isOpen && "rotate-90")} name="chevron" size={14} />}
      </span>
      <span
        className="line-clamp-3 basis-full wrap-anywhere @min-[1081px]:line-clamp-2"
        title={actionOf(row)}
      >
        {isOnBestPath && (
          <span className="mr-1 text-accent">
            <Icon name="critical" size={9} />
            <span className="visually-hidden">{TREE_ROW.onTheBestPath} </span>
          </span>
        )}
        {actionOf(row)} <code className="text-faint">{id}</code>
      </span>
      <NodeStateBadge state={state} />
      <span className="flex items-center gap-2">
        <span
          className="hidden h-1.5 w-10 flex-none overflow-hidden rounded-full bg-line @min-[761px]:block"
          aria-hidden="true"
        >
          <span
            className="block h-full bg-accent"
            style={{ width: `${Math.min(1, Math.max(0, value)) * 100}%` }}
          />
        </span>
        <Figure name="value" text={uct === null ? "–" : value.toFixed(2)} />
      </span>
      <Figure name="mean" text={uct === null ? "–" : meanValue.toFixed(2)} />
      <Figure name={visits === 1 ? "visit" : "visits"} text={String(visits)} />
      <Figure name="UCT" text={uct === null ? "–" : uct.toFixed(2)} />
    </li>
  );
}

function Figure({ name, text }: { name: string; text: string }) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      <span className="text-xs text-faint">{name}</span> {text}
    </span>
  );
}
