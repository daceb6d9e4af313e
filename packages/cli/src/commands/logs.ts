import { styleText } from "node:util";
import type { NumberedEvent, PlanEvent } from "@planwright/client";
import { eventText } from "@planwright/plan/event-text";
import { oneLine } from "@planwright/shared/terminal";
import { Command } from "commander";
import { z } from "zod";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { sequenceNumber } from "../option-values.ts";
import type { Output } from "../output/create-output.ts";
import { findPlanId, PLAN_ARGUMENT } from "../plans/short-ids.ts";
import { storedEvents } from "../plans/stored-events.ts";
import { watchPlan } from "../plans/watch-plan.ts";

const WatchOptions = z.object({
  after: z.number().default(0),
  wait: z.boolean().default(false),
});

const Options = z.object({
  follow: z.boolean().default(false),
  after: z.number().default(0),
  step: z.string().optional(),
});

/** `planwright logs`: prints the events of a plan, one per line. */
export function logsCommand(context: CommandContext): Command {
  return new Command("logs")
    .description("Print the events of a plan, one per line (with --json: raw events)")
    .argument("<plan>", PLAN_ARGUMENT)
    .option("-f, --follow", "Continue with new events until the plan ends")
    .option("--step <step>", "Only events of this step")
    .option("--after <sequence>", "Start after this event", sequenceNumber)
    .action(async (plan: string, given: unknown, command: Command) => {
      const { follow, after, step } = Options.parse(given);
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const planId = await findPlanId(client, plan);
      const detaching = new AbortController();
      const detach = () => detaching.abort(new CliError(EXIT.detached, detachedText(planId)));
      if (follow) process.once("SIGINT", detach);
      try {
        const events = follow
          ? client.plans.events(planId, { after, signal: detaching.signal })
          : storedEvents(client, planId, after);
        for await (const numbered of events)
          if (step === undefined || isAbout(numbered.event, step)) print(numbered, output);
      } finally {
        process.off("SIGINT", detach);
      }
    });
}

function detachedText(planId: string): string {
  return `detached; the plan continues. Follow it again with: ${COMMAND} logs --follow ${planId}`;
}

function isAbout({ data }: PlanEvent, step: string): boolean {
  if ("stepId" in data) return data.stepId === step;
  if ("stepIds" in data) return data.stepIds.some((one) => one === step);
  return "step" in data && data.step.id === step;
}

function print({ seq, event }: NumberedEvent, output: Output): void {
  if (output.kind === "json") {
    output.record({ seq, event });
    return;
  }
  const time = output.kind === "terminal" ? clockTime(event.at) : event.at;
  const number = String(seq).padStart(NUMBER_CHARS);
  const type = styleText(styleOf(event), event.type.padEnd(TYPE_CHARS));
  output.line(`${styleText("dim", `${time} ${number}`)}  ${type}  ${oneLine(eventText(event))}`.trimEnd());
}

const NUMBER_CHARS = 4;
const TYPE_CHARS = 18;

/** The local time of day. */
function clockTime(at: string): string {
  return new Date(at).toLocaleTimeString("en-GB");
}

function styleOf({ type, data }: PlanEvent): "red" | "green" | "yellow" | "cyan" | "reset" {
  if (type === "step.failed" || type === "log.damaged") return "red";
  if (type === "plan.ended") return data.outcome === "succeeded" ? "green" : "red";
  if (type === "step.succeeded") return "green";
  if (type === "approval.requested") return "yellow";
  return type === "step.started" ? "cyan" : "reset";
}

/** `planwright watch`: follows a plan, then prints its answer. */
export function watchCommand(context: CommandContext): Command {
  return new Command("watch")
    .description("Follow a plan until it ends and print the answer (with --json: one line per event)")
    .argument("<plan>", PLAN_ARGUMENT)
    .option("--after <sequence>", "With --json: start after this event", sequenceNumber)
    .option("--wait", "Keep waiting while approvals are pending")
    .action(async (plan: string, given: unknown, command: Command) => {
      const { after, wait } = WatchOptions.parse(given);
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const planId = await findPlanId(client, plan);
      context.endWith(await watchPlan({ client, output, planId, after, waits: wait }));
    });
}
