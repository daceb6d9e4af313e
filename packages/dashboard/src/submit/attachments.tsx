/** What is attached to the goal, and files on their way. */
import { type ReactNode, useId, useState } from "react";
import { Button, IconButton } from "../ui/button.tsx";
import { formatBytes, formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
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
import styles from "./attachments.module.css";
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
    <ul className={styles.attachments} aria-label={ATTACHMENTS.attached}>
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
    <li className={styles.attachment}>
      <Icon name="file" size={15} />
      <span className={styles.attachmentName}>{name}</span>
      <span className={styles.attachmentAbout}>{children}</span>
      <IconButton icon="close" size={13} label={ATTACHMENTS.remove(name)} onClick={onRemove} />
    </li>
  );
}

type OnItsWayProps = Pick<Props, "onSendAs" | "onDrop"> & { readonly attaching: Attaching };

function OnItsWay({ attaching: { file, name, state }, onSendAs, onDrop }: OnItsWayProps) {
  const leave = (
    <IconButton icon="close" size={13} label={ATTACHMENTS.remove(name)} onClick={() => onDrop(file)} />
  );
  switch (state.phase) {
    case "sending":
      return (
        <li className={styles.attachment} role="status">
          <Icon name="running" size={15} spin />
          <span className={styles.attachmentName}>{name}</span>
          <span className={styles.attachmentAbout}>{ATTACHMENTS.sending(formatBytes(file.size))}</span>
          <progress max={1} value={state.part} aria-label={ATTACHMENTS.uploading(name)} />
        </li>
      );
    case "asking":
      return (
        <li className={`${styles.attachment} ${styles.attachmentAsking}`} role="alert">
          <Icon name="alert" size={15} />
          <span className={styles.attachmentAbout}>
            {ATTACHMENTS.aDataSource} <strong>{name}</strong> {ATTACHMENTS.already}
            {state.mayReplace ? ATTACHMENTS.replaceable : ATTACHMENTS.notReplaceable}
          </span>
          <Button onClick={() => onSendAs(file, state.free)}>{ATTACHMENTS.attachAs(state.free)}</Button>
          {state.mayReplace && (
            <Button kind="danger" onClick={() => onSendAs(file, name)}>
              {ATTACHMENTS.replaceIt}
            </Button>
          )}
          {leave}
        </li>
      );
    case "failed":
      return (
        <li className={`${styles.attachment} ${styles.attachmentFailed}`} role="alert">
          <Icon name="failed" size={15} />
          <span className={styles.attachmentAbout}>{state.reason}</span>
          {leave}
        </li>
      );
    default:
      state satisfies never;
      return null;
  }
}

export function AttachButton({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const id = useId();
  return (
    <label className={`button ${styles.attachButton}`} htmlFor={id} title={ATTACHMENTS.formats}>
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
          // The same file may be chosen again.
          target.value = "";
        }}
      />
    </label>
  );
}

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
