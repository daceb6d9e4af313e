import { useState } from "react";
import { toApiError } from "../api/api-error.ts";
import { useServices } from "../shell/services.ts";
import { formatCount } from "../ui/format.ts";
import type { AttachedText } from "./request-of.ts";
import { type AttachedKind, freeName, kindOf, sourceNameOf, TEXT_CHARS_MAX } from "./attached-file.ts";
import { USE_ATTACH } from "./submit-words.ts";

/** A file on its way to be a data source. */
export type Attaching = {
  readonly file: File;
  readonly name: string;
  readonly state:
    | { readonly phase: "asking"; readonly free: string; readonly mayReplace: boolean }
    | { readonly phase: "sending"; readonly part: number }
    | { readonly phase: "failed"; readonly reason: string };
};

type TableKind = Exclude<AttachedKind, "text">;

type Deps = {
  readonly onSource: (name: string) => void;
  readonly onText: (text: AttachedText) => void;
};

const FILES_AT_ONCE = 10;

/** Attaches files: tables become data sources, one text goes along with the goal. */
export function useAttach({ onSource, onText }: Deps) {
  const { gateway } = useServices();
  const [attaching, setAttaching] = useState<readonly Attaching[]>([]);
  const put = (next: Attaching) =>
    setAttaching((before) => [...before.filter(({ file }) => file !== next.file), next]);
  const drop = (file: File) => setAttaching((before) => before.filter((one) => one.file !== file));
  const fail = (file: File, reason: string) =>
    put({ file, name: file.name, state: { phase: "failed", reason } });

  const send = async (file: File, name: string, kind: TableKind): Promise<void> => {
    const show = (part: number) => put({ file, name, state: { phase: "sending", part } });
    show(0);
    try {
      const signal = new AbortController().signal;
      await gateway.upload({ name, kind, data: file }, { onProgress: show, signal });
      drop(file);
      onSource(name);
    } catch (error) {
      fail(file, toApiError(error).message);
    }
  };
  const attachTable = async (file: File, kind: TableKind): Promise<void> => {
    const name = sourceNameOf(file.name);
    const sources = await gateway.sources(new AbortController().signal);
    const known = sources.find((source) => source.name === name);
    if (known === undefined) return send(file, name, kind);
    const free = freeName(name, new Set(sources.map((source) => source.name)));
    put({ file, name, state: { phase: "asking", free, mayReplace: known.origin === "upload" } });
  };
  const attachText = async (file: File): Promise<void> => {
    const text = await file.text();
    if (text.trim() === "") return fail(file, USE_ATTACH.isEmpty(file.name));
    if (text.length > TEXT_CHARS_MAX) return fail(file, USE_ATTACH.tooLong(file.name));
    if (text.includes("\0")) return fail(file, USE_ATTACH.notText(file.name));
    onText({ name: file.name, text });
  };
  const attachOne = async (file: File): Promise<void> => {
    const kind = kindOf(file);
    if (typeof kind === "object") return fail(file, kind.fault);
    try {
      await (kind === "text" ? attachText(file) : attachTable(file, kind));
    } catch (error) {
      fail(file, toApiError(error).message);
    }
  };
  const attach = (files: Iterable<File>): void => {
    const all = [...files];
    for (const file of all.slice(0, FILES_AT_ONCE)) void attachOne(file);
    const [first] = all.slice(FILES_AT_ONCE);
    const left = all.length - FILES_AT_ONCE;
    if (first !== undefined) fail(first, USE_ATTACH.tooMany(FILES_AT_ONCE, formatCount(left, "file")));
  };
  return {
    attaching,
    attach,
    /** Sends the file again under another name, after the first name was taken. */
    sendAs: (file: File, name: string) => void send(file, name, tableKindOf(file)),
    drop,
  };
}

function tableKindOf(file: File): TableKind {
  return kindOf(file) === "sqlite" ? "sqlite" : "csv";
}
