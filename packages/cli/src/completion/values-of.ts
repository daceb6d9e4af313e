import { z } from "zod";
import type { Client } from "../client/create-client.ts";
import { readPlan } from "../plans/read-plan.ts";
import type { Candidate, WantedWord } from "./wanted-word.ts";

/** So many plans are offered, the newest first. */
const PLANS_MAX = 50;

const Plans = z.object({ plans: z.array(z.object({ planId: z.string(), goal: z.string() })) });
const Named = z.object({ name: z.string() });
const Tools = z.object({ tools: z.array(z.object({ ...Named.shape, description: z.string() })) });
const Sources = z.object({ sources: z.array(z.object({ ...Named.shape, kind: z.string() })) });
const Groups = z.object({ groups: z.array(z.object({ group: z.string(), cause: z.string() })) });

/** Which plans a command is about. */
const STATUS_FOR: Readonly<Record<string, string>> = {
  approve: "awaiting-approval",
  reject: "awaiting-approval",
  answer: "awaiting-approval",
  resume: "paused",
};

/** What the gateway knows that would fit; nothing for words of a person's own. */
export async function valuesOf(
  client: Client,
  { of, command, before }: Extract<WantedWord, { kind: "value" }>,
): Promise<readonly Candidate[]> {
  const [planId] = before;
  switch (of) {
    case "plan": {
      const status = STATUS_FOR[command];
      const query = `limit=${PLANS_MAX}${status === undefined ? "" : `&status=${status}`}`;
      const { plans } = await client.get(`/v1/plans?${query}`, Plans);
      return plans.map((plan) => ({ value: plan.planId, description: plan.goal }));
    }
    case "approval": {
      const { approvals } = await readPlan(client, planId ?? "");
      const pending = approvals.filter(({ status }) => status === "pending");
      return pending.map(({ approvalId, question }) => ({ value: approvalId, description: question }));
    }
    case "step": {
      const { steps } = await readPlan(client, planId ?? "");
      return steps.map(({ id, description, tool }) => ({ value: id, description: description || tool }));
    }
    case "tool":
      return (await client.get("/v1/tools", Tools)).tools.map(described);
    case "source": {
      const { sources } = await client.get("/v1/data", Sources);
      return sources.map(({ name, kind }) => ({ value: name, description: kind }));
    }
    case "group": {
      const { groups } = await client.get("/v1/dead-letters?limit=1", Groups);
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
