/** The strategy `code`: the model writes a program, and the program is the plan. */
import {
  codePlan,
  DATA_APPLY,
  DATA_DRYRUN,
  extractProgram,
  type Issue,
  issuesOfProgram,
  NO_USAGE,
  type Program,
  programSource,
} from "@planwright/plan";
import { type ModelReply, planUsage } from "@planwright/shared/model";
import type { DataSource } from "@planwright/shared/tools";
import type { StepsBuilder } from "./draft-builder.ts";
import type { DraftRequest, ModelAccess } from "./draft-request.ts";
import { type FailedDraft, failedDraft, finishWhole, type WrittenDraft } from "./finish-draft.ts";
import { issuesOfRefusal } from "./draft-with-model.ts";
import { programPrompt } from "./program-prompt.ts";

/** Asks for one program over one data source, and plans its dry run and the making of its changes. */
export async function draftProgram(
  request: DraftRequest,
  builder: StepsBuilder,
  { model, trace, signal }: ModelAccess,
): Promise<WrittenDraft> {
  const { goal, tools, language = "javascript" } = request;
  const source = programSource(request.sources);
  if (source === undefined) return without(whichSource(request.sources));
  if (!tools.has(DATA_DRYRUN)) return without(`no worker offers ${DATA_DRYRUN}, in which programs run`);
  const prompt = programPrompt.render({ ...request, language, source });
  let received = "";
  const onText = (piece: string): void => {
    received += piece;
  };
  const onRestart = (): void => {
    received = "";
  };
  try {
    const reply = await model.complete({ ...prompt, onText, onRestart, trace, signal });
    const usage = planUsage(reply.usage);
    const program = extractProgram(reply.text, language);
    const issues = issuesOf(reply, program);
    if (program === undefined || issues.length > 0) return { status: "invalid", issues, usage };
    const applies = source.writable === true && tools.has(DATA_APPLY);
    return finishWhole(builder, codePlan(program, { goal, source: source.name, applies }), { usage });
  } catch (error) {
    signal.throwIfAborted();
    return failedDraft(error, { sent: prompt.messages, received });
  }
}

function issuesOf(reply: ModelReply, program: Program | undefined): Issue[] {
  const refused = issuesOfRefusal(reply);
  if (refused.length > 0) return refused;
  if (reply.finishReason === "length") {
    const message = "the reply was cut off; write a shorter program, and nothing around it";
    return [{ code: "truncated", field: "", message }];
  }
  if (program !== undefined) return issuesOfProgram(program);
  return [{ code: "no_program", field: "", message: "wanted a program, got an empty reply" }];
}

function whichSource(sources: readonly DataSource[]): string {
  const names = sources.map(({ name }) => name).join(", ");
  const known = names === "" ? "there is none" : `there are: ${names}`;
  return `a program is written for one data source, which the submission names in "data"; ${known}`;
}

/** Sources and workers may yet come. */
function without(message: string): FailedDraft {
  return { status: "model_failed", message, retryable: true, usage: NO_USAGE };
}
