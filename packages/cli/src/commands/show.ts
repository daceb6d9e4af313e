import { formatDuration, formatUsd } from "@planwright/plan/amounts";
import { planAsMarkdown, planAsMermaid } from "@planwright/plan/export";
import { statusLabel } from "@planwright/plan/status-label";
import { strategyName } from "@planwright/plan/strategy-name";
import type { PlanView } from "@planwright/client";
import { Command, Option } from "commander";
import { oneLine } from "@planwright/shared/terminal";
import { styleText } from "node:util";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Output } from "../output/create-output.ts";
import { approvalLines, lateEffectLines, progressText, stepLine, waitText } from "../plans/plan-text.ts";
import { findPlanId, PLAN_ARGUMENT, shortId } from "../plans/short-ids.ts";
import { shownAnswer } from "../plans/show-answer.ts";

const FORMATS = { markdown: planAsMarkdown, mermaid: planAsMermaid } as const;

/** `planwright show`: prints the current state of a plan. */
export function showCommand(context: CommandContext): Command {
  return new Command("show")
    .description("Show a plan with its steps, pending approvals and answer")
    .argument("<plan>", PLAN_ARGUMENT)
    .addOption(
      new Option(
        "--format <format>",
        "Print a report in Markdown, or the steps as a Mermaid diagram",
      ).choices(Object.keys(FORMATS)),
    )
    .action(async (plan: string, { format }: { format?: keyof typeof FORMATS }, command: Command) => {
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const view = await client.plans.get(await findPlanId(client, plan));
      if (format !== undefined)
        return output.result(view, () => output.line(FORMATS[format](view).trimEnd()));
      const answer = view.ended ? await shownAnswer(view, output) : "";
      output.result(view, () => {
        for (const line of headLines(view, output)) output.line(line);
        for (const step of view.steps) output.line(stepLine(view, step));
        for (const line of approvalLines(view)) output.line(line);
        for (const line of lateEffectLines(view)) output.line(oneLine(line));
        if (view.ended) output.line(`\n${answer}`);
      });
      const id = shortId(view.planId);
      const { id: stepId } = view.steps.find(({ status }) => status === "failed") ??
        view.steps[0] ?? { id: "STEP" };
      output.note(
        `\nA step in detail: ${COMMAND} step ${id} ${stepId}\nIn the browser: ${COMMAND} open ${id}`,
      );
    });
}

function headLines(view: PlanView, { kind, time }: Output): string[] {
  const { planId, goal, status, answer, strategy, traceId, submittedAt, endedAt } = view;
  const waits = waitText(view);
  const id = kind === "terminal" ? shortId(planId) : planId;
  const cost = view.usage.costUsd;
  const facts = [
    `plan ${id}`,
    `submitted ${time(submittedAt)}`,
    ...(endedAt === undefined
      ? []
      : [`took ${formatDuration(Math.max(0, Date.parse(endedAt) - Date.parse(submittedAt)))}`]),
    ...(cost === null || cost === 0 ? [] : [formatUsd(cost)]),
  ];
  return [
    styleText("bold", oneLine(goal)),
    [statusLabel(status, answer?.status), progressText(view), strategyName(strategy), `trace ${traceId}`]
      .filter(Boolean)
      .join("  "),
    styleText("dim", facts.join("  ")),
    ...(waits === "" ? [] : [waits]),
  ];
}
