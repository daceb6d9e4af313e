/**
 * Templates: submissions that a user has saved to submit again with other values. Each is a JSON file of this user on this
 * machine; the gateway does not know them.
 */
import { describeError } from "@planwright/shared/errors";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { didYouMean } from "@planwright/plan/nearest-name";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const EXTENSION = ".json";
const PARAMETER = /^[A-Za-z][\w-]{0,31}$/;

export const Template = z.object({
  name: z.string().regex(NAME),
  /** The default value of each parameter. */
  parameters: z.record(z.string().regex(PARAMETER), z.string()),
  savedAt: z.string(),
  /** The plan that it was saved from. */
  savedFrom: z.string(),
  /** The body of `POST /v1/plans`, in which `[[name]]` stands for a parameter. */
  submission: z.record(z.string(), z.json()),
});
export type Template = z.infer<typeof Template>;

type Environment = CommandContext["env"];

/** Returns the folder of the templates: `templates` in PLANWRIGHT_CONFIG, or in the user's configuration folder. */
function templatesFolder(env: Environment): string {
  const own = env["PLANWRIGHT_CONFIG"];
  if (own) return path.join(own, "templates");
  const roaming = process.platform === "win32" ? env["APPDATA"] : undefined;
  const base = env["XDG_CONFIG_HOME"] || roaming || path.join(os.homedir(), ".config");
  return path.join(base, "planwright", "templates");
}

/** Returns all templates, by name. @throws {CliError} For a file that is not a template. */
export async function listTemplates(env: Environment): Promise<Template[]> {
  const names = await templateNames(env);
  return Promise.all(names.map((name) => readTemplate(env, name)));
}

export async function templateNames(env: Environment): Promise<string[]> {
  const files = await readdir(templatesFolder(env)).catch(noneIfMissing);
  return files
    .filter((file) => file.endsWith(EXTENSION) && NAME.test(file.slice(0, -EXTENSION.length)))
    .map((file) => file.slice(0, -EXTENSION.length))
    .toSorted();
}

/** @throws {CliError} `refused` when the template does not exist. */
export async function readTemplate(env: Environment, name: string): Promise<Template> {
  const file = fileOf(env, name);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw new CliError(EXIT.failed, `cannot read ${file}: ${describeError(error)}`, { cause: error });
  });
  if (text === undefined) {
    const message = `template ${JSON.stringify(name)} not found${didYouMean(name, await templateNames(env))}`;
    throw new CliError(EXIT.refused, message, { hint: `List templates with \`${COMMAND} template list\`.` });
  }
  const parsed = Template.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new CliError(EXIT.failed, `${file} is not a template: ${z.prettifyError(parsed.error)}`, {
    hint: `Delete it with \`${COMMAND} template delete ${name}\` and save it again.`,
  });
}

/** @param options.force - Replace a template with this name. @throws {CliError} `refused` when it exists. */
export async function saveTemplate(
  env: Environment,
  template: Template,
  { force }: { readonly force: boolean },
): Promise<string> {
  const file = fileOf(env, template.name);
  // Goals and arguments may be confidential: only this user can read them.
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(file, `${JSON.stringify(template, undefined, 2)}\n`, {
      flag: force ? "w" : "wx",
      mode: 0o600,
    });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const message = `template ${JSON.stringify(template.name)} already exists`;
    throw new CliError(EXIT.refused, message, { cause: error, hint: "Replace it with --force." });
  }
  return file;
}

/** @throws {CliError} `refused` when the template does not exist. */
export async function deleteTemplate(env: Environment, name: string): Promise<void> {
  const names = await templateNames(env);
  if (!names.includes(name)) await readTemplate(env, name);
  await rm(fileOf(env, name));
}

/** @throws {CliError} `usage` for a name that no template can have. */
function fileOf(env: Environment, name: string): string {
  if (NAME.test(name)) return path.join(templatesFolder(env), `${name}${EXTENSION}`);
  const wanted = "use 1 to 64 lower-case letters, digits and hyphens";
  throw new CliError(EXIT.usage, `invalid template name ${JSON.stringify(name)}: ${wanted}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function noneIfMissing(error: unknown): string[] {
  if (isMissing(error)) return [];
  throw error;
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
