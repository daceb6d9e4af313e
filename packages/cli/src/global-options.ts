/** The options of every command; they override the environment. */
import { Planwright, type Versions } from "@planwright/client";
import { oneLine } from "@planwright/shared/terminal";
import { VERSION } from "@planwright/shared/version";
import type { Command } from "commander";
import { z } from "zod";
import type { CommandContext, TextSink } from "./command-context.ts";
import { CliError, EXIT } from "./exit-codes.ts";
import { createOutput, type Output } from "./output/create-output.ts";
import { selectedFields } from "./output/json-fields.ts";

export const URL_DEFAULT = "http://127.0.0.1:8080";

const GlobalOptions = z.object({
  url: z.string().optional(),
  apiKey: z.string().optional(),
  json: z.union([z.boolean(), z.string()]).default(false),
});

/** Returns the client for the gateway that the options or the environment name. @throws {CliError} `usage` for an invalid URL. */
export function clientOf(command: Command, { env, stderr }: CommandContext): Planwright {
  const options = GlobalOptions.parse(command.optsWithGlobals());
  // An empty variable counts as unset.
  const text = options.url ?? (env["PLANWRIGHT_URL"] || URL_DEFAULT);
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CliError(
      EXIT.usage,
      `invalid gateway URL ${JSON.stringify(text)}: set --url or PLANWRIGHT_URL to an http or https URL`,
    );
  }
  // Credentials would show in messages and in the process list.
  if (url.username !== "" || url.password !== "") {
    throw new CliError(
      EXIT.usage,
      "the gateway URL must not contain credentials: pass the API key in PLANWRIGHT_API_KEY",
    );
  }
  const apiKey = options.apiKey ?? (env["PLANWRIGHT_API_KEY"] || undefined);
  try {
    // The user sees immediately that the command failed; commands that watch a plan retry.
    return new Planwright({ baseUrl: url, apiKey, maxRetries: 0, onVersionMismatch: warning(text, stderr) });
  } catch (error) {
    throw new CliError(EXIT.usage, error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Warns about a version mismatch, on stderr so that pipes carry only the result. */
function warning(url: string, stderr: TextSink): (versions: Versions) => void {
  return ({ gateway }) => {
    stderr.write(
      `planwright: warning: this command is version ${VERSION}, but the gateway at ${oneLine(url)} is ${oneLine(gateway)}: use the same version\n`,
    );
  };
}

/** Returns how the command prints. @throws {CliError} `usage` for an unknown field in `--json a,b`. */
export function outputOf(command: Command, { stdout, stderr }: CommandContext): Output {
  const { json } = GlobalOptions.parse(command.optsWithGlobals());
  const fields = selectedFields(json, command);
  return createOutput({ json: json !== false, fields, stdout, stderr, now: Date.now });
}
