import clsx from "clsx";
import { type ComponentType, lazy, Suspense, useEffect, useRef } from "react";
import { PlanPage } from "./plan/plan-page.tsx";
import { Link } from "./router/link.tsx";
import {
  type Place,
  type Route,
  type SystemPart as Part,
  useRoute,
  useSearchField,
} from "./router/use-route.ts";
import { ApiKeyDialog } from "./shell/api-key-dialog.tsx";
import { type Services, ServicesContext, SystemContext, useServices } from "./shell/services.ts";
import { APP, RAIL } from "./shell/shell-words.ts";
import { TopBar } from "./shell/top-bar.tsx";
import { CallerContext } from "./sign-in/caller.ts";
import { SYSTEM_PART } from "./system/system-words.ts";
import { ErrorBoundary } from "./ui/error-boundary.tsx";
import { Loading, Notice } from "./ui/notice.tsx";
import { useLoaded } from "./ui/use-loaded.ts";
import { useKeys } from "./keys/use-keys.ts";
import { PlanList } from "./plans/plan-list.tsx";
import { Composer } from "./submit/composer.tsx";
import { Problem } from "./ui/problem.tsx";
import { RERUN_COMPOSER } from "./rerun/rerun-words.ts";

const ComparePage = lazy(async () => ({
  default: (await import("./compare/compare-page.tsx")).ComparePage,
}));

const PlansPage = lazy(async () => ({
  default: (await import("./plans-table/plans-page.tsx")).PlansPage,
}));

const SHELL =
  "[grid-template:'bar_bar'_auto_'rail_main'_1fr_'banner_banner'_auto_/_330px_minmax(0,1fr)] min-h-dvh max-lg:[grid-template:'bar'_auto_'main'_auto_'rail'_1fr_'banner'_auto_/_minmax(0,1fr)]";
/** The table scrolls inside the window, so that its header stays in view and nothing else moves. */
const WHOLE_SHELL = "[grid-template:'bar'_auto_'main'_minmax(0,1fr)_'banner'_auto_/_minmax(0,1fr)] h-dvh";
/** On a narrow screen the sheet covers everything: keyboard and screen reader cannot reach what is behind it. */
const BEHIND_SHEET = "max-lg:has-[[data-part=drawer]]:[&>:not(main)]:invisible";

/** The page: the top bar, the list of plans, and the content for the address. */
export function App({ services }: { services: Services }) {
  const route = useRoute();
  const main = useFocusAfterNavigation(route);
  const system = useLoaded("system", 0, services.gateway.system);
  const me = useLoaded("me", 0, services.gateway.me);
  const caller = me.phase === "ready" ? me.value : undefined;
  useEffect(() => {
    if (caller === undefined) return;
    services.signIn.succeeded();
    services.apiKey.accepted();
  }, [caller, services]);
  const info = system.phase === "ready" ? system.value : undefined;
  const isTable = route.page === "plans";
  return (
    <ServicesContext value={services}>
      <SystemContext value={info}>
        <CallerContext value={caller}>
          <a
            className="absolute -top-15 left-3 z-50 rounded-md bg-accent px-3.5 py-2 text-on-accent focus:top-2.5"
            href="#main"
          >
            {APP.skipToContent}
          </a>
          <div className={clsx("grid print:block print:h-auto", isTable ? WHOLE_SHELL : SHELL, BEHIND_SHEET)}>
            <TopBar info={info} current={placeOf(route)} />
            {!isTable && <Rail route={route} />}
            <main id="main" className={isTable ? "grid min-h-0" : undefined} tabIndex={-1} ref={main}>
              <ErrorBoundary key={JSON.stringify(route)} what={APP.thisPage}>
                <Page route={route} />
              </ErrorBoundary>
            </main>
          </div>
          <ApiKeyDialog />
        </CallerContext>
      </SystemContext>
    </ServicesContext>
  );
}

/** Moves the focus to the plan when the user follows a link to it, so that a screen reader does not start at the list. */
function useFocusAfterNavigation(route: Route) {
  const main = useRef<HTMLElement>(null);
  const planId = route.page === "plan" ? route.planId : undefined;
  const shown = useRef(planId);
  useEffect(() => {
    if (planId !== undefined && planId !== shown.current) main.current?.focus({ preventScroll: true });
    shown.current = planId;
  }, [planId]);
  return main;
}

/** The top bar's entry for the page. */
function placeOf(route: Route): Place | undefined {
  if (route.page === "plans") return "plans";
  return route.page === "system" ? route.part : undefined;
}

