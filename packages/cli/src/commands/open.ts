import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { openAddress } from "../open-address.ts";
import { findPlanId, PLAN_ARGUMENT } from "../plans/short-ids.ts";

const Options = z.object({ print: z.boolean().default(false) });

/** `planwright open`: opens the dashboard in the browser. */
export function openCommand(context: CommandContext): Command {
  return new Command("open")
    .description("Open the dashboard, or the page of a plan or step, in the browser")
    .argument("[plan]", PLAN_ARGUMENT)
    .argument("[step]", "Step ID")
    .option("--print", "Print the address instead of opening it")
    .action(async (plan: string | undefined, step: string | undefined, given: unknown, command: Command) => {
      const { print } = Options.parse(given);
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const url = new URL(`${client.baseUrl.replace(/\/$/, "")}/`);
      if (plan !== undefined) {
        // A plan that does not exist has no page.
        const { planId } = await client.plans.get(await findPlanId(client, plan));
        url.pathname += `plans/${encodeURIComponent(planId)}`;
        if (step !== undefined) url.searchParams.set("step", step);
      }
      const { href } = url;
      if (print || output.kind === "json") {
        output.result({ url: href }, () => output.line(href));
        return;
      }
      output.note(`Opening ${href}`);
      if (await openAddress(url, { env: context.env })) return;
      throw new CliError(EXIT.failed, `no program opens addresses here: open ${href} in a browser`, {
        hint: "Set BROWSER to the browser's command, or use --print.",
      });
    });
}
