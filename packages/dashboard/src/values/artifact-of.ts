import type { ArtifactRef, Json, JsonObject } from "../api/api-types.ts";
import { isObject } from "./is-object.ts";

/** The file that a tool says it wrote: `{artifact: {name, contentType, bytes}}`; undefined for other outputs. */
export function artifactOf({ artifact }: JsonObject): ArtifactRef | undefined {
  if (!isObject(artifact)) return undefined;
  const { name, contentType, bytes } = artifact;
  if (typeof name !== "string" || name === "") return undefined;
  return { name, contentType: textOr(contentType, ""), bytes: typeof bytes === "number" ? bytes : 0 };
}

/** The files of a tool that writes several, one in each of some fields, and the fields that say something else. */
export function artifactsOf(output: JsonObject): {
  readonly artifacts: readonly ArtifactRef[];
  readonly rest: JsonObject;
} {
  const fields = Object.entries(output).map(([key, value]) => {
    return { key, value, artifact: isObject(value) ? artifactOf(value) : undefined };
  });
  return {
    artifacts: fields.flatMap(({ artifact }) => artifact ?? []),
    rest: Object.fromEntries(
      fields.flatMap(({ key, value, artifact }) => (artifact === undefined ? [[key, value]] : [])),
    ),
  };
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
