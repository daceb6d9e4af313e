import type { DraftEnd, Issue } from "@planwright/plan";
import type { ModelReply } from "@planwright/shared/model";

type Reply = Pick<ModelReply, "finishReason" | "text">;

/** Why a reply is no whole draft; nothing when it is one. The messages are for the model that tries again. */
export function issuesOfReply(reply: Reply, end: DraftEnd): Issue[] {
  const refused = issuesOfRefusal(reply);
  if (refused.length > 0 || end.status === "complete") return refused;
  if (reply.finishReason === "length") {
    const message = `the reply was cut off after ${end.steps} steps; write a plan with fewer or shorter steps`;
    return [{ code: "truncated", field: "steps", message }];
  }
  return [{ code: "malformed", field: "", message: end.message }];
}

/** One issue when the model has declined, none otherwise. */
export function issuesOfRefusal({ finishReason, text }: Reply): Issue[] {
  if (finishReason !== "refusal" && finishReason !== "content_filter") return [];
  const said = finishReason === "refusal" ? `: ${text.slice(0, 300)}` : "";
  return [
    { code: "refused", field: "", message: `the model declined to plan this (${finishReason})${said}` },
  ];
}
