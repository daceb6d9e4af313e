import type { ModelCheck, Planwright } from "@planwright/client";
import { Command } from "commander";
import { styleText } from "node:util";
import { VERSION } from "@planwright/shared/version";
import { oneLine } from "@planwright/shared/terminal";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { toCliError } from "../to-cli-error.ts";

/** The result of one check, and how to fix a problem. */
type Finding = {
  readonly what: string;
  readonly state: "good" | "odd" | "bad";
  readonly says: string;
  readonly fix?: string;
};

/** `planwright doctor`: checks the installation and explains how to fix problems. */
export function doctorCommand(context: CommandContext): Command {
  return new Command("doctor")
    .description("Check the installation")
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
    const known = toCliError(error);
    if (known === undefined) throw error;
    const fix = "start the system with `npm start`, or set the gateway with --url or PLANWRIGHT_URL";
    return [node, { what: "gateway", state: "bad", says: known.message.split("\n")[0] ?? "", fix }];
  }
  const checks = [
    gatewayFinding,
    modelFindings,
    workersFinding,
    wallFinding,
    toolsFinding,
    dataFinding,
    deadLettersFinding,
  ];
  return [node, ...(await Promise.all(checks.map((check) => check(client)))).flat()];
}

async function gatewayFinding(client: Planwright): Promise<Finding> {
  const { version } = await client.system.get();
  const says = `${version} at ${client.baseUrl}`;
  if (version === VERSION) return { what: "gateway", state: "good", says };
  return {
    what: "gateway",
    state: "odd",
    says,
    fix: `this command is version ${VERSION}: use the same version as the gateway`,
  };
}

async function modelFindings(client: Planwright): Promise<Finding[]> {
  const { demoModel } = await client.system.get();
  if (demoModel) {
    const fix = "set OPENAI_API_KEY, or OPENAI_BASE_URL for another server, and restart";
    return [{ what: "model", state: "odd", says: "built-in demo model (rule-based)", fix }];
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
  const what = fallback === undefined ? `${role} model` : `${role} fallback model ${fallback}`;
  const name = model === "" ? "" : `${model} at ${server}: `;
  if (more.error !== undefined) return { what, state: "bad", says: `${name}${more.error.message}` };
  const answered = answeredBy === undefined || answeredBy === model ? "" : ` as ${answeredBy}`;
  const withheld =
    keyWithheld === undefined
      ? ""
      : `, without a key: OPENAI_API_KEY is not sent to this server, set ${keyWithheld}`;
  const says = `${model} at ${server} responds${answered} in ${latencyMs ?? 0} ms (${FORMATS[format ?? "prompt"]})${withheld}`;
  if (isJson === true) return { what, state: "good", says };
  const fix = "use a model that follows instructions, or set PLANNER_FORMAT=lines";
  return { what, state: "odd", says: `${says}, but its reply was not JSON`, fix };
}

const FORMATS = {
  json_schema: "structured output with a JSON schema",
  json_object: "JSON mode, schema in the prompt",
  prompt: "schema in the prompt only",
} as const;

async function workersFinding(client: Planwright): Promise<Finding> {
  const { workers } = await client.workers.list();
  const pools = new Set(workers.map(({ pool }) => pool));
  if (workers.length === 0) {
    return { what: "workers", state: "bad", says: "none connected: steps wait", fix: "start an executor" };
  }
  // A worker that serves several pools is listed once per pool.
  const count = new Set(workers.map(({ workerId }) => workerId)).size;
  return {
    what: "workers",
    state: "good",
    says: `${count} (${pools.size === 1 ? "pool" : "pools"} ${[...pools].join(", ")})`,
  };
}

/** Reports a worker without a wall, if there is one. */
async function wallFinding(client: Planwright): Promise<Finding[]> {
  const { workers } = await client.workers.list();
  const walls = workers.flatMap(({ workerId, wall }) => (wall === undefined ? [] : [{ workerId, ...wall }]));
  const [first] = walls;
  if (first === undefined) return [];
  const what = "wall around code";
  const open = walls.find(({ stands }) => !stands);
  if (open === undefined) return [{ what, state: "good", says: first.about }];
  const fix = "install the package bubblewrap and restart the executor (see docs/security.md)";
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
      fix: "fix the file; it is reloaded automatically",
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
    fix: `run \`${COMMAND} data\` for details`,
  };
}

async function deadLettersFinding(client: Planwright): Promise<Finding> {
  const { total } = await client.deadLetters.list({ limit: 1 }).firstPage();
  if (total === 0) return { what: "dead letters", state: "good", says: "none" };
  const fix = `list them with \`${COMMAND} dead-letters\`, then use --retry or --discard`;
  return { what: "dead letters", state: "odd", says: String(total), fix };
}