function Page({ route }: { route: Route }) {
  const { title } = useServices();
  useEffect(() => {
    if (route.page === "home" || route.page === "unknown") title.setPage(undefined);
  }, [route.page, title]);
  switch (route.page) {
    case "home":
      return <Home />;
    case "plan":
      return <PlanPage key={route.planId} planId={route.planId} />;
    case "plans":
      return (
        <Suspense fallback={<Loading className="page-loading" what={APP.loadingPage} />}>
          <PlansPage />
        </Suspense>
      );
    case "compare":
      return (
        <Suspense fallback={<Loading className="page-loading" what={APP.loadingPage} />}>
          <ComparePage />
        </Suspense>
      );
    case "system":
      return <SystemPart part={route.part} />;
    case "unknown":
      return (
        <Notice icon="search" of="page" title={APP.pageNotFound}>
          <p>{APP.noPageAt(route.path)}</p>
          <Link className="button" href="/">
            {APP.goHome}
          </Link>
        </Notice>
      );
    default:
      route satisfies never;
      return null;
  }
}

/** Loaded on demand, so that the plan page does not wait for them. */
const PAGES: Readonly<Record<Part, ComponentType>> = {
  approvals: lazy(async () => ({ default: (await import("./system/approvals-page.tsx")).ApprovalsPage })),
  tools: lazy(async () => ({ default: (await import("./system/tools-page.tsx")).ToolsPage })),
  workers: lazy(async () => ({ default: (await import("./system/workers-page.tsx")).WorkersPage })),
  "dead-letters": lazy(async () => ({
    default: (await import("./system/dead-letters-page.tsx")).DeadLettersPage,
  })),
  metrics: lazy(async () => ({ default: (await import("./metrics/metrics-page.tsx")).MetricsPage })),
};

function SystemPart({ part }: { part: Part }) {
  const Page = PAGES[part];
  return (
    <Suspense fallback={<Loading className="page-loading" what={SYSTEM_PART.loadingPage} />}>
      <Page />
    </Suspense>
  );
}

/** The list of plans beside every page, with keyboard navigation. On a narrow screen, only below the start page. */
function Rail({ route }: { route: Route }) {
  const rail = useRef<HTMLElement>(null);
  const isHome = route.page === "home";
  // The list handles its own arrow keys: it knows the rows that are not drawn.
  const move = (arrow: "ArrowDown" | "ArrowUp") => {
    const rows = rail.current?.querySelector('[data-part="plan-rows"]');
    const focused = document.activeElement;
    if (focused !== null && rows?.contains(focused) === true) {
      focused.dispatchEvent(new KeyboardEvent("keydown", { key: arrow, bubbles: true }));
    } else {
      rows?.querySelector<HTMLElement>('a[tabindex="0"]')?.focus();
    }
  };
  useKeys([
    {
      keys: "/",
      label: RAIL.searchPlans,
      group: "everywhere",
      run: () => rail.current?.querySelector<HTMLElement>("input[type=search]")?.focus(),
    },
    {
      keys: "j",
      label: RAIL.nextPlan,
      group: "everywhere",
      run: () => move("ArrowDown"),
    },
    {
      keys: "k",
      label: RAIL.previousPlan,
      group: "everywhere",
      run: () => move("ArrowUp"),
    },
  ]);
  return (
    <nav
      className={clsx(
        "sticky top-13.5 flex h-[calc(100dvh-54px)] min-w-0 flex-col border-r border-line bg-surface [grid-area:rail] print:hidden",
        isHome ? "max-lg:static max-lg:h-auto max-lg:border-t max-lg:border-r-0" : "max-lg:hidden",
      )}
      aria-label={RAIL.plans}
      ref={rail}
    >
      <ErrorBoundary what={RAIL.planList}>
        <PlanList selected={route.page === "plan" ? route.planId : undefined} />
      </ErrorBoundary>
    </nav>
  );
}

/** The start page: a new goal or, with `?rerun=` in the address, a form to edit and re-run another plan. */
function Home() {
  const [planId] = useSearchField("rerun");
  return planId === undefined ? <Composer key="new" /> : <RerunComposer key={planId} planId={planId} />;
}

/** The form for a new goal, filled with another plan's submission. */
function RerunComposer({ planId }: { planId: string }) {
  const { gateway } = useServices();
  const loaded = useLoaded(`submission of ${planId}`, 0, (signal) => gateway.submission(planId, signal));
  if (loaded.phase === "loading")
    return <Loading className="page-loading" what={RERUN_COMPOSER.loadingSubmission} />;
  if (loaded.phase === "ready") return <Composer origin={{ planId, submission: loaded.value }} />;
  return (
    <section className="mx-auto grid w-[min(880px,100%)] gap-4.5 px-5 py-12">
      <Problem error={loaded.error} again={loaded.again} />
      <Link href="/">{RERUN_COMPOSER.newGoal}</Link>
    </section>
  );
}
