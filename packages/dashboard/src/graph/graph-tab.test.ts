import { Step } from "@planwright/plan";
import { expect, it } from "vitest";
import type { StepView } from "../api/api-types.ts";
import { foundIn, nodeOfStep } from "./graph-tab.tsx";
import { graphOf } from "./group-steps.ts";

const step = (id: string) =>
  ({ ...Step.parse({ id, tool: "flow.echo" }), status: "waiting", attempt: 0 }) as StepView;
const other = { ...step("other"), tool: "math.evaluate" };
const { nodes } = graphOf([...Array.from({ length: 200 }, (_, index) => step(`s${index}`)), other]);

it("counts the matches in each node, including those inside groups", () => {
  expect([...foundIn(nodes, [step("s3"), step("s7"), other])]).toEqual([
    ["group:s0", 2],
    ["other", 1],
  ]);
  expect([...foundIn(nodes, []).values()]).toEqual([0, 0]);
});

it("finds the node that shows a step", () => {
  const of = (id: string | undefined) => nodeOfStep(nodes, id)?.id;
  expect([of("s199"), of("other"), of("group:s0"), of(undefined)]).toEqual([
    "group:s0",
    "other",
    undefined,
    undefined,
  ]);
});
