import type { Planwright, PlanStatus } from "@planwright/client";
import type { Candidate, WantedWord } from "./wanted-word.ts";

/** The maximum number of plans to offer, newest first. */
const PLANS_MAX = 50;

/** The status of the plans that a command applies to. */
const STATUS_FOR: Readonly<Record<string, PlanStatus>> = {
  approve: "awaiting-approval",
  reject: "awaiting-approval",
  answer: "awaiting-approval",
  resume: "paused",
};

/** Returns the values that the gateway knows for this word; none for free text. */
export async function valuesOf(
  client: Planwright,
  { of, command, before }: Extract<WantedWord, { kind: "value" }>,
): Promise<readonly Candidate[]> {
  const [planId] = before;
  switch (of) {
    case "plan":
    case "left":
    case "right": {
      const status = STATUS_FOR[command];
      const { plans } = await client.plans.list({ limit: PLANS_MAX, status }).firstPage();
      return plans.map((plan) => ({ value: plan.planId, description: plan.goal }));
    }
    case "approval": {
      const { approvals } = await client.plans.get(planId ?? "");
      const pending = approvals.filter(({ status }) => status === "pending");
      return pending.map(({ approvalId, question }) => ({ value: approvalId, description: question }));
    }
    case "step": {
      const { steps } = await client.plans.get(planId ?? "");
      return steps.map(({ id, description, tool }) => ({ value: id, description: description || tool }));
    }
    case "tool":
      return (await client.tools.list()).tools.map(described);
    case "source": {
      const sources = await client.data.list();
      return sources.map(({ name, kind }) => ({ value: name, description: kind }));
    }
    case "group": {
      const { groups } = await client.deadLetters.list({ limit: 1 }).firstPage();
      return groups.map(({ group, cause }) => ({ value: group, description: cause }));
    }
    case "status":
      return (await import("@planwright/plan")).PlanView.shape.status.options.map(bare);
    case "strategy":
      return (await import("@planwright/plan")).Strategy.options.map(bare);
    default:
      return [];
  }
}

function described({ name, description }: { name: string; description: string }): Candidate {
  return { value: name, description };
}

function bare(value: string): Candidate {
  return { value, description: "" };
}
