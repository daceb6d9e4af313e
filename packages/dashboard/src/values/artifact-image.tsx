import { useServices } from "../shell/services.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/problem.tsx";
import { ARTIFACT_IMAGE } from "./value-words.ts";
import styles from "./values.module.css";

type Props = { readonly planId: string; readonly name: string };

/** A picture that a step made. As an image, an SVG can neither run scripts nor load anything. */
export function ArtifactImage(props: Props) {
  const { gateway, apiKey } = useServices();
  if (apiKey.current() !== undefined) return <FetchedImage {...props} />;
  return <Picture src={gateway.artifactUrl(props.planId, props.name)} name={props.name} />;
}

/** With a key: an image element cannot send it, so the page fetches the picture. */
function FetchedImage({ planId, name }: Props) {
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
