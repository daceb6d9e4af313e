/** The page's requests to the gateway: calls of the client, each cancellable. Pass what they throw to `toApiError`. */
import { type Metrics, type MetricsQuery, Planwright, type PlanwrightOptions } from "@planwright/client";
import type { Decision, Fork, GoalRequest, JsonObject, Rating } from "./api-types.ts";
import { linesOf } from "./api-error.ts";
import type { ApiKey } from "./api-key.ts";

/** On the page of metrics. */
const SLOWEST_STEPS = 10;

export type PlanQuery = Readonly<Record<string, string | number>>;

export type Gateway = ReturnType<typeof createGateway>;

/** A large file over a slow line. */
const UPLOAD_MS_MAX = 3_600_000;
const DEAD_LETTERS_PER_PAGE = 20;
/** If there are more, the newest ones. */
const DEAD_LETTERS_OF_A_PLAN = 100;

type ConnectOptions = PlanwrightOptions & {
  /** Called before the user is asked for a key; the page can leave to sign in instead. */
  readonly whenRefused?: (refusedKey: string | undefined) => Promise<void>;
};

/** The page's client. It asks for a key when the gateway requires one, and leaves retries to the page. */
export function connect(apiKey: ApiKey, { whenRefused, ...options }: ConnectOptions = {}): Planwright {
  return new Planwright({
    apiKey: apiKey.current,
    maxRetries: 0,
    onUnauthorized: async (refusedKey) => {
      if (await apiKey.borrow(refusedKey)) return true;
      await whenRefused?.(refusedKey);
      await apiKey.ask(refusedKey);
      return true;
    },
    // A reload brings the page of the gateway's version.
    onVersionMismatch: () => undefined,
    ...options,
  });
}

export function createGateway(client: Planwright) {
  return {
    ...systemCalls(client),
    ...planCalls(client),
    ...newPlanCalls(client),
    ...deadLetterCalls(client),
  };
}

function systemCalls({ system, session, tools, workers, metrics, data }: Planwright) {
  return {
    me: (signal: AbortSignal) => session.get({ signal }),
    signOut: (signal: AbortSignal) => session.signOut({ signal }),
    system: (signal: AbortSignal) => system.get({ signal }),
    tools: (signal: AbortSignal) => tools.list({ signal }),
    workers: (signal: AbortSignal) => workers.list({ signal }),
    /** @param query.strategy - A strategy that plans are listed by; "" for all. */
    metrics: (
      { strategy, ...range }: Omit<MetricsQuery, "strategy"> & { readonly strategy: string },
      signal: AbortSignal,
    ) =>
      // The page offers the contract's strategies only; the gateway refuses any other.
      metrics.get(
        {
          ...range,
          compare: "previous",
          slowest: SLOWEST_STEPS,
          strategy: (strategy || undefined) as Metrics["strategy"],
        },
        { signal },
      ),
    sources: (signal: AbortSignal) => data.list({ signal }),
    deleteSource: (name: string) => data.delete(name),
    /** Uploads a file as a data source. @param options.onProgress - Called with the fraction sent, from 0 to 1. */
    upload: (
      upload: { readonly name: string; readonly kind: "csv" | "sqlite"; readonly data: Blob },
      options: { readonly onProgress: (part: number) => void; readonly signal: AbortSignal },
    ) => data.upload(upload, { ...options, timeoutMs: UPLOAD_MS_MAX }),
  };
}

