import clsx from "clsx";
import { useId } from "react";
import type { ArgumentField } from "./argument-fields.ts";
import { EDITOR } from "./approval-words.ts";
import { Button } from "../ui/button.tsx";

const ROWS_MAX = 12;
const ROWS_MIN = 2;

type Props = {
  readonly field: ArgumentField;
  readonly text: string;
  /** The proposed value as the field shows it. */
  readonly proposed: string;
  readonly fault: string | undefined;
  /** Where the proposed value comes from. */
  readonly origin: string | undefined;
  readonly onChange: (text: string) => void;
};

/** A field for one argument, with the source of its value and its error. */
export function ArgumentInput({ field, text, proposed, fault, origin, onChange }: Props) {
  const id = useId();
  const { name, required, type, about } = field;
  const isEdited = text !== proposed;
  return (
    <div className="grid grid-cols-1 gap-1" data-part="argument-field" data-argument={name}>
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
        <label className="text-sm text-soft" htmlFor={id}>
          <code>{name}</code>
        </label>
        {required && <span className="text-sm text-warn">{EDITOR.required}</span>}
        <span className="text-sm wrap-anywhere text-soft data-[edited=true]:text-warn" data-edited={isEdited}>
          {sourceText({ isEdited, isProposed: proposed !== "", origin })}
        </span>
        {isEdited && (
          <Button
            kind="quiet"
            className="min-h-0 px-2 py-0 text-sm"
            aria-label={EDITOR.resetLabel(name)}
            onClick={() => onChange(proposed)}
          >
            {EDITOR.proposed}
          </Button>
        )}
      </div>
      <Control {...{ id, field, text, onChange }} isInvalid={fault !== undefined} />
      <p id={`${id}-about`} className="text-sm text-soft empty:hidden">
        {[type, about].filter((part) => part !== "").join(". ")}
      </p>
      {fault !== undefined && (
        <p id={`${id}-fault`} className="text-sm text-bad" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

type Source = Pick<Props, "origin"> & { readonly isEdited: boolean; readonly isProposed: boolean };

/** Empty for an argument that is not set. */
function sourceText({ isEdited, isProposed, origin }: Source): string {
  if (isEdited) return isProposed && origin !== undefined ? EDITOR.editedFrom(origin) : EDITOR.edited;
  if (!isProposed) return "";
  return origin === undefined ? EDITOR.noSource : EDITOR.source(origin);
}

type ControlProps = Pick<Props, "field" | "text" | "onChange"> & {
  readonly id: string;
  readonly isInvalid: boolean;
};

function Control({ id, field: { kind, choices, required }, text, isInvalid, onChange }: ControlProps) {
  const common = {
    id,
    value: text,
    "aria-invalid": isInvalid,
    "aria-required": required,
    "aria-describedby": `${id}-about${isInvalid ? ` ${id}-fault` : ""}`,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  switch (kind) {
    case "choice":
    case "flag":
      return (
        <select {...common} className="field">
          <option value="">{EDITOR.notSet}</option>
          {(kind === "flag" ? [true, false] : choices).map((choice) => (
            <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
              {typeof choice === "string" ? choice : JSON.stringify(choice)}
            </option>
          ))}
        </select>
      );
    case "date":
      return <input {...common} type="date" className="field" />;
    case "number":
      return <input {...common} inputMode="decimal" autoComplete="off" className="field" />;
    case "text":
      return <input {...common} autoComplete="off" className="field" />;
    case "long-text":
    case "json": {
      const isJson = kind === "json";
      return (
        <textarea
          {...common}
          className={clsx("field resize-y", isJson && "font-mono text-sm")}
          spellCheck={!isJson}
          rows={Math.min(ROWS_MAX, Math.max(ROWS_MIN, text.split("\n").length))}
        />
      );
    }
    default:
      kind satisfies never;
      return null;
  }
}
