import { PlanEvent, PlanId, PlanView } from "@planwright/plan";
import { z } from "zod";
import { readSse } from "./read-sse.ts";

const Accepted = z.object({ planId: PlanId, traceId: z.string() });
export type Accepted = z.infer<typeof Accepted>;

export type SeenEvent = { readonly seq: number; readonly event: PlanEvent };

/** What a program does with the gateway's HTTP interface. Every reply is checked against its schema. */
export type SystemClient = {
  /** The ids of the plans that were submitted through it, the oldest first. */
  readonly submitted: readonly PlanId[];
  /** Any request; nothing is checked. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** @throws When the answer is not 202. */
  submit(body: object, headers?: Record<string, string>): Promise<Accepted>;
  view(planId: string): Promise<PlanView>;
  /** The plan's facts as they come, from `after` on, until the plan has ended or the signal aborts. */
  events(planId: string, options?: { after?: number; signal?: AbortSignal }): AsyncGenerator<SeenEvent>;
  /** Follows the plan to its end and returns its view then. */
  ended(planId: string): Promise<PlanView>;
};

const ENDED_WITHIN_MS = 60_000;

export function createClient(url: string): SystemClient {
  const call = (path: string, init: RequestInit = {}): Promise<Response> => fetch(new URL(path, url), init);
  const submitted: PlanId[] = [];
  const client: SystemClient = {
    submitted,
    fetch: call,
    async submit(body, headers = {}) {
      const init = { method: "POST", body: JSON.stringify(body) };
      const response = await call("/v1/plans", {
        ...init,
        headers: { "content-type": "application/json", ...headers },
      });
      if (response.status !== 202)
        throw new Error(`submission answered ${response.status}: ${await response.text()}`);
      const accepted = Accepted.parse(await response.json());
      submitted.push(accepted.planId);
      return accepted;
    },
    async view(planId) {
      const response = await call(`/v1/plans/${planId}`);
      if (!response.ok) throw new Error(`view answered ${response.status}: ${await response.text()}`);
      return PlanView.parse(await response.json());
    },
    async *events(planId, { after = 0, signal = AbortSignal.timeout(ENDED_WITHIN_MS) } = {}) {
      const headers = { accept: "text/event-stream", "last-event-id": String(after) };
      const response = await call(`/v1/plans/${planId}/events`, { headers, signal });
      if (!response.ok || response.body === null) throw new Error(`events answered ${response.status}`);
      for await (const { id, data } of readSse(response.body)) {
        yield { seq: Number(id), event: PlanEvent.parse(JSON.parse(data)) };
      }
    },
    async ended(planId) {
      for await (const { event } of client.events(planId)) if (event.type === "plan.ended") break;
      return client.view(planId);
    },
  };
  return client;
}