function planCalls({ plans }: Planwright) {
  return {
    plans: (query: PlanQuery, signal: AbortSignal) =>
      // Users can edit the address that the fields come from: the gateway refuses an invalid query.
      plans.list(query, { signal }).firstPage(),
    /** Counts the plans in each view; a view is the query string of the list. */
    countPlans: (views: readonly string[], signal: AbortSignal) => plans.count(views, { signal }),
    plan: (planId: string, signal: AbortSignal) => plans.get(planId, { signal }),
    /** The plan's view after an event. */
    planAt: (planId: string, seq: number, signal: AbortSignal) => plans.get(planId, { seq, signal }),
    /** The events after one, in order, up to one page. */
    events: (planId: string, after: number, signal: AbortSignal) =>
      plans.eventPage(planId, { after, signal }),
    trace: (planId: string, signal: AbortSignal) => plans.trace(planId, { signal }),
    cancel: async (planId: string, signal: AbortSignal) => void (await plans.cancel(planId, { signal })),
    /** Deletes an ended plan with all its stored data. */
    deletePlan: (planId: string, signal: AbortSignal) => plans.delete(planId, { signal }),
    pause: async (planId: string, signal: AbortSignal) => void (await plans.pause(planId, { signal })),
    resume: async (planId: string, signal: AbortSignal) => void (await plans.resume(planId, { signal })),
    rate: async (planId: string, said: Rating, signal: AbortSignal) =>
      void (await plans.rate(planId, said, { signal })),
    pendingApprovals: (signal: AbortSignal) => plans.approvals.list({ signal }),
    /** The first decision counts: a later one is refused. */
    decide: async (planId: string, approvalId: string, decision: Decision, signal: AbortSignal) =>
      void (await plans.approvals.decide(planId, approvalId, decision, { signal })),
    artifact: async (planId: string, name: string, signal: AbortSignal) =>
      (await plans.artifacts.get(planId, name, { signal })).blob(),
    artifactUrl: (planId: string, name: string) => withoutOrigin(plans.artifacts.url(planId, name)),
    /** The plan's facts, as a page of Markdown. */
    continuity: async (planId: string, signal: AbortSignal) =>
      new Blob([await plans.continuity(planId, { signal })], { type: "text/markdown" }),
    continuityUrl: (planId: string) => withoutOrigin(plans.continuityUrl(planId)),
  };
}

function newPlanCalls({ plans }: Planwright) {
  return {
    submit: (request: GoalRequest, idempotencyKey: string, signal: AbortSignal) =>
      plans.submit(request, { idempotencyKey, signal }),
    /** The errors in a plan, one per line; empty when it is valid. */
    check: async (plan: JsonObject, signal: AbortSignal) =>
      linesOf((await plans.check(plan, { signal })).issues),
    /** Drafts a plan without running it. */
    preview: (request: GoalRequest, signal: AbortSignal) => plans.preview(request, { signal }),
    /** The submission of a plan, to be submitted again. */
    submission: (planId: string, signal: AbortSignal) => plans.submission(planId, { signal }),
    /** Runs a plan again; `edits` replace fields of its submission. */
    rerun: (planId: string, edits: JsonObject, idempotencyKey: string, signal: AbortSignal) =>
      plans.rerun(planId, { edits, idempotencyKey, signal }),
    fork: (planId: string, fork: Fork, signal: AbortSignal) => plans.fork(planId, fork, { signal }),
  };
}

/** The calls about dead letters. */
function deadLetterCalls({ deadLetters }: Planwright) {
  return {
    deadLetterGroups: (signal: AbortSignal) => deadLetters.list({ limit: 1 }, { signal }).firstPage(),
    deadLetters: (group: string, cursor: string | undefined, signal: AbortSignal) =>
      deadLetters.list({ group, cursor, limit: DEAD_LETTERS_PER_PAGE }, { signal }).firstPage(),
    deadLetter: (id: string, signal: AbortSignal) => deadLetters.get(id, { signal }),
    /** Retries the step of one dead letter. */
    retryOne: async (id: string, signal: AbortSignal) => void (await deadLetters.retry(id, { signal })),
    /** Retries the dead letters of a plan that are steps. @returns How many. @throws After trying all, if one was refused. */
    retryOfPlan: async (planId: string, signal: AbortSignal): Promise<number> => {
      const { deadLetters: found } = await deadLetters
        .list({ planId, limit: DEAD_LETTERS_OF_A_PLAN }, { signal })
        .firstPage();
      const steps = found.filter(({ kind }) => kind === "step");
      const refusals: unknown[] = [];
      for (const { id } of steps) {
        await deadLetters.retry(id, { signal }).catch((error: unknown) => refusals.push(error));
      }
      if (refusals.length > 0) throw refusals[0];
      return steps.length;
    },
    discardOne: (id: string, signal: AbortSignal) => deadLetters.discard(id, { signal }),
    /** Retries the steps of a group. */
    retry: (group: string, signal: AbortSignal) => deadLetters.retryMany({ group }, { signal }),
    discard: async (group: string, signal: AbortSignal) =>
      void (await deadLetters.discardMany({ group }, { signal })),
  };
}

/** The gateway serves the page itself, so a path is enough. */
function withoutOrigin(url: string): string {
  return new URL(url).pathname;
}
