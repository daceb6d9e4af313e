import type { StepResult } from "../../prompt/plan-prompt.ts";
import { WRITE_UP } from "../plan/add-outputs.ts";
import { formatValue, shorten } from "../text/format-value.ts";
import { isQuestionlessText, isUnableText } from "../write/unable-text.ts";
import { bestPassage, quoteHit, relevantHits } from "./quote-passages.ts";
import { type Output, readOutput } from "./read-output.ts";
import { tellRows } from "./tell-rows.ts";

/** One step's result in words. */
export type Told = {
  readonly stepId: string;
  /** Empty when there is nothing to say. */
  readonly text: string;
  /** Something was found: the step is a source of the answer. */
  readonly isFinding: boolean;
  /** The step wrote the other findings up. */
  readonly isWriteUp: boolean;
  /** A file or chart: told beside a text that writes everything up. */
  readonly isOutput: boolean;
  /** The step says that rules cannot do it. */
  readonly isUnable: boolean;
  /** The step says that the goal asks for nothing. */
  readonly isQuestionless: boolean;
};

export function tellOutput(result: StepResult, goal: string): Told {
  const output = readOutput(result.output);
  const subject = result.description.replace(/^Search for: /, "") || goal;
  const { text, isFinding } = tell(output, { subject, description: result.description || result.id });
  const isUnable = output.kind === "text" && isUnableText(output.text);
  return {
    stepId: result.id,
    text,
    isFinding: isFinding && !isUnable,
    isWriteUp: result.description.startsWith(WRITE_UP),
    isOutput: output.kind === "saved" || output.kind === "drawn",
    isUnable,
    isQuestionless: output.kind === "text" && isQuestionlessText(output.text),
  };
}

type Words = { readonly text: string; readonly isFinding: boolean };

function tell(output: Output, { subject, description }: { subject: string; description: string }): Words {
  switch (output.kind) {
    case "rows": {
      const text = tellRows(output.rows, { description, truncated: output.truncated });
      return text === null ? nothing(`${description}: no row matches.`) : found(text);
    }
    case "hits": {
      const relevant = relevantHits(output.hits, subject);
      if (relevant.length > 0)
        return found(
          `About “${shorten(subject, 100)}”: ${relevant.map((hit) => quoteHit(hit, subject)).join(" ")}`,
        );
      const nearest =
        output.hits[0] === undefined ? "" : ` The nearest passage is ${quoteHit(output.hits[0], subject)}.`;
      return nothing(`Nothing was found about “${shorten(subject, 100)}”.${nearest}`);
    }
    case "page": {
      const title = output.title === "" ? "" : `${output.title}: `;
      return output.text.trim() === ""
        ? nothing(`${output.url} has no text.`)
        : found(`${title}“${bestPassage(output.text, subject)}” (${output.url})`);
    }
    case "saved":
      return found(`Saved ${output.path} (${formatValue(output.bytes)} bytes).`);
    case "drawn":
      return found(`The chart “${description.replace(/^Draw: /, "")}” is among the artifacts.`);
    case "text":
      return output.text.trim() === "" ? nothing("") : found(output.text.trim());
    case "value":
      return found(`${description.replace(/^Calculate /, "")} = ${formatValue(output.value)}.`);
    case "other":
      return output.value === null || output.value === undefined
        ? nothing("")
        : found(`${description}: ${shorten(formatValue(output.value), 600)}`);
    default:
      return output satisfies never;
  }
}

function found(text: string): Words {
  return { text, isFinding: true };
}

function nothing(text: string): Words {
  return { text, isFinding: false };
}
