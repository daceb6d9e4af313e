import { type Accepted, Planwright } from "@planwright/client";
import { PlanEvent, PlanId, PlanView } from "@planwright/plan";

export type { Accepted };
export type SeenEvent = { readonly seq: number; readonly event: PlanEvent };
type From = { readonly after?: number; readonly signal?: AbortSignal };

/**
 * The client for tests: it remembers the plans that it submitted, retries no call, and checks plans and
 * events against their schemas.
 */
export type SystemClient = {
  /** Client for every endpoint of the gateway. */
  readonly api: Planwright;
  /** The ids of the plans submitted through it, the oldest first. */
  readonly submitted: readonly PlanId[];
  /** Sends any request, without checks. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** @throws {ProblemError} When it is rejected. */
  submit(body: object, headers?: Record<string, string>): Promise<Accepted>;
  view(planId: string): Promise<PlanView>;
  /** The plan's events after `from`, over as many connections as it takes, until the plan has ended. */
  events(planId: string, from?: From): AsyncGenerator<SeenEvent>;
  /** The events of a single connection, for tests of the stream itself. @throws When the connection breaks. */
  stream(planId: string, from?: From): AsyncGenerator<SeenEvent>;
  /** Follows the plan to its end and returns its final view. */
  ended(planId: string): Promise<PlanView>;
};

const ENDED_WITHIN_MS = 60_000;

export function createClient(url: string): SystemClient {
  const options = { baseUrl: url, maxRetries: 0 };
  const api = new Planwright(options);
  const submitted: PlanId[] = [];
  const client: SystemClient = {
    api,
    submitted,
    fetch: (path, init) => api.fetch(path, init),
    async submit(body, { "idempotency-key": idempotencyKey, traceparent, ...headers } = {}) {
      const submitting = new Planwright({ ...options, headers });
      // Tests also submit what the gateway has to reject.
      const submission = body as Parameters<typeof submitting.plans.submit>[0];
      const accepted = await submitting.plans.submit(submission, { idempotencyKey, traceparent });
      submitted.push(PlanId.parse(accepted.planId));
      return accepted;
    },
    view: async (planId) => PlanView.parse(await api.plans.get(planId)),
    async *events(planId, { after = 0, signal = AbortSignal.timeout(ENDED_WITHIN_MS) } = {}) {
      for await (const { seq, event } of api.plans.events(planId, { after, signal })) {
        yield { seq, event: PlanEvent.parse(event) };
      }
    },
    async *stream(planId, { after = 0, signal = AbortSignal.timeout(ENDED_WITHIN_MS) } = {}) {
      const headers = { accept: "text/event-stream", "last-event-id": String(after) };
      const response = await api.fetch(`/v1/plans/${planId}/events`, { headers, signal });
      if (!response.ok || response.body === null) throw new Error(`events responded with ${response.status}`);
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

/** One message of a `text/event-stream`; comments and other fields are skipped. */
type SseMessage = { readonly id: string; readonly event: string; readonly data: string };

/** Reads server-sent events according to the HTML standard. */
async function* readSse(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<SseMessage> {
  let rest = "";
  let id = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    rest += piece;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      let event = "message";
      const data: string[] = [];
      for (const line of block.split(/\r?\n/)) {
        const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
        if (field === "id") id = value;
        else if (field === "event") event = value;
        else if (field === "data") data.push(value);
      }
      if (data.length > 0) yield { id, event, data: data.join("\n") };
    }
  }
}
