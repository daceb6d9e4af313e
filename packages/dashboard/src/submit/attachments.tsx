/** What is attached to the goal, and files on their way. */
import { type ReactNode, useId } from "react";
import { Button, IconButton } from "../ui/button.tsx";
import { formatBytes } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { ACCEPTED } from "./attached-file.ts";
import type { Options } from "./request-of.ts";
import type { Attaching } from "./use-attach.ts";
import { ATTACHMENTS } from "./submit-words.ts";
import styles from "./attachments.module.css";

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
