/** The files that plans write. */
import type { ArtifactRef } from "@planwright/api";
import type { Transport } from "../http/transport.ts";
import type { RequestOptions } from "../options.ts";

export type Artifacts = {
  list(planId: string, options?: RequestOptions): Promise<readonly ArtifactRef[]>;
  /**
   * A file, as the gateway's response: read it with `text()`, `arrayBuffer()`, `blob()` or as a stream. The time-out
   * covers only the headers, the signal also covers the body.
   *
   * @param name - As listed; it can contain slashes.
   * @throws {ProblemError} `artifact_not_found`
   */
  get(planId: string, name: string, options?: RequestOptions): Promise<Response>;
  /** The file's URL; a gateway with keys requires one to serve it. */
  url(planId: string, name: string): string;
};

export function artifactsOf(transport: Transport): Artifacts {
  return {
    list: async (planId, options) =>
      (await transport.json("listArtifacts", { ...options, params: { planId } })).artifacts,
    get: (planId, name, options) =>
      transport.response("getArtifact", {
        ...options,
        params: { planId, "*": name },
        headers: { accept: "*/*" },
      }),
    url: (planId, name) => transport.url("getArtifact", { planId, "*": name }),
  };
}
