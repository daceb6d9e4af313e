// A call inside a loop, against targets with scripted behaviour.
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { NotDoneError } from "@planwright/tools-kit";
import { type CheckResult, defineTool } from "../tools/define-tool.ts";
import { testContext } from "../tools/testing/test-context.ts";
import { makeCall } from "./make-call.ts";

type Target = {
  readonly effect?: "idempotent" | "once";
  /** The outcome of each run; the last one repeats. */
  readonly runs: readonly (string | Error)[];
  readonly rejectsRepeats?: boolean;
  readonly check?: CheckResult | Error;
};

async function call({ effect = "once", runs, rejectsRepeats = false, check }: Target, isFirst = true) {
  let count = 0;
  const tool = defineTool({
    name: "world.change",
    description: "For tests.",
    input: z.strictObject({}),
    output: z.string(),
    risk: "low",
    effect,
    timeoutMs: 1_000,
    async run() {
      const end = runs[Math.min(count++, runs.length - 1)] ?? "";
      if (end instanceof Error) throw end;
      return end;
    },
    rejectsRepeatedKeys: () => rejectsRepeats,
    ...(check === undefined
      ? {}
      : {
          async check() {
            if (check instanceof Error) throw check;
            return check;
          },
        }),
  });
  const { signal } = new AbortController();
  const end = await makeCall({ tool, args: {}, contextNow: () => testContext(), signal }, isFirst);
  const what =
    end.kind === "failed"
      ? [end.error.code, end.uncertain ?? false]
      : end.kind === "returned"
        ? end.output
        : end.kind;
  return { what, runs: count };
}

const lost = new TransientError("the connection is lost");

describe("a call that runs at most once", () => {
  it("returns the tool's output", async () =>
    expect(await call({ runs: ["done"] })).toEqual({ what: "done", runs: 1 }));

  it.each([
    ["refused for good", new PermanentError("no", { code: "refused" }), ["refused", false]],
    ["sure that nothing happened", new NotDoneError("never sent"), ["failed", false]],
  ])("is not repeated when it was %s", async (_what, error, what) =>
    expect(await call({ runs: [error] })).toEqual({ what, runs: 1 }),
  );

  it.each([
    ["nobody can be asked", {}],
    ["the target does not know", { check: { kind: "unknown" } as const }],
    ["the target cannot be asked", { check: new Error("down") }],
  ])("is left to a user when it may have taken effect and %s (CALL-3)", async (_what, more) =>
    expect(await call({ runs: [lost], ...more })).toEqual({ what: "in-doubt", runs: 1 }),
  );

  it("returns the outcome that the target reports", async () =>
    expect(await call({ runs: [lost], check: { kind: "done", output: "was done" } })).toEqual({
      what: "was done",
      runs: 1,
    }));

  it.each([
    ["drops repeats", { rejectsRepeats: true }],
    ["says that nothing was done", { check: { kind: "not-done" } as const }],
  ])("is repeated under its key by a target that %s, up to three times (CALL-2)", async (_what, more) => {
    expect(await call({ runs: [lost, "done"], ...more })).toEqual({ what: "done", runs: 2 });
    expect(await call({ runs: [lost], ...more })).toEqual({ what: ["failed", true], runs: 3 });
  });

  it("is checked with the target first when another worker has started it (CALL-1, CALL-2)", async () => {
    expect(await call({ runs: ["again"] }, false)).toEqual({ what: "in-doubt", runs: 0 });
    expect(await call({ runs: ["again"], rejectsRepeats: true }, false)).toEqual({ what: "again", runs: 1 });
    const check = { kind: "done", output: "was done" } as const;
    expect(await call({ runs: ["again"], check }, false)).toEqual({ what: "was done", runs: 0 });
  });
});

it("repeats an idempotent call without approval, and reports its failure unchanged (CALL-2)", async () => {
  expect(await call({ effect: "idempotent", runs: ["again"] }, false)).toEqual({ what: "again", runs: 1 });
  expect(await call({ effect: "idempotent", runs: [lost] })).toEqual({ what: ["failed", false], runs: 1 });
});
