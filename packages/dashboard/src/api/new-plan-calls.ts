/** The calls that make new plans: of a goal, or out of another plan. */
import type { Accepted, Fork, GoalRequest, JsonObject, Submission } from "./api-types.ts";

export type NewPlanCalls = {
  readonly submit: (request: GoalRequest, idempotencyKey: string, signal: AbortSignal) => Promise<Accepted>;
  /** What was submitted for a plan, to be submitted again. */
  readonly submission: (planId: string, signal: AbortSignal) => Promise<Submission>;
  /** Runs a plan again; `edits` replace fields of its submission. */
  readonly rerun: (
    planId: string,
    edits: JsonObject,
    idempotencyKey: string,
    signal: AbortSignal,
  ) => Promise<Accepted>;
  readonly fork: (planId: string, fork: Fork, signal: AbortSignal) => Promise<Accepted>;
};

type Deps = {
  readonly get: <Body>(path: string, signal: AbortSignal) => Promise<Body>;
  readonly send: (path: string, init: RequestInit & { signal: AbortSignal }) => Promise<Response>;
};

export function newPlanCalls({ get, send }: Deps): NewPlanCalls {
  const accept = async (
    path: string,
    body: object,
    { signal, idempotencyKey }: { readonly signal: AbortSignal; readonly idempotencyKey?: string },
  ): Promise<Accepted> => {
    const headers = new Headers({ "content-type": "application/json" });
    if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
    const response = await send(path, { method: "POST", headers, body: JSON.stringify(body), signal });
    // See `createGateway`: page and gateway are of one version.
    return (await response.json()) as Accepted;
  };
  const pathOf = (planId: string, rest: string): string => `/v1/plans/${encodeURIComponent(planId)}/${rest}`;
  return {
    submit: (body, idempotencyKey, signal) => accept("/v1/plans", body, { idempotencyKey, signal }),
    submission: (planId, signal) => get(pathOf(planId, "submission"), signal),
    rerun: (planId, edits, idempotencyKey, signal) =>
      accept(pathOf(planId, "rerun"), { edits }, { idempotencyKey, signal }),
    fork: (planId, fork, signal) => accept(pathOf(planId, "fork"), fork, { signal }),
  };
}
