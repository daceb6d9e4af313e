import { useServices } from "../shell/services.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/problem.tsx";
import { ARTIFACT_PAGE } from "./value-words.ts";
import styles from "./values.module.css";

/** Said before anything else of the page, whoever made it: it loads nothing. */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`;

/** A page that a step made, in a frame in which nothing runs and from which nothing gets out. */
export function ArtifactPage({ planId, name }: { readonly planId: string; readonly name: string }) {
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
