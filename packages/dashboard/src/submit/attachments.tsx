/** The goal's attachments, and files that are still uploading. */
import clsx from "clsx";
import { type ReactNode, useId, useState } from "react";
import { Button, IconButton } from "../ui/button.tsx";
import { formatBytes, formatCount } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import {
  ACCEPTED,
  type AttachedKind,
  freeName,
  kindOf,
  sourceNameOf,
  TEXT_CHARS_MAX,
} from "./attached-file.ts";
import type { Options, AttachedText } from "./request-of.ts";
import { ATTACHMENTS, USE_ATTACH } from "./submit-words.ts";
import { toApiError } from "../api/api-error.ts";
import { useServices } from "../shell/services.ts";

type Props = {
  readonly options: Options;
  readonly onChange: (part: Partial<Options>) => void;
  readonly attaching: readonly Attaching[];
  readonly onSendAs: (file: File, name: string) => void;
  readonly onDrop: (file: File) => void;
};

export function Attachments({ options, onChange, attaching, onSendAs, onDrop }: Props) {
  const { data, text } = options;
  if (data.length === 0 && text === undefined && attaching.length === 0) return null;
  return (
    <ul className="grid gap-1.5 px-3.5 pt-1 pb-3" aria-label={ATTACHMENTS.attached}>
      {data.map((name) => (
        <Chip
          key={`data ${name}`}
          name={name}
          onRemove={() => onChange({ data: data.filter((one) => one !== name) })}
        >
          {ATTACHMENTS.dataForPlan}
        </Chip>
      ))}
      {text !== undefined && (
        <Chip name={text.name} onRemove={() => onChange({ text: undefined })}>
          {ATTACHMENTS.textInParts(text.text.length.toLocaleString("en"))}
        </Chip>
      )}
      {attaching.map((one) => (
        <OnItsWay
          key={`${one.file.name} ${one.file.lastModified}`}
          attaching={one}
          onSendAs={onSendAs}
          onDrop={onDrop}
        />
      ))}
    </ul>
  );
}

function Chip({ name, onRemove, children }: { name: string; onRemove: () => void; children: ReactNode }) {
  return (
    <Row icon="file" name={name} about={children}>
      <IconButton icon="close" size={13} label={ATTACHMENTS.remove(name)} onClick={onRemove} />
    </Row>
  );
}

type RowProps = {
  readonly icon: IconName;
  readonly name?: string;
  readonly about: ReactNode;
  readonly tone?: "tone-warn" | "tone-bad";
  readonly role?: "status" | "alert";
  readonly children: ReactNode;
};

function Row({ icon, name, about, tone, role, children }: RowProps) {
  return (
    <li
      className={clsx(
        "flex flex-wrap items-center gap-x-2 gap-y-1 rounded-md border py-1 pr-1.5 pl-2.5 text-sm",
        tone === undefined ? "border-line" : ["border-tone/35 bg-tone-soft", tone],
      )}
      role={role}
    >
      <Icon className="flex-none" name={icon} size={15} spin={icon === "running"} />
      {name !== undefined && <span className="font-semibold">{name}</span>}
      <span className="flex-[1_1_12ch] text-soft">{about}</span>
      {children}
    </li>
  );
}

const SMALL = "min-h-7.5 px-2.5 py-0.5 text-sm";

type OnItsWayProps = Pick<Props, "onSendAs" | "onDrop"> & { readonly attaching: Attaching };

function OnItsWay({ attaching: { file, name, state }, onSendAs, onDrop }: OnItsWayProps) {
  const leave = (
    <IconButton icon="close" size={13} label={ATTACHMENTS.remove(name)} onClick={() => onDrop(file)} />
  );
  switch (state.phase) {
    case "sending":
      return (
        <Row icon="running" name={name} about={ATTACHMENTS.sending(formatBytes(file.size))} role="status">
          <progress
            className="w-22.5 accent-accent"
            max={1}
            value={state.part}
            aria-label={ATTACHMENTS.uploading(name)}
          />
        </Row>
      );
    case "asking": {
      const about = (
        <>
          {ATTACHMENTS.aDataSource} <strong>{name}</strong> {ATTACHMENTS.already}
          {state.mayReplace ? ATTACHMENTS.replaceable : ATTACHMENTS.notReplaceable}
        </>
      );
      return (
        <Row icon="alert" about={about} tone="tone-warn" role="alert">
          <Button className={SMALL} onClick={() => onSendAs(file, state.free)}>
            {ATTACHMENTS.attachAs(state.free)}
          </Button>
          {state.mayReplace && (
            <Button kind="danger" className={SMALL} onClick={() => onSendAs(file, name)}>
              {ATTACHMENTS.replaceIt}
            </Button>
          )}
          {leave}
        </Row>
      );
    }
    case "failed":
      return (
        <Row icon="failed" about={state.reason} tone="tone-bad" role="alert">
          {leave}
        </Row>
      );
    default:
      state satisfies never;
      return null;
  }
}

export function AttachButton({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const id = useId();
  return (
    <label
      className="button cursor-pointer focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent max-sm:w-full"
      htmlFor={id}
      title={ATTACHMENTS.formats}
    >
      <Icon name="file" size={15} />
      {ATTACHMENTS.attachData}
      <input
        id={id}
        className="visually-hidden"
        type="file"
        multiple
        accept={ACCEPTED}
        onChange={({ target }) => {
          if (target.files !== null) onFiles([...target.files]);
          // The same file can be chosen again.
          target.value = "";
        }}
      />
    </label>
  );
}

/** A file that is being uploaded as a data source. */
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

/** Attaches files: tables become data sources, one text is sent along with the goal. */
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
    /** Uploads the file again under another name, after the first name was already used. */
    sendAs: (file: File, name: string) => void send(file, name, tableKindOf(file)),
    drop,
  };
}

function tableKindOf(file: File): TableKind {
  return kindOf(file) === "sqlite" ? "sqlite" : "csv";
}
