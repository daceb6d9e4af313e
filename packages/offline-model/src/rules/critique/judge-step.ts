/** Whether a step has delivered anything at all, and how much of what was asked for it names. */
import type { StepCritiquePrompt } from "../../prompt/critique-prompt.ts";
import { readOutput } from "../judge/read-output.ts";
import { tellOutput } from "../judge/tell-output.ts";
import { coverage } from "../text/words.ts";
import { type Findings, findingsOf } from "./findings.ts";

export function judgeStep({ goal, step, output }: StepCritiquePrompt): Findings {
  const { description, successCriteria, expectedOutput } = step;
  const wanted = [successCriteria ?? "", expectedOutput ?? ""].join(" ").trim() || description || goal;
  const told = tellOutput({ id: "step", description, tool: "", status: "succeeded", output }, goal);
  const said = typeof output === "string" ? output : JSON.stringify(output ?? "");
  const issues: string[] = [];
  const isText = readOutput(output).kind === "text" || typeof output === "string";
  if (told.isUnable && isText) issues.push("The text says that it could not be written.");
  else if (!told.isFinding) issues.push("The output has nothing in it.");
  const looked = "whether there is an output, and how many words of what was wanted it names";
  return findingsOf(issues, { looked, likeness: coverage(wanted, said) });
}
