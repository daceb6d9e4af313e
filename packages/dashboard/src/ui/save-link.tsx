import { type MouseEvent, type ReactNode, useState } from "react";
import { toApiError } from "../api/api-error.ts";
import { useServices } from "../shell/services.ts";

/** Long enough for a browser to start the download. */
const KEPT_MS = 60_000;

type Props = {
  readonly href: string;
  /** The name of the saved file. */
  readonly name: string;
  readonly load: (signal: AbortSignal) => Promise<Blob>;
  readonly children: ReactNode;
};

/** A link to a file of the gateway. A link cannot carry the key; with one, the page fetches the file and saves it. */
export function SaveLink({ href, name, load, children }: Props) {
  const { apiKey } = useServices();
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    try {
      saveAs(name, await load(new AbortController().signal));
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
    <>
      <a href={href} target="_blank" rel="noreferrer" onClick={follow}>
        {children}
      </a>
      {problem !== undefined && <span role="alert">{problem}</span>}
    </>
  );
}

/** Downloads a file that the page has in memory. */
export function saveAs(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name.split("/").at(-1) ?? name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
