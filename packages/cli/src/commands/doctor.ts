import { Command } from "commander";
import { styleText } from "node:util";
import { z } from "zod";
import { VERSION } from "@planwright/shared/version";
import { oneLine } from "@planwright/shared/terminal";
import type { Client } from "../client/create-client.ts";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { LettersReply } from "./dead-letters.ts";
import { WorkersReply } from "./workers.ts";

const System = z.looseObject({ version: z.string(), demoModel: z.boolean() });
const Sources = z.looseObject({
  sources: z.array(z.looseObject({ name: z.string(), fault: z.string().optional() })),
});
const Alive = z.looseObject({ alive: z.boolean() });
const Checks = z.looseObject({
  checks: z.array(
    z.looseObject({
      role: z.string(),
      fallback: z.number().optional(),
      model: z.string(),
      server: z.string(),
      answeredBy: z.string().optional(),
      format: z.enum(["json_schema", "json_object", "prompt"]).optional(),
      latencyMs: z.number().optional(),
      isJson: z.boolean().optional(),
      keyWithheld: z.string().optional(),
      error: z.looseObject({ message: z.string() }).optional(),
    }),
  ),
});
type Check = z.output<typeof Checks>["checks"][number];
const Tools = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });

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

async function examine(client: Client): Promise<Finding[]> {
  const node: Finding = { what: "node", state: "good", says: process.version };
  try {
    await client.get("/healthz", Alive);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const fix = "start the system with `npm start`, or name its gateway with --url or PLANWRIGHT_URL";
    return [node, { what: "gateway", state: "bad", says: error.message.split("\n")[0] ?? "", fix }];
  }
  const asked = [gatewayFinding, modelFindings, workersFinding, toolsFinding, dataFinding, lettersFinding];
  return [node, ...(await Promise.all(asked.map((ask) => ask(client)))).flat()];
}

async function gatewayFinding(client: Client): Promise<Finding> {
  // Loaded here, because the other commands need nothing of what services stand on.
  const { version } = await client.get("/v1/system", System);
  const says = `${version} at ${client.base}`;
  if (version === VERSION) return { what: "gateway", state: "good", says };
  return {
    what: "gateway",
    state: "odd",
    says,
    fix: `this command is ${VERSION}: use the one of the same version`,
  };
}

async function modelFindings(client: Client): Promise<Finding[]> {
  const { demoModel } = await client.get("/v1/system", System);
  if (demoModel) {
    const fix = "set OPENAI_API_KEY, or OPENAI_BASE_URL for another server, and start again";
    return [{ what: "model", state: "odd", says: "demo model: rules, not a language model", fix }];
  }
  const { checks } = await client.post("/v1/models/check", { json: {} }, Checks);
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
}: Check): Finding {
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

async function workersFinding(client: Client): Promise<Finding> {
  const { workers } = await client.get("/v1/workers", WorkersReply);
  const pools = new Set(workers.map(({ pool }) => pool));
  if (workers.length === 0) {
    return { what: "workers", state: "bad", says: "none is there: steps wait", fix: "start an executor" };
  }
  // One that serves several pools is told of once for each.
  const count = new Set(workers.map(({ workerId }) => workerId)).size;
  return { what: "workers", state: "good", says: `${count}, of the pools ${[...pools].join(", ")}` };
}

async function toolsFinding(client: Client): Promise<Finding> {
  const { tools } = await client.get("/v1/tools", Tools);
  const { workers } = await client.get("/v1/workers", WorkersReply);
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

async function dataFinding(client: Client): Promise<Finding> {
  const { sources } = await client.get("/v1/data", Sources);
  const broken = sources.find(({ fault }) => fault !== undefined);
  if (broken === undefined) return { what: "data", state: "good", says: `${sources.length} sources` };
  return {
    what: "data",
    state: "bad",
    says: `${broken.name}: ${broken.fault ?? ""}`,
    fix: `see \`${COMMAND} data\``,
  };
}

async function lettersFinding(client: Client): Promise<Finding> {
  const { total } = await client.get("/v1/dead-letters?limit=1", LettersReply);
  if (total === 0) return { what: "dead letters", state: "good", says: "none" };
  const fix = `see \`${COMMAND} dead-letters\`, then --retry or --discard them`;
  return { what: "dead letters", state: "odd", says: String(total), fix };
}
