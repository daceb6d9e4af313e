import type { Accepted, Planwright } from "@planwright/client";
import { COMMAND, type CommandContext } from "../command-context.ts";
import type { Output } from "../output/create-output.ts";
import { watchPlan } from "./watch-plan.ts";

type Following = {
  readonly context: CommandContext;
  readonly client: Planwright;
  readonly output: Output;
  readonly watch: boolean;
  /** With `watch`: keep waiting while approvals are pending. */
  readonly wait: boolean;
};

/** Prints the id of a new plan, or watches the plan and sets the exit code by its outcome. */
export async function followAccepted(accepted: Accepted, following: Following): Promise<void> {
  const { planId } = accepted;
  const { context, client, output, watch, wait } = following;
  if (!watch) {
    output.result(accepted, () => output.line(planId));
    output.note(`Follow it with: ${COMMAND} watch ${planId}`);
    return;
  }
  output.progress(`plan ${planId}`);
  context.endWith(await watchPlan({ client, output, planId, after: 0, waits: wait }));
}
