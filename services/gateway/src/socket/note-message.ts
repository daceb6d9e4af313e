import type { ServerMessage } from "@planwright/api";
import { z } from "zod";
import type { Auditor, Noted } from "../audit/auditor.ts";

/** The equivalent HTTP call, by message type. */
const ACTIONS: Readonly<Record<string, string>> = {
  submit: "submitPlan",
  watch: "getEvents",
  cancel: "cancelPlan",
  pause: "pausePlan",
  resume: "resumePlan",
  approve: "decideApproval",
  reject: "decideApproval",
  answer: "decideApproval",
};

const Named = z.object({
  type: z.string(),
  planId: z.string().optional(),
  approvalId: z.string().optional(),
});

/** Records a client's message and its outcome in the audit log. */
export async function noteMessage(
  {
    message,
    answer,
    request,
  }: {
    readonly message: unknown;
    readonly answer: ServerMessage;
    readonly request: Noted["caller"] & { readonly ip: string };
  },
  { auditor }: { readonly auditor: Auditor },
): Promise<void> {
  const named = Named.safeParse(message).data;
  const action = named === undefined ? undefined : ACTIONS[named.type];
  if (named === undefined || action === undefined) return;
  const { type, ...on } = named;
  await auditor.note({
    caller: request,
    action,
    via: "websocket",
    on: {
      ...on,
      ...(action === "decideApproval" ? { decision: type } : {}),
      ...(answer.type === "accepted" ? { planId: answer.planId } : {}),
    },
    from: request.ip,
    outcome: answer.type === "error" ? answer.code : "done",
  });
}
