import type { DraftEnd, Issue } from "@planwright/plan";
import type { ModelReply } from "@planwright/shared/model";

/** Why a reply is no whole draft; nothing when it is one. The messages are for the model that tries again. */
export function issuesOfReply(reply: Pick<ModelReply, "finishReason" | "text">, end: DraftEnd): Issue[] {
  const { finishReason } = reply;
  if (finishReason === "refusal" || finishReason === "content_filter") {
    const said = finishReason === "refusal" ? `: ${reply.text.slice(0, 300)}` : "";
    return [
      { code: "refused", field: "", message: `the model declined to plan this (${finishReason})${said}` },
    ];
  }
  if (end.status === "complete") return [];
  if (finishReason === "length") {
    const message = `the reply was cut off after ${end.steps} steps; write a plan with fewer or shorter steps`;
    return [{ code: "truncated", field: "steps", message }];
  }
  return [{ code: "malformed", field: "", message: end.message }];
}
