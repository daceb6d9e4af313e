import { lazy, Suspense, useId, useState } from "react";
import type { Approval, ApprovalChoice, Decision, Json, JsonObject } from "../api/api-types.ts";
import type { Action } from "../api/use-action.ts";
import { useWhyNotDecide } from "../sign-in/caller.ts";
import { Button } from "../ui/button.tsx";
import { Loading } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { ANSWER_FIELD, EDITOR, editsLabelOf, labelOf } from "./approval-words.ts";
import { type Edited, readAnswer, readEdits, EditsField } from "./edits-field.tsx";
import { TextField } from "./text-field.tsx";

/** Loaded on demand: most approvals are decided without editing. */
const ArgumentEditor = lazy(async () => ({
  default: (await import("./argument-editor.tsx")).ArgumentEditor,
}));

type Props = {
  readonly approval: Approval;
  /** The value that an edit starts from; absent when nothing can be edited. */
  readonly editable: JsonObject | undefined;
  readonly action: Pick<Action, "busy" | "error">;
  readonly onDecide: (decision: Decision) => void;
};

const REASON_CHARS_MAX = 2_000;

/** The possible decisions, with the reviewer's comment, edits or answer. */
export function DecisionForm({ approval, editable, action: { busy, error }, onDecide }: Props) {
  const [edits, setEdits] = useState<Edited>();
  const [answer, setAnswer] = useState("");
  const [reason, setReason] = useState("");
  const asks = approval.choices.includes("answer");
  const choices = choicesOf(approval);
  const whyNot = useWhyNotDecide();
  const refusals = approval.choices.map(whyNot);

  const isReady = (choice: ApprovalChoice): boolean => {
    if (choice === "approve") return edits?.kind !== "invalid";
    return choice !== "answer" || answer.trim() !== "";
  };
  const send = (decision: ApprovalChoice) => {
    const said: Decision = {
      decision,
      ...(decision === "approve" && edits?.kind === "changed" ? { edits: edits.value } : {}),
      ...(decision === "answer" ? { answer: answerOf(answer, choices) } : {}),
      ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
    };
    onDecide(said);
  };
  if (refusals.length > 0 && !refusals.includes(undefined)) {
    return <p>{refusals[0]}</p>;
  }
  return (
    <form className="grid grid-cols-1 gap-2.5" onSubmit={(event) => event.preventDefault()}>
      {asks && <AnswerField choices={choices} value={answer} onChange={setAnswer} />}
      {edits !== undefined && editable !== undefined && (
        <Editor approval={approval} editable={editable} edits={edits} onEdits={setEdits} />
      )}
      {/* One line at first; it grows with the text. */}
      <TextField
        label={EDITOR.comment}
        className="field-sizing-content"
        rows={1}
        maxLength={REASON_CHARS_MAX}
        placeholder={EDITOR.commentHint}
        value={reason}
        onChange={setReason}
      />
      <div className="flex flex-wrap gap-2">
        {approval.choices.map((choice, index) => (
          <Button
            key={choice}
            kind={kindOf(choice, index)}
            disabled={busy || !isReady(choice) || whyNot(choice) !== undefined}
            title={whyNot(choice)}
            onClick={() => send(choice)}
          >
            {labelOf(choice, edits?.kind === "changed")}
          </Button>
        ))}
        {editable !== undefined && (
          <Button kind="quiet" onClick={() => setEdits(edits === undefined ? { kind: "same" } : undefined)}>
            {edits === undefined ? EDITOR.edit : EDITOR.discard}
          </Button>
        )}
      </div>
      {error !== undefined && <Problem error={error} />}
    </form>
  );
}

type EditorProps = {
  readonly approval: Approval;
  readonly editable: JsonObject;
  readonly edits: Edited;
  readonly onEdits: (edits: Edited) => void;
};

/** Edits the approved value: a plan as JSON, a tool's arguments field by field. */
function Editor({ approval, editable, edits, onEdits }: EditorProps) {
  const [text, setText] = useState(() => JSON.stringify(editable, null, 2));
  if (approval.kind !== "plan") {
    return (
      <Suspense fallback={<Loading what={EDITOR.loading} />}>
        <ArgumentEditor approval={approval} proposed={editable} onEdits={onEdits} />
      </Suspense>
    );
  }
  const change = (next: string) => {
    setText(next);
    onEdits(readEdits(next, editable));
  };
  return <EditsField label={editsLabelOf(approval)} text={text} edits={edits} onChange={change} />;
}

function kindOf(choice: ApprovalChoice, index: number) {
  if (choice === "reject") return "danger";
  return index === 0 ? "primary" : "plain";
}

/** The choices for the answer; undefined when it is free text. */
function choicesOf({ details }: Approval): readonly Json[] | undefined {
  const choices = details?.["choices"];
  return Array.isArray(choices) ? choices : undefined;
}

/** A choice is identified by its JSON; free text is read as JSON where it is valid JSON. */
function answerOf(text: string, choices: readonly Json[] | undefined): Json {
  return choices?.find((choice) => JSON.stringify(choice) === text) ?? readAnswer(text);
}

type AnswerFieldProps = {
  readonly choices: readonly Json[] | undefined;
  /** The JSON of the selected choice, otherwise the text as written. */
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** Answers a question: one of its choices, or free text. */
function AnswerField({ choices, value, onChange }: AnswerFieldProps) {
  const id = useId();
  if (choices === undefined) {
    return <TextField label={ANSWER_FIELD.answer} rows={3} value={value} onChange={onChange} />;
  }
  return (
    <fieldset className="flex flex-wrap gap-x-4.5 gap-y-1.5 border-0 p-0">
      <legend className="text-sm text-soft">{ANSWER_FIELD.answer}</legend>
      {choices.map((choice) => {
        const json = JSON.stringify(choice);
        return (
          <label key={json} className="inline-flex min-h-8 items-center gap-2">
            <input type="radio" name={id} checked={value === json} onChange={() => onChange(json)} />
            {typeof choice === "string" ? choice : json}
          </label>
        );
      })}
    </fieldset>
  );
}
