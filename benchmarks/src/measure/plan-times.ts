import type { Planwright, SubmissionInput } from "@planwright/client";

/** The time of each plan from its submission to its end as seen by a client, in milliseconds; run one after the other. */
export async function planTimes(client: Planwright, body: SubmissionInput, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let plan = 0; plan < count; plan += 1) {
    const sentAt = performance.now();
    const { planId } = await client.plans.submit(body);
    await client.plans.wait(planId);
    times.push(performance.now() - sentAt);
  }
  return times;
}
