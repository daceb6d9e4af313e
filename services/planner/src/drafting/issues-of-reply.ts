import type { DraftEnd, Issue } from "@planwright/plan";
import { type ModelReply, REASONING_ONLY } from "@planwright/shared/model";
import type { DraftFormat } from "./draft-request.ts";

type Reply = Pick<ModelReply, "finishReason" | "text" | "reasoningOnly">;

/**
 * Why a reply is no whole draft; nothing when it is one. The messages are for the model that tries again.
 *
 * Only JSON shows that it is complete: of lines that were cut off, any may be missing.
 */
export function issuesOfReply(reply: Reply, end: DraftEnd, format: DraftFormat): Issue[] {
  const refused = issuesOfRefusal(reply);
  const isCutLines = format === "lines" && reply.finishReason === "length";
  if (refused.length > 0 || (end.status === "complete" && !isCutLines)) return refused;
  if (reply.reasoningOnly === true) return [{ code: "truncated", field: "", message: REASONING_ONLY }];
  if (reply.finishReason === "length") {
    const message = `the reply was cut off after ${end.steps} steps; write a plan with fewer or shorter steps`;
    return [{ code: "truncated", field: "steps", message }];
  }
  const message = "message" in end ? end.message : "the reply is not a plan";
  return [{ code: "malformed", field: "", message }];
}

/** One issue when the model has declined, none otherwise. */
export function issuesOfRefusal({ finishReason, text }: Reply): Issue[] {
  if (finishReason !== "refusal" && finishReason !== "content_filter") return [];
  const said = finishReason === "refusal" ? `: ${text.slice(0, 300)}` : "";
  return [
    { code: "refused", field: "", message: `the model declined to plan this (${finishReason})${said}` },
  ];
}
