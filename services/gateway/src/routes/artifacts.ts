import { getArtifact, listArtifacts } from "@planwright/api";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import type { Redaction } from "@planwright/shared/redaction";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, serve } from "../http/contract.ts";
import { Problem } from "../http/problem.ts";
import { ownPlan } from "../plans/own-plan.ts";
import { redactArtifact } from "../redaction/redact-artifact.ts";

/** Longer ones are never stored. */
const ARTIFACT_NAME_CHARS_MAX = 256;
const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/;
/** Content types that a browser may show; HTML is not among them, and the sandbox lets nothing run. */
const SHOWN = /^(?:image\/(?:svg\+xml|png|jpeg|gif|webp)|text\/(?!html)|application\/json)/;
const SANDBOX = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** `GET /v1/plans/:planId/artifacts` and `…/artifacts/:name`: the files that a plan wrote. */
export function artifactRoutes(
  app: App,
  {
    book,
    artifacts,
    redaction,
  }: { readonly book: PlanBook; readonly artifacts: ArtifactStore; readonly redaction: Redaction },
): void {
  serve(app, listArtifacts, async ({ tenant, params: { planId } }) => {
    const plan = await ownPlan(book, { tenant, planId });
    return { artifacts: await artifacts.list(plan.planId) };
  });

  serve(app, getArtifact, async ({ tenant, role, params: { planId, "*": name } }, reply) => {
    const plan = await ownPlan(book, { tenant, planId });
    const isName = name !== "" && name.length <= ARTIFACT_NAME_CHARS_MAX;
    const artifact = isName ? await artifacts.get(plan.planId, name) : undefined;
    if (artifact === undefined) {
      throw new Problem("artifact_not_found", `the plan has no file ${JSON.stringify(name.slice(0, 256))}`);
    }
    const content = redactArtifact(redaction.forRole(role), { ...artifact, name });
    const type = CONTENT_TYPE.test(artifact.contentType) ? artifact.contentType : "application/octet-stream";
    return reply
      .type(type)
      .header("content-disposition", disposition(SHOWN.test(type), name))
      .header("content-security-policy", SANDBOX)
      .header("x-content-type-options", "nosniff")
      .header("cache-control", "no-cache")
      .send(Buffer.from(content));
  });
}

/** The name in the form that RFC 6266 has for all alphabets. */
function disposition(shown: boolean, name: string): string {
  const fileName = name.slice(name.lastIndexOf("/") + 1);
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `${shown ? "inline" : "attachment"}; filename*=UTF-8''${encoded}`;
}
