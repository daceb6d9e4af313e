/**
 * Tools of this worker that claim to be light but are not.
 *
 * Invariants:
 *   LIGHT-1. Once this worker has found that a tool is not light, it announces the tool without `light` until it stops; when
 *       another worker announces the tool as light, this worker corrects the announcement.
 */
import type { ToolSpec } from "@planwright/plan";
import type { Registry } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";

export type LightTools = Disposable & {
  /** The specs as this worker announces them. */
  announced(specs: readonly ToolSpec[]): ToolSpec[];
  /** Makes new plans send the tool's steps alone. Logged once, if the tool is announced as light. */
  withdraw(tool: string, reason: string): void;
};

export function watchLightTools(registry: Registry<ToolSpec>, log: Pick<Logger, "warn">): LightTools {
  const withdrawn = new Map<string, string>();
  const reported = new Set<string>();
  const correct = (tool: string): void => {
    const spec = registry.entries().get(tool);
    if (spec?.light !== true) return;
    if (!reported.has(tool)) {
      reported.add(tool);
      const about = { tool, reason: withdrawn.get(tool) };
      log.warn(about, "the tool is not light: new plans send its steps alone until this worker restarts");
    }
    registry
      .put(tool, withoutLight(spec))
      .catch((error: unknown) =>
        log.warn({ tool, reason: describeError(error) }, "could not announce that the tool is not light"),
      );
  };
  const changes = registry.onChange(() => {
    for (const tool of withdrawn.keys()) correct(tool);
  });
  return {
    announced: (specs) => specs.map((spec) => (withdrawn.has(spec.name) ? withoutLight(spec) : spec)),
    withdraw(tool, reason) {
      if (withdrawn.has(tool)) return;
      withdrawn.set(tool, reason);
      correct(tool);
    },
    [Symbol.dispose]: () => changes[Symbol.dispose](),
  };
}

function withoutLight({ light: _light, ...spec }: ToolSpec): ToolSpec {
  return spec;
}
