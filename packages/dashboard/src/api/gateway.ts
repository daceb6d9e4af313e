/** The gateway's HTTP calls, each cancellable, each failing with an {@link ApiError} that can be shown. */
import { ApiError, readIssues, readProblem } from "./api-error.ts";
import type { ApiKey } from "./api-key.ts";
import { type DeadLetterCalls, deadLetterCalls } from "./dead-letter-calls.ts";
import { type NewPlanCalls, newPlanCalls } from "./new-plan-calls.ts";
import type {
  DataSources,
  Decision,
  EventPage,
  GoalRequest,
  JsonObject,
  Kpis,
  PendingApprovals,
  Period,
  PlanCounts,
  PlanPage,
  PlanView,
  Preview,
  Rating,
  SystemInfo,
  ToolSpec,
  TraceData,
  Workers,
} from "./api-types.ts";

export type PlanQuery = Readonly<Record<string, string | number>>;

export type Gateway = DeadLetterCalls &
  NewPlanCalls & {
    readonly system: (signal: AbortSignal) => Promise<SystemInfo>;
    /** What is wrong with a plan, a line for each fault; none when it is valid. */
    readonly check: (plan: JsonObject, signal: AbortSignal) => Promise<readonly string[]>;
    /** Drafts without running. */
    readonly preview: (request: GoalRequest, signal: AbortSignal) => Promise<Preview>;
    readonly sources: (signal: AbortSignal) => Promise<DataSources>;
    /** How many plans there are in each view; a view is the search that the list would be asked with. */
    readonly countPlans: (views: readonly string[], signal: AbortSignal) => Promise<PlanCounts>;
    readonly plans: (query: PlanQuery, signal: AbortSignal) => Promise<PlanPage>;
    readonly plan: (planId: string, signal: AbortSignal) => Promise<PlanView>;
    /** The plan as it was after a fact. */
    readonly planAt: (planId: string, seq: number, signal: AbortSignal) => Promise<PlanView>;
    readonly cancel: (planId: string, signal: AbortSignal) => Promise<void>;
    readonly pause: (planId: string, signal: AbortSignal) => Promise<void>;
    readonly resume: (planId: string, signal: AbortSignal) => Promise<void>;
    readonly rate: (planId: string, said: Rating, signal: AbortSignal) => Promise<void>;
    /** The first decision counts: a later one is refused. */
    readonly decide: (
      planId: string,
      approvalId: string,
      decision: Decision,
      signal: AbortSignal,
    ) => Promise<void>;
    /** The facts after one, in order, as many as one page holds. */
    readonly events: (planId: string, after: number, signal: AbortSignal) => Promise<EventPage>;
    readonly trace: (planId: string, signal: AbortSignal) => Promise<TraceData>;
    readonly pendingApprovals: (signal: AbortSignal) => Promise<PendingApprovals>;
    readonly tools: (signal: AbortSignal) => Promise<{ readonly tools: readonly ToolSpec[] }>;
    readonly workers: (signal: AbortSignal) => Promise<Workers>;
    readonly kpis: (
      query: { readonly period: Period; readonly strategy: string },
      signal: AbortSignal,
    ) => Promise<Kpis>;
    /** What the plan knows, as a page of Markdown. */
    readonly continuity: (planId: string, signal: AbortSignal) => Promise<Blob>;
    readonly continuityUrl: (planId: string) => string;
    readonly artifact: (planId: string, name: string, signal: AbortSignal) => Promise<Blob>;
    readonly artifactUrl: (planId: string, name: string) => string;
  };

export type GatewayDeps = { readonly fetch: typeof fetch; readonly apiKey: ApiKey };

const JSON_TYPE = "application/json";

