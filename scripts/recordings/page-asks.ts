/** The requests of each part of the page, exactly as the page makes them. */
import type { SystemClient } from "@planwright/testkit";

const VIEWS = ["", "status=open", "needs=approval", "status=failed&since=2026-01-01T00:00:00.000Z"];

/** The top bar and the list of plans, which every page shows. */
export function shell(): string[] {
  const counted = new URLSearchParams(VIEWS.map((view) => ["of", new URLSearchParams(view).toString()]));
  return ["/v1/system", "/v1/plans?limit=50", `/v1/plans/counts?${counted.toString()}`];
}

/** The pages about the whole system. */
export function systemPages(): string[] {
  return [
    "/v1/tools",
    "/v1/workers",
    "/v1/dead-letters?limit=1",
    "/v1/metrics?last=week&period=auto&compare=previous&slowest=10",
    "/v1/approvals",
    "/v1/data",
    "/v1/plans?q=&limit=20",
  ];
}

/** A plan, its log to the end and from there on, and its trace. */
export async function planPage(client: SystemClient, planId: string): Promise<string[]> {
  const plan = `/v1/plans/${planId}`;
  const { seq } = await client.view(planId);
  return [plan, `${plan}/events?after=0`, `${plan}/events?after=${seq}`, `${plan}/trace`];
}
