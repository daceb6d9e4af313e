import type { ArtifactRef } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { formatBytes } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { SaveLink } from "../ui/save-link.tsx";
import { ArtifactImage } from "./artifact-image.tsx";
import { ArtifactText, textKindOf } from "./artifact-text.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/problem.tsx";
import { ARTIFACT_PAGE } from "./value-words.ts";
import styles from "./values.module.css";

type Props = {
  readonly planId: string;
  readonly artifact: Pick<ArtifactRef, "name" | "contentType" | "bytes">;
};

/** A file of the plan: a picture, a page, a table or a text when it is one, and always a link to it. */
export function ArtifactView({ planId, artifact }: Props) {
  const { gateway } = useServices();
  const { name, contentType, bytes } = artifact;
  const isPage = contentType.startsWith("text/html");
  const isImage = contentType.startsWith("image/") || name.endsWith(".svg");
  const textKind = isPage || isImage ? undefined : textKindOf(artifact);
  return (
    <figure className={styles.artifact}>
      {isImage && <ArtifactImage planId={planId} name={name} />}
      {isPage && <ArtifactPage planId={planId} name={name} />}
      {textKind !== undefined && <ArtifactText planId={planId} artifact={artifact} kind={textKind} />}
      <figcaption>
        <SaveLink
          href={gateway.artifactUrl(planId, name)}
          name={name}
          load={(signal) => gateway.artifact(planId, name, signal)}
        >
          <Icon name="file" size={14} /> {name}
        </SaveLink>
        <span>
          {contentType}
          {bytes > 0 && ` · ${formatBytes(bytes)}`}
        </span>
      </figcaption>
    </figure>
  );
}

/** Precedes the page's own markup, regardless of its author: the page cannot load anything. */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`;

/** A page that a step produced, in a frame that runs no scripts and lets nothing out. */
function ArtifactPage({ planId, name }: { readonly planId: string; readonly name: string }) {
  const { gateway } = useServices();
  const loaded = useLoaded(`${planId}/${name}`, 0, async (signal) =>
    (await gateway.artifact(planId, name, signal)).text(),
  );
  if (loaded.phase === "loading")
    return <Loading className={styles.artifactImage} what={ARTIFACT_PAGE.loading(name)} />;
  if (loaded.phase === "failed") return <Problem error={loaded.error} again={loaded.again} />;
  return (
    <iframe
      className={styles.artifactPage}
      title={ARTIFACT_PAGE.page(name)}
      sandbox=""
      referrerPolicy="no-referrer"
      srcDoc={POLICY + loaded.value}
    />
  );
}
