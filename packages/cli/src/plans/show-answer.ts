import type { PlanView } from "@planwright/client";
import type { Output } from "../output/create-output.ts";
import { answerText, plainLines } from "./plan-text.ts";

/** Returns the answer of a plan: Markdown is rendered for a terminal, and stays plain text elsewhere. */
export async function shownAnswer(
  view: Pick<PlanView, "answer" | "reason" | "status">,
  output: Output,
): Promise<string> {
  return answerText(view, await textRenderer(output));
}

/** Returns the function that renders untrusted text, which may be Markdown. */
export async function textRenderer({ kind, size }: Output): Promise<(text: string) => string> {
  if (kind !== "terminal") return plainLines;
  // Loaded here: other commands need no parser.
  const { markdownText } = await import("../output/markdown.ts");
  return (text) => markdownText(text, size().columns);
}
