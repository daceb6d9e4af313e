import * as api from "@planwright/api";
import { expect, it } from "vitest";
import { jsonFieldsOf } from "./json-fields.ts";

it.each([
  ["list", api.PlanSummary],
  ["show", api.PlanView],
  ["pause", api.PlanState],
  ["approve", api.ApprovalView],
  ["check", api.PlanCheck],
  ["tools", api.ToolSpec],
  ["data", api.SourceInfo],
  ["workers", api.Workers],
  ["metrics", api.Metrics],
  ["quotas", api.Quota],
  ["keys list", api.KeyInfo],
  ["keys create", api.CreatedKey],
])("lists the fields that the API sends for %s", (command, schema) => {
  expect(jsonFieldsOf(command)).toEqual(Object.keys(schema.shape));
});

it("lists the fields of a new plan and of its events, of a step, and of the groups of dead letters", () => {
  const ofNew = [...Object.keys(api.Accepted.shape), ...Object.keys(api.NumberedEvent.shape)];
  expect(jsonFieldsOf("submit")).toEqual(ofNew);
  expect(jsonFieldsOf("step")).toEqual(expect.arrayContaining(Object.keys(api.StepView.shape)));
  expect(jsonFieldsOf("dead-letters")).toEqual(
    expect.arrayContaining(Object.keys(api.DeadLetterGroup.shape)),
  );
});
