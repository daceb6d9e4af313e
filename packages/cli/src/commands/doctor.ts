import type { ModelCheck, Planwright } from "@planwright/client";
import { Command } from "commander";
import { styleText } from "node:util";
import { VERSION } from "@planwright/shared/version";
import { oneLine } from "@planwright/shared/terminal";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { toCliError } from "../to-cli-error.ts";

/** One thing that was looked at: how it is, and what to do when it is not well. */
type Finding = {
  readonly what: string;
  readonly state: "good" | "odd" | "bad";
  readonly says: string;
  readonly fix?: string;
};

/** `planwright doctor`: what runs, in which version, what is missing and how to mend it. */
export function doctorCommand(context: CommandContext): Command {
  return new Command("doctor")
    .description("say what is running, in which version, what is missing, and how to mend it")
    .action(async (_options: unknown, command: Command) => {
      const client = clientOf(command, context);
      const output = outputOf(command, context);
      const findings = await examine(client);
      output.result(findings, () => {
        for (const finding of findings) {
          output.line(lineOf(finding));
          if (finding.fix !== undefined) output.line(`    ${finding.fix}`);
        }
      });
      if (findings.some(({ state }) => state === "bad")) context.endWith(EXIT.failed);
    });
}

function lineOf({ what, state, says }: Finding): string {
  if (state === "good") return `${styleText("green", "✓")} ${what}: ${oneLine(says)}`;
  return `${state === "odd" ? styleText("yellow", "!") : styleText("red", "✗")} ${what}: ${oneLine(says)}`;
}

async function examine(client: Planwright): Promise<Finding[]> {
  const node: Finding = { what: "node", state: "good", says: process.version };
  try {
    await client.system.health();
  } catch (error) {
    const told = toCliError(error);
    if (told === undefined) throw error;
    const fix = "start the system with `npm start`, or name its gateway with --url or PLANWRIGHT_URL";
    return [node, { what: "gateway", state: "bad", says: told.message.split("\n")[0] ?? "", fix }];
  }
  const asked = [
    gatewayFinding,
    modelFindings,
    workersFinding,
    wallFinding,
    toolsFinding,
    dataFinding,
    lettersFinding,
  ];
  return [node, ...(await Promise.all(asked.map((ask) => ask(client)))).flat()];
}

async function gatewayFinding(client: Planwright): Promise<Finding> {
  const { version } = await client.system.get();
  const says = `${version} at ${client.baseUrl}`;
  if (version === VERSION) return { what: "gateway", state: "good", says };
  return {
    what: "gateway",
    state: "odd",
    says,
    fix: `this command is ${VERSION}: use the one of the same version`,
  };
}

async function modelFindings(client: Planwright): Promise<Finding[]> {
  const { demoModel } = await client.system.get();
  if (demoModel) {
    const fix = "set OPENAI_API_KEY, or OPENAI_BASE_URL for another server, and start again";
    return [{ what: "model", state: "odd", says: "demo model: rules, not a language model", fix }];
  }
  const checks = await client.system.checkModels();
  return checks.map(checkFinding);
}

function checkFinding({
  role,
  fallback,
  model,
  server,
  answeredBy,
  format,
  latencyMs,
  isJson,
  keyWithheld,
  ...more
}: ModelCheck): Finding {
  const what = fallback === undefined ? `model of the ${role}` : `fallback model ${fallback} of the ${role}`;
  const name = model === "" ? "" : `${model} at ${server}: `;
  if (more.error !== undefined) return { what, state: "bad", says: `${name}${more.error.message}` };
  const answered = answeredBy === undefined || answeredBy === model ? "" : ` as ${answeredBy}`;
  const withheld =
    keyWithheld === undefined
      ? ""
      : `, without a key (OPENAI_API_KEY is not sent there; ${keyWithheld} would be)`;
  const says = `${model} at ${server} answers${answered}${withheld} in ${latencyMs ?? 0} ms, with ${FORMATS[format ?? "prompt"]}`;
  if (isJson === true) return { what, state: "good", says };
  const fix = "use a model that follows instructions, or PLANNER_FORMAT=lines";
  return { what, state: "odd", says: `${says}, but its reply was not JSON`, fix };
}

const FORMATS = {
  json_schema: "JSON held to a schema",
  json_object: "JSON, the schema in the prompt",
  prompt: "the schema in the prompt alone",
} as const;

async function workersFinding(client: Planwright): Promise<Finding> {
  const { workers } = await client.workers.list();
  const pools = new Set(workers.map(({ pool }) => pool));
  if (workers.length === 0) {
    return { what: "workers", state: "bad", says: "none is there: steps wait", fix: "start an executor" };
  }
  // One that serves several pools is told of once for each.
  const count = new Set(workers.map(({ workerId }) => workerId)).size;
  return { what: "workers", state: "good", says: `${count}, of the pools ${[...pools].join(", ")}` };
}

/** Of the worker that is worst off. */
async function wallFinding(client: Planwright): Promise<Finding[]> {
  const { workers } = await client.workers.list();
  const walls = workers.flatMap(({ workerId, wall }) => (wall === undefined ? [] : [{ workerId, ...wall }]));
  const [first] = walls;
  if (first === undefined) return [];
  const what = "wall around code";
  const open = walls.find(({ stands }) => !stands);
  if (open === undefined) return [{ what, state: "good", says: first.about }];
  const fix = "install the package bubblewrap, then restart the executor (docs/security.md)";
  return [{ what, state: "odd", says: `${open.workerId} has none: ${open.about}`, fix }];
}

async function toolsFinding(client: Planwright): Promise<Finding> {
  const { tools } = await client.tools.list();
  const { workers } = await client.workers.list();
  const [broken] = workers.flatMap(({ brokenTools }) => brokenTools);
  if (broken !== undefined) {
    return {
      what: "tools",
      state: "bad",
      says: `${broken.file} cannot be used: ${broken.reason}`,
      fix: "mend the file: it is read again by itself",
    };
  }
  return { what: "tools", state: tools.length === 0 ? "bad" : "good", says: `${tools.length}` };
}

async function dataFinding(client: Planwright): Promise<Finding> {
  const sources = await client.data.list();
  const broken = sources.find(({ fault }) => fault !== undefined);
  if (broken === undefined) return { what: "data", state: "good", says: `${sources.length} sources` };
  return {
    what: "data",
    state: "bad",
    says: `${broken.name}: ${broken.fault ?? ""}`,
    fix: `see \`${COMMAND} data\``,
  };
}

async function lettersFinding(client: Planwright): Promise<Finding> {
  const { total } = await client.deadLetters.list({ limit: 1 }).firstPage();
  if (total === 0) return { what: "dead letters", state: "good", says: "none" };
  const fix = `see \`${COMMAND} dead-letters\`, then --retry or --discard them`;
  return { what: "dead letters", state: "odd", says: String(total), fix };
}
