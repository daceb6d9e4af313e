/** Edits a call's arguments, field by field or all as JSON, and shows how they differ from the model's proposal. */
import { diffText } from "@planwright/plan/compare";
import { originText } from "@planwright/plan/origin-text";
import { useState } from "react";
import type { Approval, Json, JsonObject } from "../api/api-types.ts";
import { SourceDiff } from "../code/source-diff.tsx";
import { TextDifference } from "../compare/text-difference.tsx";
import { useServices } from "../shell/services.ts";
import { Button } from "../ui/button.tsx";
import { Loading } from "../ui/notice.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { EDITOR, editsLabelOf, FAULTS } from "./approval-words.ts";
import { type ArgumentField, argumentFields, readFields, type Texts, textsOf } from "./argument-fields.ts";
import { ArgumentInput } from "./argument-input.tsx";
import { isSame } from "./check-argument.ts";
import { type Edited, readEdits, EditsField } from "./edits-field.tsx";

/** The increase of a budget: the edits that the gateway accepts. */
const BUDGET_RAISE: JsonObject = {
  type: "object",
  properties: {
    tokens: { type: "integer", exclusiveMinimum: 0 },
    usd: { type: "number", exclusiveMinimum: 0 },
    seconds: { type: "integer", exclusiveMinimum: 0 },
    steps: { type: "integer", exclusiveMinimum: 0 },
  },
  additionalProperties: false,
};

type Props = {
  readonly approval: Approval;
  /** The value that an edit starts from. */
  readonly proposed: JsonObject;
  readonly onEdits: (edits: Edited) => void;
};

export function ArgumentEditor(props: Props) {
  const loaded = useArgumentSchema(props.approval);
  if (loaded.phase === "loading") return <Loading what={EDITOR.loading} />;
  return <Editor {...props} schema={loaded.schema} />;
}

type EditorState =
  | { readonly view: "fields"; readonly fields: readonly ArgumentField[]; readonly texts: Texts }
  | { readonly view: "json"; readonly text: string };

type EditorProps = Props & { readonly schema: JsonObject | undefined };

function Editor({ approval, proposed, schema, onEdits }: EditorProps) {
  const [state, setState] = useState(() => inFields(schema, proposed));
  const { args, faults, edits } = editsIn(state, { schema, proposed });
  const change = (next: EditorState) => {
    setState(next);
    onEdits(editsIn(next, { schema, proposed }).edits);
  };
  const show = (view: EditorState["view"]) => {
    if (view === state.view || args === undefined) return;
    change(view === "json" ? { view, text: JSON.stringify(args, null, 2) } : inFields(schema, args));
  };
  const label = editsLabelOf(approval);
  return (
    <div className="grid grid-cols-1 gap-3.5 border-t border-line pt-3 pb-1" role="group" aria-label={label}>
      <Views view={state.view} isReadable={args !== undefined} onShow={show} />
      {schema === undefined && <p className="text-sm text-soft">{EDITOR.noSchema}</p>}
      {state.view === "json" ? (
        <EditsField
          label={label}
          text={state.text}
          edits={edits}
          onChange={(text) => change({ view: "json", text })}
        />
      ) : (
        state.fields.map((field) => (
          <ArgumentInput
            key={field.name}
            field={field}
            text={state.texts.get(field.name) ?? ""}
            proposed={textsOf([field], proposed).get(field.name) ?? ""}
            fault={faults.get(field.name)}
            origin={originOf(approval, field.name)}
            onChange={(text) => change({ ...state, texts: new Map([...state.texts, [field.name, text]]) })}
          />
        ))
      )}
      {args !== undefined && <ArgumentChanges proposed={proposed} args={args} />}
    </div>
  );
}

type ViewsProps = {
  readonly view: EditorState["view"];
  /** Whether the arguments can be shown in another view. */
  readonly isReadable: boolean;
  readonly onShow: (view: EditorState["view"]) => void;
};

function Views({ view, isReadable, onShow }: ViewsProps) {
  return (
    <div className="flex gap-1.5" role="group" aria-label={EDITOR.views}>
      {(["fields", "json"] as const).map((one) => (
        <Button
          key={one}
          kind="quiet"
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
          aria-pressed={view === one}
          disabled={!isReadable}
          onClick={() => onShow(one)}
        >
          {EDITOR[one]}
        </Button>
      ))}
    </div>
  );
}

function inFields(schema: JsonObject | undefined, args: JsonObject): EditorState {
  const fields = argumentFields(schema, args);
  return { view: "fields", fields, texts: textsOf(fields, args) };
}

