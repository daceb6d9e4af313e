/** One of every object that a request can name, all of one tenant; and a request for each endpoint that names it. */
import { type Endpoint, ProblemBody, PROBLEM_TYPE } from "@planwright/api";
import { PlanId } from "@planwright/plan";
import { createPublish, deadLetterSubject, stepSubject } from "@planwright/shared/bus";
import { randomUUID } from "node:crypto";
import { ownPlan } from "./own-plan.ts";
import type { TestGateway, TestSystem } from "./start-gateway.ts";

/** A text that only the tenant's own responses may contain. */
export const SECRET = "verysecret";

export type Subject = { readonly planId: string; readonly approvalId: string };

/** A plan with a pending approval, and a data source. */
export async function createSubject(
  { bus }: Pick<TestSystem, "bus">,
  gateway: TestGateway,
  headers: Record<string, string>,
): Promise<Subject> {
  const plan = { steps: [{ id: "a", tool: "flow.echo", args: { value: SECRET } }] };
  const { planId } = await gateway.submit({ goal: SECRET, plan, approval: { plan: true } }, headers);
  await ownPlan(bus, planId);
  const csv = { ...headers, "content-type": "text/csv" };
  await gateway.post(`/v1/data?name=${SECRET}`, "a,b\n1,2", csv);
  return { planId, approvalId: "plan-0" };
}

/** Creates the objects that a call consumes, for each call. */
export async function prepare(
  endpoint: Endpoint,
  { bus }: Pick<TestSystem, "bus">,
  { gateway, planId, headers }: { gateway: TestGateway; planId: string; headers: Record<string, string> },
): Promise<Record<string, string>> {
  if (endpoint.path.startsWith("/v1/data/")) {
    const name = `s${randomUUID().slice(0, 8)}`;
    await gateway.post(`/v1/data?name=${name}`, `a,b\n1,${name}`, { ...headers, "content-type": "text/csv" });
    return { name };
  }
  if (endpoint.id === "endSessions") return { user: `u${randomUUID().slice(0, 8)}` };
  if (endpoint.id === "revokeKey") {
    const made = await gateway.post("/v1/keys", { name: "made", role: "viewer" }, headers);
    return { id: ((await made.json()) as { id: string }).id };
  }
  if (!endpoint.path.startsWith("/v1/dead-letters/:id")) return {};
  const step = { stepId: "a", item: 0, attempt: 1, sentAfter: 0, pool: "default" };
  const subject = deadLetterSubject(stepSubject({ ...step, planId: PlanId.parse(planId) }));
  const letter = { cause: SECRET, deliveries: 5, payload: SECRET };
  const { sequence } = await createPublish(bus)(subject, letter, { id: randomUUID() });
  return { id: String(sequence) };
}

const BODIES: Readonly<Record<string, unknown>> = {
  addSource: "a,b\n1,2",
  // Every role that may decide at all may reject.
  decideApproval: { decision: "reject" },
  callMcp: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
  receiveTraces: { resourceSpans: [] },
};
const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  addSource: { "content-type": "text/csv" },
  callMcp: { accept: "application/json, text/event-stream" },
};

type Sent = { readonly method: string; readonly headers: Record<string, string>; readonly body?: string };

/** A request to an endpoint under one of its paths. */
export function requestFor(
  { id, method, body, example }: Endpoint,
  path: string,
  names: Readonly<Record<string, string>>,
): { readonly url: string; readonly init: Sent } {
  const named = path
    .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(names[name] ?? "none"))
    .replace("*", "none.txt");
  const sent = BODIES[id] ?? example?.body ?? (method === "POST" && body !== undefined ? {} : undefined);
  const headers = { ...(sent === undefined ? {} : { "content-type": "application/json" }), ...HEADERS[id] };
  const text = typeof sent === "string" ? sent : JSON.stringify(sent);
  return {
    url: id === "addSource" ? `${named}?name=added` : named,
    init: { method, headers, ...(sent === undefined ? {} : { body: text }) },
  };
}

/** The status and the text of a response; of a stream, its first part. */
export async function answered(url: string, init: RequestInit): Promise<{ code: string; text: string }> {
  const response = await fetch(url, init);
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) {
    const reader = response.body?.getReader();
    const first = await reader?.read();
    await reader?.cancel();
    return { code: String(response.status), text: Buffer.from(first?.value ?? []).toString() };
  }
  const text = await response.text();
  if (!type.startsWith(PROBLEM_TYPE)) return { code: String(response.status), text };
  return { code: ProblemBody.parse(JSON.parse(text)).code, text };
}
