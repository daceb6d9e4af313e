import { expect, it } from "vitest";
import { PlanDocument } from "../language/plan-language.ts";
import { echo, wait, write } from "./steps.ts";

it("builds steps that the plan language accepts, whose default output is their id", () => {
  const steps = [
    echo("a"),
    echo("b", { value: { $ref: "a.output" }, timeoutMs: 5 }),
    wait("c", 10, { dependsOn: ["a"], value: null }),
    write("d", { content: "text", confidence: 0.5 }),
  ];
  expect(PlanDocument.safeParse({ steps }).error).toBeUndefined();
  expect(steps).toEqual([
    { id: "a", tool: "flow.echo", args: { value: "a" } },
    { id: "b", tool: "flow.echo", args: { value: { $ref: "a.output" } }, timeoutMs: 5 },
    { id: "c", tool: "flow.wait", args: { ms: 10, value: null }, dependsOn: ["a"] },
    { id: "d", tool: "files.write", args: { path: "d.txt", content: "text" }, confidence: 0.5 },
  ]);
});

it("does not accept a value or a list of dependencies in place of the fields", () => {
  // @ts-expect-error -- an object as value
  expect(echo("a", { $ref: "b.output" })).not.toHaveProperty("args.value.$ref");
  // @ts-expect-error -- a text as value
  expect(echo("a", "text").args).toEqual({ value: "a" });
  // @ts-expect-error -- a list of dependencies
  expect(wait("a", 1, ["b"])).not.toHaveProperty("dependsOn");
  // @ts-expect-error -- a field that no step has
  expect(PlanDocument.safeParse({ steps: [echo("a", { needs: ["b"] })] }).success).toBe(false);
});
