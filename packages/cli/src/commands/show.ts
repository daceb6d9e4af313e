import { statusLabel } from "@planwright/plan/status-label";
import { strategyName } from "@planwright/plan/strategy-name";
import { Command } from "commander";
import { oneLine } from "@planwright/shared/terminal";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import {
  answerText,
  approvalLines,
  lateEffectLines,
  progressText,
  stepLine,
  waitText,
} from "../plans/plan-text.ts";

/** `planwright show`: prints the current state of a plan. */
export function showCommand(context: CommandContext): Command {
  return new Command("show")
    .description("Show a plan with its steps, pending approvals and answer")
    .argument("<plan>", "Plan ID")
    .action(async (planId: string, _options: unknown, command: Command) => {
      const view = await clientOf(command, context).plans.get(planId);
      const output = outputOf(command, context);
      output.result(view, () => {
        output.line(oneLine(view.goal));
        output.line(
          `${statusLabel(view.status, view.answer?.status)}  ${progressText(view)}  ${strategyName(view.strategy)}  trace ${view.traceId}`,
        );
        const waits = waitText(view);
        if (waits !== "") output.line(waits);
        for (const step of view.steps) output.line(stepLine(view, step));
        for (const line of approvalLines(view)) output.line(line);
        for (const line of lateEffectLines(view)) output.line(oneLine(line));
        if (view.ended) output.line(`\n${answerText(view)}`);
      });
    });
}
