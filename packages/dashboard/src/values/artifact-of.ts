import type { ArtifactRef, Json, JsonObject } from "../api/api-types.ts";

/** The file that a tool says it wrote: `{artifact: {name, contentType, bytes}}`; undefined for other outputs. */
export function artifactOf({ artifact }: JsonObject): ArtifactRef | undefined {
  if (typeof artifact !== "object" || artifact === null || Array.isArray(artifact)) return undefined;
  const { name, contentType, bytes } = artifact;
  if (typeof name !== "string" || name === "") return undefined;
  return { name, contentType: textOr(contentType, ""), bytes: typeof bytes === "number" ? bytes : 0 };
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