type Read = {
  /** Undefined while the text is not a JSON object. */
  readonly args: JsonObject | undefined;
  readonly faults: ReadonlyMap<string, string>;
  readonly edits: Edited;
};

/** The editor's contents. */
function editsIn(
  state: EditorState,
  { schema, proposed }: { readonly schema: JsonObject | undefined; readonly proposed: JsonObject },
): Read {
  if (state.view === "json") {
    const edits = readEdits(state.text, proposed);
    if (edits.kind === "invalid") return { args: undefined, faults: new Map(), edits };
    const args = edits.kind === "same" ? proposed : edits.value;
    const fields = argumentFields(schema, args);
    const { faults } = readFields(fields, textsOf(fields, args), args);
    return {
      args,
      faults,
      edits: editsOf({ args, faults, proposed }, ([name, fault]) => FAULTS.at(name, fault)),
    };
  }
  const { args, faults } = readFields(state.fields, state.texts, proposed);
  return { args, faults, edits: editsOf({ args, faults, proposed }, () => EDITOR.faults(faults.size)) };
}

function editsOf(
  {
    args,
    faults,
    proposed,
  }: { readonly args: JsonObject; readonly faults: Read["faults"]; readonly proposed: JsonObject },
  reasonOf: (first: readonly [name: string, fault: string]) => string,
): Edited {
  const [first] = faults;
  if (first !== undefined) return { kind: "invalid", reason: reasonOf(first) };
  return isSame(args, proposed) ? { kind: "same" } : { kind: "changed", value: args };
}

/** Where the proposed argument comes from. Undefined if the log doesn't say. */
function originOf({ argumentOrigins = [] }: Approval, name: string): string | undefined {
  const origin = argumentOrigins.find(({ argument }) => argument === name);
  return origin === undefined ? undefined : originText(origin);
}

type ArgumentSchema =
  | { readonly phase: "loading" }
  /** `schema` is undefined if no executor offers the tool now, or if the tools cannot be read. */
  | { readonly phase: "ready"; readonly schema: JsonObject | undefined };

/** The JSON schema of an approval's edits: the tool's arguments, or an increase of the budget. */
function useArgumentSchema({ kind, tool }: Pick<Approval, "kind" | "tool">): ArgumentSchema {
  const { gateway } = useServices();
  const loaded = useLoaded("tools", 0, (signal) =>
    kind === "budget" ? Promise.resolve(undefined) : gateway.tools(signal),
  );
  if (kind === "budget") return { phase: "ready", schema: BUDGET_RAISE };
  if (loaded.phase === "loading") return loaded;
  const tools = loaded.phase === "ready" ? (loaded.value?.tools ?? []) : [];
  return { phase: "ready", schema: tools.find(({ name }) => name === tool)?.input };
}

/** The changes to the arguments, one by one: within a line the removed and added text, otherwise line by line. */
function ArgumentChanges({ proposed, args }: { readonly proposed: JsonObject; readonly args: JsonObject }) {
  const names = [...new Set([...Object.keys(proposed), ...Object.keys(args)])];
  const changed = names.filter((name) => !isSame(valueOf(proposed, name), valueOf(args, name)));
  if (changed.length === 0) return <p className="text-sm text-soft">{EDITOR.noChanges}</p>;
  return (
    <section aria-label={EDITOR.changes}>
      <h4 className="mb-1.5 text-sm font-semibold">{EDITOR.changes}</h4>
      <dl className="grid gap-2">
        {changed.map((name) => (
          <Change key={name} name={name} before={valueOf(proposed, name)} after={valueOf(args, name)} />
        ))}
      </dl>
    </section>
  );
}

type ChangeProps = {
  readonly name: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
};

function Change({ name, before, after }: ChangeProps) {
  const [left, right] = [textOf(before), textOf(after)];
  const isLong = left.includes("\n") || right.includes("\n");
  return (
    <div>
      <dt className="text-sm text-soft">
        <code>{name}</code> {before === undefined && EDITOR.added}
        {after === undefined && EDITOR.removed}
      </dt>
      <dd className="mt-0.5">
        {isLong ? (
          <SourceDiff before={left} after={right} label={EDITOR.diffLabel(name)} />
        ) : (
          <TextDifference parts={diffText(left, right)} />
        )}
      </dd>
    </div>
  );
}

/** Text unchanged, unless it replaces a value that is not text: then both are shown as JSON. */
function textOf(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function valueOf(args: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}
