/** Which tools and data a plan may use, as soon as that is known. */
import {
  alwaysWaits,
  type Agents,
  type ApprovalPolicy,
  type GatePolicy,
  isOwnerTool,
  isToolDenied,
  LIMITS,
  NO_AGENTS,
  PLAN_RUN,
  type ParentStep,
  type Strategy,
  type ToolSpec,
} from "@planwright/plan";
import type { Registry } from "@planwright/shared/bus";
import { type DataSource, sourcesOfTenant } from "@planwright/shared/tools";
import { STRATEGIES } from "./strategies.ts";

/** How long a draft waits for tools to be announced and for data to be described; happens only just after a start. */
const WAIT_MS = 15_000;
/** Workers announce their tools one after another; after this long without an announcement, they are complete. */
const QUIET_MS = 250;

/** The tools and sources that a plan may use; everything when absent. */
export type Restriction = {
  /** The plan's tenant: its uploads are offered, but not those of other tenants. */
  readonly tenant: string;
  readonly tools?: readonly string[] | undefined;
  readonly sources?: readonly string[] | undefined;
  /** Which steps need approval before they run; none when absent. */
  readonly approval: ApprovalPolicy;
  /** The installation's policy for the plan; none when absent. */
  readonly policy?: GatePolicy | undefined;
  /** The parent of a sub-plan: below a certain depth there are no further sub-plans. */
  readonly parent?: Pick<ParentStep, "depth"> | undefined;
  readonly strategy?: Strategy | undefined;
};

export type Offer = {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** Those of the tools that are not shown to models. */
  readonly unlisted: ReadonlySet<string>;
  readonly agents: Agents;
  readonly sources: readonly DataSource[];
};

export type Offers = {
  /**
   * Returns what a plan may use. Waits up to 15 s for missing parts, then continues without them.
   *
   * @throws The signal's reason when it aborts.
   */
  offer(restriction: Restriction, signal: AbortSignal): Promise<Offer>;
};

/** @param waitMs - Default 15,000. */
export function createOffers({
  tools,
  agents = () => NO_AGENTS,
  sources,
  signal: stopped,
  waitMs = WAIT_MS,
}: {
  readonly tools: Registry<ToolSpec>;
  /** The currently announced agents; none when absent. */
  readonly agents?: (() => Agents) | undefined;
  readonly sources: Registry<DataSource>;
  readonly signal: AbortSignal;
  readonly waitMs?: number;
}): Offers {
  const settled = settle(tools, stopped);
  return {
    async offer(restriction, signal) {
      await Promise.all([
        bounded(waitMs, signal, async (bound) => {
          if (restriction.tools === undefined) return untilDone(settled, bound);
          return tools.until((known) => restriction.tools?.every((name) => known.has(name)) ?? true, bound);
        }),
        bounded(waitMs, signal, (bound) =>
          sources.until((known) => allowed(known, restriction).every(isLookedInto), bound),
        ),
      ]);
      return {
        tools: new Map(
          Array.from(tools.entries()).filter(([name, spec]) => isOffered(name, spec, restriction)),
        ),
        unlisted: new Set(DIAGNOSTIC_TOOLS.filter((name) => restriction.tools?.includes(name) !== true)),
        agents: agents(),
        sources: allowed(sources.entries(), restriction).filter(({ tables }) => tables !== undefined),
      };
    },
  };
}

/** For tests and demonstrations of the system itself: shown to models only if the submission names them. */
const DIAGNOSTIC_TOOLS: readonly string[] = ["flow.echo", "flow.wait"];
/** Useless to a model that plans steps: see the strategy `code`. */
const CODE_TOOLS = STRATEGIES.code.ownTools;

/** A model's draft can use a high-risk tool only with a user's approval. */
function isOffered(
  name: string,
  { risk }: ToolSpec,
  { tools, approval, policy, parent, strategy = "auto" }: Restriction,
): boolean {
  if (isToolDenied(policy, name)) return false;
  const isOwn = STRATEGIES[strategy].ownTools.includes(name);
  // Whether these need approval is up to the submission: the changes are checked against the rules of the source.
  if (CODE_TOOLS.includes(name)) return tools?.includes(name) ?? isOwn;
  const isSafe = risk !== "high" || alwaysWaits({ approval, policy }, { tool: name, risk });
  if (name === PLAN_RUN && (parent?.depth ?? 0) >= LIMITS.subPlanDepthMax) return false;
  if (isOwn) return true;
  // Sub-plans are offered only on request, since goals that can be reached without them should be.
  return isSafe && (tools?.includes(name) ?? !isOwnerTool(name));
}

function allowed(known: ReadonlyMap<string, DataSource>, { tenant, sources }: Restriction): DataSource[] {
  return sourcesOfTenant(known, tenant)
    .list()
    .filter(({ name }) => sources?.includes(name) ?? true);
}

function isLookedInto({ tables, fault }: DataSource): boolean {
  return tables !== undefined || fault !== undefined;
}

/** Resolves once there are tools and no more have arrived for a while. */
async function settle(tools: Registry<ToolSpec>, signal: AbortSignal): Promise<void> {
  await tools.until(({ size }) => size > 0, signal).catch(() => undefined);
  while (!signal.aborted) {
    const { size } = tools.entries();
    const quiet = AbortSignal.timeout(QUIET_MS);
    const grew = tools.until((known) => known.size !== size, AbortSignal.any([signal, quiet]));
    const isQuiet = await grew.then(
      () => false,
      () => true,
    );
    if (isQuiet) return;
  }
}

/** Waits for up to `waitMs`; throws only when the caller aborts. */
async function bounded(
  waitMs: number,
  signal: AbortSignal,
  wait: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const late = AbortSignal.timeout(waitMs);
  await wait(AbortSignal.any([signal, late])).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
  });
}

async function untilDone(done: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([done, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
