import { type MouseEvent, type ReactNode, useState } from "react";
import { toApiError } from "../api/api-error.ts";
import { useServices } from "../shell/services.ts";

/** Long enough for a browser to begin with it. */
const KEPT_MS = 60_000;

type Props = {
  readonly href: string;
  /** As what it is saved. */
  readonly name: string;
  readonly load: (signal: AbortSignal) => Promise<Blob>;
  readonly children: ReactNode;
};

/** A link to what the gateway keeps. A link cannot carry the key; with one, the page fetches it and saves it. */
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

/** Gives a person a file that the page has. */
export function saveAs(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name.split("/").at(-1) ?? name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
