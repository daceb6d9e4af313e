/** Tools whose errors, progress, facts, files and prompts contain references to secrets instead of their values. */
import type { ModelClient } from "@planwright/shared/model";
import type { Toolbox } from "../tools/create-toolbox.ts";
import type { Tool, ToolContext } from "../tools/define-tool.ts";
import type { SecretRedaction } from "./redaction.ts";
import { NO_SECRETS, type Secrets } from "./secrets.ts";

/** The toolbox with specs that name the secrets that calls can use, and tools that show none of their values. */
export function withSecrets(toolbox: Toolbox, secrets: Secrets): Toolbox {
  if (secrets === NO_SECRETS) return toolbox;
  const { announce, redaction } = secrets;
  return {
    get(name) {
      const tool = toolbox.get(name);
      return tool && redacted({ ...tool, spec: announce(tool.spec) }, redaction);
    },
    specs: () => toolbox.specs().map(announce),
  };
}

function redacted(tool: Tool, redaction: SecretRedaction): Tool {
  const guard = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw redaction.error(error);
    }
  };
  const guarded = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      throw redaction.error(error);
    }
  };
  return {
    ...tool,
    parseInput: (args) => guard(() => tool.parseInput(args)),
    parseOutput: (output) => guard(() => tool.parseOutput(output)),
    rejectsRepeatedKeys: (args) => guard(() => tool.rejectsRepeatedKeys(args)),
    run: (args, context) => guarded(() => tool.run(args, redactedContext(context, redaction))),
    check: (args, context) => guarded(() => tool.check(args, redactedContext(context, redaction))),
  };
}

function redactedContext(context: ToolContext, redaction: SecretRedaction): ToolContext {
  const { text } = redaction;
  const { workspace } = context;
  return {
    ...context,
    model: redactedModel(context.model, redaction),
    workspace: {
      ...workspace,
      write: (path, bytes, type) => workspace.write(text(path), redaction.bytes(bytes), type),
    },
    noteFacts: (facts) =>
      context.noteFacts(
        facts.map(({ key, value, source, ...fact }) => ({
          ...fact,
          key: text(key),
          value: typeof value === "string" ? text(value) : value,
          ...(source === undefined ? {} : { source: text(source) }),
        })),
      ),
    requireReplan: (reason) => context.requireReplan(text(reason)),
    progress: (shown) => context.progress(text(shown)),
  };
}

function redactedModel(model: ModelClient, { text }: SecretRedaction): ModelClient {
  return {
    ...model,
    complete: (request) =>
      model.complete({
        ...request,
        messages: request.messages.map((message) => ({ ...message, content: text(message.content) })),
      }),
  };
}
