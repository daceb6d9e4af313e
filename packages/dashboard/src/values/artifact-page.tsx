import { useServices } from "../shell/services.ts";
import { Icon } from "../ui/icons.tsx";
import { useLoaded } from "../ui/use-loaded.ts";

/** Said before anything else of the page, whoever made it: it loads nothing. */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`;

/** A page that a step made, in a frame in which nothing runs and from which nothing gets out. */
export function ArtifactPage({ planId, name }: { readonly planId: string; readonly name: string }) {
  const { gateway } = useServices();
  const loaded = useLoaded(`${planId}/${name}`, 0, async (signal) =>
    (await gateway.artifact(planId, name, signal)).text(),
  );
  if (loaded.phase === "loading") return <div className="skeleton artifact-image" />;
  if (loaded.phase === "failed") {
    return (
      <p className="soft">
        <Icon name="alert" size={14} /> {loaded.error.message}
      </p>
    );
  }
  return (
    <iframe
      className="artifact-page"
      title={`The page ${name}`}
      sandbox=""
      referrerPolicy="no-referrer"
      srcDoc={POLICY + loaded.value}
    />
  );
}
