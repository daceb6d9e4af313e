/** Files that plans write. */
import { ArtifactRef } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { PlanPath } from "../plan-ids.ts";

const ArtifactPath = PlanPath.extend({
  "*": z.string().meta({ description: "Name of the file. It can contain slashes." }),
});

export const ArtifactList = z.object({ artifacts: z.array(ArtifactRef) });
export type ArtifactList = z.output<typeof ArtifactList>;

export const listArtifacts = defineEndpoint({
  id: "listArtifacts",
  method: "GET",
  path: "/v1/plans/:planId/artifacts",
  tag: "plans",
  summary: "List the files of a plan",
  params: PlanPath,
  responses: { 200: ArtifactList },
  problems: ["plan_not_found"],
  example: {
    response: {
      artifacts: [{ name: "report.md", contentType: "text/markdown", bytes: 2_048 }],
    },
  },
});

export const getArtifact = defineEndpoint({
  id: "getArtifact",
  method: "GET",
  path: "/v1/plans/:planId/artifacts/*",
  tag: "plans",
  summary: "Get a file of a plan",
  description:
    "Returns the file with the content type that the plan set, sandboxed so that browsers do not run any of it.",
  params: ArtifactPath,
  responses: { 200: { mediaTypes: ["application/octet-stream"], description: "The file's bytes." } },
  problems: ["plan_not_found", "artifact_not_found", "redacted_for_role"],
});
