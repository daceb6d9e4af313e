import { isPlanEdit } from "@planwright/plan/revision-diff";
import { type KeyboardEvent, lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { PlanView } from "../api/api-types.ts";
import { PROGRAM_TOOLS } from "../code/program-tools.ts";
import { topologyOf } from "../graph/topology.ts";
import { tabHeightBefore } from "../graph/view-port.ts";
import { useKeys } from "../keys/use-keys.ts";
import { useSearchField } from "../router/use-route.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { Loading } from "../ui/notice.tsx";
import { usePlaceWidth } from "../ui/use-place-width.ts";
import { EventsTab } from "./events-tab.tsx";
import { PLAN_TABS, PLAN_WORDS } from "./plan-words.ts";
import { StepsTab } from "./steps-tab.tsx";
import { useStepSearch } from "./use-step-search.ts";

/** The graph's library is the largest part of the page; tabs without a graph do not wait for it. */
const loadGraph = () => import("../graph/graph-tab.tsx");
const GraphTab = lazy(async () => ({ default: (await loadGraph()).GraphTab }));
const TimelineTab = lazy(async () => ({
  default: (await import("../timeline/timeline-tab.tsx")).TimelineTab,
}));
const TraceTab = lazy(async () => ({ default: (await import("../trace/trace-tab.tsx")).TraceTab }));
const CodeTab = lazy(async () => ({ default: (await import("../code/code-tab.tsx")).CodeTab }));
const TreeTab = lazy(async () => ({ default: (await import("../search/tree-tab.tsx")).TreeTab }));
const RevisionsTab = lazy(async () => ({
  default: (await import("../revisions/revisions-tab.tsx")).RevisionsTab,
}));
const FactsTab = lazy(async () => ({ default: (await import("./facts-tab.tsx")).FactsTab }));

/** Starts to load the plan page's first tab while the plan itself is being read. */
export function preloadTabs(): void {
  if (matchMedia(PHONE).matches) return;
  // The tab that shows the graph reports a failure to load it.
  loadGraph().catch(() => undefined);
}

type TabId = keyof typeof PLAN_WORDS.tabs;

const TABS: readonly TabId[] = [
  "graph",
  "timeline",
  "steps",
  "tree",
  "code",
  "revisions",
  "facts",
  "trace",
  "events",
];
/** Matches screens that are too small for a graph. */
const PHONE = "(max-width: 620px)";

/** Single-digit keys. */
const KEYS_MAX = 9;

/** Tabs that only some plans have content for. */
const IS_THERE: Partial<Readonly<Record<TabId, (view: PlanView) => boolean>>> = {
  tree: ({ search }) => search !== undefined,
  code: ({ steps }) => steps.some(({ tool }) => PROGRAM_TOOLS.has(tool)),
  revisions: hasRevisions,
  facts: ({ facts, openQuestions, factsLeftOut }) => facts.length + openQuestions.length + factsLeftOut > 0,
};

export type TabProps = {
  readonly view: PlanView;
  readonly selected: string | undefined;
  readonly onSelectStep: (id: string | undefined) => void;
};

export function PlanTabs(props: TabProps) {
  const [field, setField] = useSearchField("tab");
  const list = useRef<HTMLDivElement>(null);
  // Decided when the page opens: rotating a tablet must not switch the tab.
  const [first] = useState<TabId>(() => (matchMedia(PHONE).matches ? "steps" : "graph"));
  const isPrinting = usePrinting();
  const tabs = TABS.filter((id) => IS_THERE[id]?.(props.view) ?? true);
  const current = tabs.find((id) => id === field) ?? first;
  const open = (id: TabId) => setField(id === first ? undefined : id);
  useKeys(
    tabs.slice(0, KEYS_MAX).map((id, index) => ({
      keys: `${index + 1}`,
      label: PLAN_TABS.tab(PLAN_WORDS.tabs[id]),
      run: () => open(id),
    })),
  );
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = tabs.at((tabs.indexOf(current) + step) % tabs.length) ?? first;
    open(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  useLayoutEffect(() => showSelected(list.current), [current]);
  return (
    <section aria-label={PLAN_WORDS.tabsName}>
      {/* Tabs that do not fit fade out into the space beside the list. */}
      <div
        className="relative -mx-3.5 mb-2.5 flex gap-1 overflow-x-auto mask-[linear-gradient(to_right,transparent,#000_14px_calc(100%-14px),transparent)] px-3.5 print:hidden"
        role="tablist"
        ref={list}
        onKeyDown={move}
      >
        {tabs.map((id) => (
          <button
            key={id}
            id={`tab-${id}`}
            className="inline-flex flex-none items-center gap-2 rounded-md border-0 bg-transparent px-3.5 py-1.5 font-medium text-soft hover:bg-sunken focus-visible:-outline-offset-2 aria-selected:bg-accent-soft aria-selected:text-accent-strong"
            type="button"
            role="tab"
            aria-selected={id === current}
            aria-controls="tab-panel"
            tabIndex={id === current ? 0 : -1}
            onClick={() => open(id)}
          >
            {PLAN_WORDS.tabs[id]}
            {id === "steps" && (
              <span className="rounded-full bg-line px-2 text-xs text-soft">
                {props.view.steps.length.toLocaleString("en")}
              </span>
            )}
          </button>
        ))}
      </div>
      {/* Most traces are higher than the screen: anything below them is out of view from the start. */}
      <div
        id="tab-panel"
        className="card min-h-30 overflow-hidden data-[tab=trace]:[&_.tab-loading]:h-140 print:break-inside-auto"
        role="tabpanel"
        aria-labelledby={`tab-${current}`}
        data-tab={current}
      >
        <ErrorBoundary key={isPrinting ? "print" : current} what={PLAN_TABS.thisTab}>
          <Suspense fallback={<TabLoading tab={current} view={props.view} />}>
            {isPrinting ? <StepsTab {...props} isPrinted /> : contentOf(current, props)}
          </Suspense>
        </ErrorBoundary>
      </div>
    </section>
  );
}

/** How much of the tab beside the selected one stays visible, to show that there are more. */
const BESIDE_PX = 48;

/** Scrolls only the list of tabs, just far enough to show the selected one. */
function showSelected(list: HTMLElement | null): void {
  const tab = list?.querySelector<HTMLElement>("[aria-selected=true]");
  if (!list || !tab) return;
  const most = tab.offsetLeft - BESIDE_PX;
  const least = tab.offsetLeft + tab.offsetWidth + BESIDE_PX - list.clientWidth;
  list.scrollLeft = Math.min(most, Math.max(list.scrollLeft, least));
}

/** Reserves the graph's height, so that nothing below it moves. */
function TabLoading({ tab, view: { steps } }: Pick<TabProps, "view"> & { readonly tab: TabId }) {
  const place = useRef<HTMLDivElement>(null);
  const widthPx = usePlaceWidth(place);
  const { isOffered } = useStepSearch(steps);
  const style =
    tab === "graph" && widthPx > 0 ? { height: tabHeightBefore(topologyOf(steps), widthPx, isOffered) } : {};
  return (
    <div ref={place} style={style}>
      <Loading className="tab-loading" what={PLAN_TABS.loadingTab} />
    </div>
  );
}

function contentOf(tab: TabId, props: TabProps) {
  switch (tab) {
    case "graph":
      return <GraphTab {...props} />;
    case "timeline":
      return <TimelineTab {...props} />;
    case "steps":
      return <StepsTab {...props} />;
    case "tree":
      return <TreeTab {...props} />;
    case "code":
      return <CodeTab {...props} />;
    case "revisions":
      return <RevisionsTab {...props} />;
    case "facts":
      return <FactsTab {...props} />;
    case "trace":
      return <TraceTab {...props} />;
    case "events":
      return <EventsTab {...props} />;
    default:
      tab satisfies never;
      return null;
  }
}

/** Whether the page is being printed: printed parts must render before the browser captures the page. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const change = ({ type }: Event) => flushSync(() => setPrinting(type === "beforeprint"));
    addEventListener("beforeprint", change);
    addEventListener("afterprint", change);
    return () => {
      removeEventListener("beforeprint", change);
      removeEventListener("afterprint", change);
    };
  }, []);
  return isPrinting;
}

/** Whether the plan was revised or edited. */
function hasRevisions({ revisions, approvals }: Pick<PlanView, "revisions" | "approvals">): boolean {
  return revisions.length > 0 || approvals.some(isPlanEdit);
}
