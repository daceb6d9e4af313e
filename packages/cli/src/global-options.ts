/** The options that every command has, read after the environment. */
import { Planwright, type Versions } from "@planwright/client";
import { oneLine } from "@planwright/shared/terminal";
import { VERSION } from "@planwright/shared/version";
import type { Command } from "commander";
import { z } from "zod";
import type { CommandContext, TextSink } from "./command-context.ts";
import { CliError, EXIT } from "./exit-codes.ts";
import { createOutput, type Output } from "./output/create-output.ts";

export const URL_DEFAULT = "http://127.0.0.1:8080";

const GlobalOptions = z.object({
  url: z.string().optional(),
  apiKey: z.string().optional(),
  json: z.boolean().default(false),
});

/** @throws {CliError} `usage` when the URL is none. */
export function clientOf(command: Command, { env, stderr }: CommandContext): Planwright {
  const options = GlobalOptions.parse(command.optsWithGlobals());
  // A variable that is set to nothing is not set.
  const text = options.url ?? (env["PLANWRIGHT_URL"] || URL_DEFAULT);
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CliError(EXIT.usage, `wanted the gateway's http or https URL, got ${JSON.stringify(text)}`);
  }
  // It would stand in messages, and in the list of processes.
  if (url.username !== "" || url.password !== "") {
    throw new CliError(EXIT.usage, "wanted a URL without a password: give the key in PLANWRIGHT_API_KEY");
  }
  const apiKey = options.apiKey ?? (env["PLANWRIGHT_API_KEY"] || undefined);
  try {
    // Whoever typed the command sees at once that it failed; commands that watch a plan are patient.
    return new Planwright({ baseUrl: url, apiKey, maxRetries: 0, onVersionMismatch: warning(text, stderr) });
  } catch (error) {
    throw new CliError(EXIT.usage, error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Beside the result, so that it disturbs no pipe. */
function warning(url: string, stderr: TextSink): (versions: Versions) => void {
  return ({ gateway }) => {
    stderr.write(
      `planwright: warning: this command is ${VERSION}, the gateway at ${oneLine(url)} is ${oneLine(gateway)}: use a command of that version\n`,
    );
  };
}

export function outputOf(command: Command, { stdout, stderr }: CommandContext): Output {
  const { json } = GlobalOptions.parse(command.optsWithGlobals());
  return createOutput({ json, stdout, stderr });
}