export function createGateway({ fetch, apiKey }: GatewayDeps): Gateway {
  const send = async (path: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> => {
    for (;;) {
      const key = apiKey.current();
      const headers = new Headers(init.headers);
      if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
      const response = await fetch(path, { ...init, headers }).catch((cause: unknown) => {
        throw init.signal.aborted ? cause : unreachable(cause);
      });
      if (response.ok) return response;
      if (response.status !== 401) throw await readProblem(response);
      await apiKey.ask(key);
      init.signal.throwIfAborted();
    }
  };
  const get = async <Body>(path: string, signal: AbortSignal): Promise<Body> => {
    const response = await send(path, { headers: { accept: JSON_TYPE }, signal });
    // The gateway answers by the types of api-types.ts; it also serves this page, so both are of one version.
    return (await response.json()) as Body;
  };
  const ask = (path: string, body: object | undefined, signal: AbortSignal): Promise<Response> => {
    const content =
      body === undefined ? {} : { headers: { "content-type": JSON_TYPE }, body: JSON.stringify(body) };
    return send(path, { method: "POST", signal, ...content });
  };
  const post = async (...request: Parameters<typeof ask>): Promise<void> => void (await ask(...request));
  return {
    system: (signal) => get("/v1/system", signal),
    plans: (query, signal) => get(`/v1/plans?${searchOf(query)}`, signal),
    countPlans: (views, signal) =>
      get(`/v1/plans/counts?${views.map((view) => `of=${encodeURIComponent(view)}`).join("&")}`, signal),
    plan: (planId, signal) => get(planPath(planId), signal),
    events: (planId, after, signal) => get(`${planPath(planId)}/events?after=${after}`, signal),
    trace: (planId, signal) => get(`${planPath(planId)}/trace`, signal),
    check: async (plan, signal) => readIssues(await (await ask("/v1/plans/check", { plan }, signal)).json()),
    preview: async (request, signal) =>
      (await (await ask("/v1/plans/preview", request, signal)).json()) as Preview,
    sources: (signal) => get("/v1/data", signal),
    planAt: (planId, seq, signal) => get(`${planPath(planId)}?seq=${seq}`, signal),
    cancel: (planId, signal) => post(`${planPath(planId)}/cancel`, undefined, signal),
    pause: (planId, signal) => post(`${planPath(planId)}/pause`, undefined, signal),
    resume: (planId, signal) => post(`${planPath(planId)}/resume`, undefined, signal),
    rate: (planId, said, signal) => post(`${planPath(planId)}/feedback`, said, signal),
    decide: (planId, approvalId, decision, signal) =>
      post(`${planPath(planId)}/approvals/${encodeURIComponent(approvalId)}`, decision, signal),
    pendingApprovals: (signal) => get("/v1/approvals", signal),
    tools: (signal) => get("/v1/tools", signal),
    workers: (signal) => get("/v1/workers", signal),
    ...deadLetterCalls({ get, ask, send }),
    ...newPlanCalls({ get, send }),
    kpis: (query, signal) => get(`/v1/metrics?${searchOf(query)}`, signal),
    artifact: async (planId, name, signal) => (await send(artifactUrl(planId, name), { signal })).blob(),
    artifactUrl,
    continuity: async (planId, signal) =>
      (await send(continuityUrl(planId), { headers: { accept: "text/markdown" }, signal })).blob(),
    continuityUrl,
  };
}

function planPath(planId: string): string {
  return `/v1/plans/${encodeURIComponent(planId)}`;
}

function continuityUrl(planId: string): string {
  return `${planPath(planId)}/continuity.md`;
}

/** Names may have folders in them; each part is encoded by itself. */
function artifactUrl(planId: string, name: string): string {
  return `${planPath(planId)}/artifacts/${name.split("/").map(encodeURIComponent).join("/")}`;
}

function searchOf(query: PlanQuery): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== "") search.set(name, `${value}`);
  return search.toString();
}

function unreachable(cause: unknown): ApiError {
  return new ApiError("The gateway cannot be reached.", { status: 0, code: "unreachable" }, { cause });
}
