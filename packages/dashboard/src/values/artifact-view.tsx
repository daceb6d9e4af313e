import type { ArtifactRef } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { formatBytes } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Loading } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { SaveLink } from "../ui/save-link.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { ArtifactText, textKindOf } from "./artifact-text.tsx";
import { ARTIFACT_IMAGE, ARTIFACT_PAGE } from "./value-words.ts";
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

type ArtifactImageProps = { readonly planId: string; readonly name: string };

/** A picture that a step made. As an image, an SVG can neither run scripts nor load anything. */
function ArtifactImage(props: ArtifactImageProps) {
  const { gateway, apiKey } = useServices();
  if (apiKey.current() !== undefined) return <FetchedImage {...props} />;
  return <Picture src={gateway.artifactUrl(props.planId, props.name)} name={props.name} />;
}

/** With a key: an image element cannot send it, so the page fetches the picture. */
function FetchedImage({ planId, name }: ArtifactImageProps) {
  const { gateway } = useServices();
  const loaded = useLoaded(`${planId}/${name}`, 0, async (signal) =>
    dataUrl(await gateway.artifact(planId, name, signal)),
  );
  if (loaded.phase === "loading")
    return <Loading className={styles.artifactImage} what={ARTIFACT_IMAGE.loading(name)} />;
  if (loaded.phase === "failed") return <Problem error={loaded.error} again={loaded.again} />;
  return <Picture src={loaded.value} name={name} />;
}

function Picture({ src, name }: { src: string; name: string }) {
  return <img className={styles.artifactImage} src={src} alt={ARTIFACT_IMAGE.image(name)} loading="lazy" />;
}

function dataUrl(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  // `readAsDataURL` results in a string.
  reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
  reader.onerror = () => reject(new Error("the image cannot be loaded", { cause: reader.error }));
  reader.readAsDataURL(blob);
  return promise;
}
