import { spawn } from "node:child_process";
import { once } from "node:events";
import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { findPlanId, PLAN_ARGUMENT } from "../plans/short-ids.ts";

/** The programs that open an address, by platform. `explorer` and `open` come with the system. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly Opener[]>>> = {
  darwin: [["open"]],
  win32: [["explorer"]],
};
/** On other systems, a machine without any of these variables has no screen, and would start a browser for a text terminal. */
const SCREENS = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"];
const OTHERS: readonly Opener[] = [["xdg-open"], ["wslview"], ["gio", "open"]];

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

type Opener = readonly [command: string, ...args: string[]];

/**
 * Opens a web address in the user's browser. No shell reads the address.
 *
 * @param env - PATH locates the program; BROWSER names another one.
 * @returns Whether a program for it was started.
 */
async function openAddress(
  url: URL,
  { platform = process.platform, env }: { readonly platform?: NodeJS.Platform; readonly env: Environment },
): Promise<boolean> {
  const browser = env["BROWSER"];
  const hasScreen = OPENERS[platform] !== undefined || SCREENS.some((name) => Boolean(env[name]));
  const known = hasScreen ? (OPENERS[platform] ?? OTHERS) : [];
  const openers: readonly Opener[] = browser ? [[browser], ...known] : known;
  for (const [command, ...args] of openers) {
    if (await starts(command, [...args, url.href], env)) return true;
  }
  return false;
}

type Environment = Readonly<Record<string, string | undefined>>;

async function starts(command: string, args: readonly string[], env: Environment): Promise<boolean> {
  const child = spawn(command, args, { env, stdio: "ignore", detached: true });
  child.unref();
  try {
    // Rejects when the program does not exist.
    await once(child, "spawn");
    return true;
  } catch {
    return false;
  }
}
