import { type ComponentType, lazy, Suspense } from "react";
import type { SystemPart as Part } from "../router/use-route.ts";
import { Loading } from "../ui/loading.tsx";
import { SYSTEM_PART } from "./system-words.ts";

/** Nobody who watches a plan waits for these. */
const PAGES: Readonly<Record<Part, ComponentType>> = {
  approvals: lazy(async () => ({ default: (await import("./approvals-page.tsx")).ApprovalsPage })),
  tools: lazy(async () => ({ default: (await import("./tools-page.tsx")).ToolsPage })),
  workers: lazy(async () => ({ default: (await import("./workers-page.tsx")).WorkersPage })),
  "dead-letters": lazy(async () => ({ default: (await import("./dead-letters-page.tsx")).DeadLettersPage })),
  metrics: lazy(async () => ({ default: (await import("../metrics/metrics-page.tsx")).MetricsPage })),
};

export function SystemPart({ part }: { part: Part }) {
  const Page = PAGES[part];
  return (
    <Suspense fallback={<Loading className="page-loading" what={SYSTEM_PART.loadingPage} />}>
      <Page />
    </Suspense>
  );
}
