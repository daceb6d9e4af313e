import { getArtifact, listArtifacts } from "@planwright/api";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import { type Redaction, type Redactor, TEXT_CHARS_MAX } from "@planwright/shared/redaction";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, serve } from "../http/contract.ts";
import { Problem } from "../http/problem.ts";
import { ownPlan } from "../plans/own-plan.ts";

/** Content types that are readable text. */
const TEXT =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|x-ndjson|ndjson|yaml|x-yaml|csv)|image\/svg\+xml)/;

/** Longer ones are never stored. */
const ARTIFACT_NAME_CHARS_MAX = 256;
const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/;
/** Content types that browsers may display. HTML is not among them, and the sandbox blocks all scripts. */
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

/** The name in the form that RFC 6266 defines for all alphabets. */
function disposition(shown: boolean, name: string): string {
  const fileName = name.slice(name.lastIndexOf("/") + 1);
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `${shown ? "inline" : "attachment"}; filename*=UTF-8''${encoded}`;
}

/**
 * The content of a file without the values that the rules hide.
 *
 * @throws {Problem} `redacted_for_role` for a file that cannot be searched, because it is not text or is too long.
 */
function redactArtifact(
  redactor: Redactor,
  {
    content,
    contentType,
    name,
  }: { readonly content: Uint8Array; readonly contentType: string; readonly name: string },
): Uint8Array {
  if (!redactor.isActive) return content;
  const text = TEXT.test(contentType) ? decoded(content) : undefined;
  if (text === undefined || text.length > TEXT_CHARS_MAX) {
    throw new Problem(
      "redacted_for_role",
      `${JSON.stringify(name.slice(0, 256))} cannot be shown to this role: redaction rules apply to it, and they can be applied to ` +
        `files of text of at most ${TEXT_CHARS_MAX} characters only`,
    );
  }
  const shown = redactor.text(text);
  return shown === text ? content : Buffer.from(shown);
}

/** Undefined for content that is not UTF-8; a zero byte indicates another encoding. */
function decoded(content: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
