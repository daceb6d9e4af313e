import { type MouseEvent, useState } from "react";
import type { ArtifactRef } from "../api/api-types.ts";
import { toApiError } from "../api/to-api-error.ts";
import { useServices } from "../shell/services.ts";
import { formatBytes } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { ArtifactImage } from "./artifact-image.tsx";
import { ArtifactPage } from "./artifact-page.tsx";

type Props = {
  readonly planId: string;
  readonly artifact: Pick<ArtifactRef, "name" | "contentType" | "bytes">;
};

/** A file of the plan: a picture or a page when it is one, and always a link to it. */
export function ArtifactView({ planId, artifact }: Props) {
  const { gateway, apiKey } = useServices();
  const [problem, setProblem] = useState<string>();
  const { name, contentType, bytes } = artifact;
  const isPage = contentType.startsWith("text/html");
  const isImage = contentType.startsWith("image/") || name.endsWith(".svg");

  // A link cannot carry the key; with one, the file is fetched and saved by the page.
  const save = async () => {
    try {
      const url = URL.createObjectURL(await gateway.artifact(planId, name, new AbortController().signal));
      const link = Object.assign(document.createElement("a"), {
        href: url,
        download: name.split("/").at(-1) ?? name,
      });
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    } catch (error) {
      setProblem(toApiError(error).message);
    }
  };
  const follow = (event: MouseEvent) => {
    if (apiKey.current() === undefined) return;
    event.preventDefault();
    void save();
  };
  return (
    <figure className="artifact">
      {isImage && <ArtifactImage planId={planId} name={name} />}
      {isPage && <ArtifactPage planId={planId} name={name} />}
      <figcaption>
        <a href={gateway.artifactUrl(planId, name)} target="_blank" rel="noreferrer" onClick={follow}>
          <Icon name="file" size={14} /> {name}
        </a>
        <span>
          {contentType}
          {bytes > 0 && ` · ${formatBytes(bytes)}`}
        </span>
        {problem !== undefined && <span role="alert">{problem}</span>}
      </figcaption>
    </figure>
  );
}
