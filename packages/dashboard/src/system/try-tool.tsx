/** Runs one tool with arguments, as a plan of one step. */
import { type FormEvent, useEffect, useId, useState } from "react";
import { type ApiError, toApiError } from "../api/api-error.ts";
import type { JsonObject, ToolSpec } from "../api/api-types.ts";
import { useWhyNot } from "../sign-in/caller.ts";
import { useServices } from "../shell/services.ts";
import { Icon } from "../ui/icons.tsx";
import { Problem } from "../ui/problem.tsx";
import { readArguments, type SchemaField, type Typed, typedIn } from "./schema-fields.ts";
import { TRY_RESULT, TRY_TOOL } from "./system-words.ts";
import { Link } from "../router/link.tsx";
import { useLivePlan } from "../live/use-live-plan.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { StepResult } from "../step/step-result.tsx";

const STEP = "try";
const CHECK_DELAY_MS = 300;

export function TryTool({ tool, fields }: { tool: ToolSpec; fields: readonly SchemaField[] }) {
  const { gateway } = useServices();
  const whyNot = useWhyNot("submitPlan");
  const [typed, setTyped] = useState<Typed>({});
  const [tried, setTried] = useState<{
    readonly planId?: string;
    readonly error?: ApiError;
    readonly busy?: true;
  }>({});
  const { args, faults } = readArguments(fields, typed);
  const isComplete = Object.keys(faults).length === 0;
  const refused = useCheck(tool.name, args, isComplete);
  const run = async (): Promise<void> => {
    setTried({ busy: true });
    const request = {
      goal: TRY_TOOL.try(tool.name),
      strategy: "auto",
      plan: planOf(tool.name, args),
    } as const;
    try {
      const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
      const { planId } = await gateway.submit(request, key, new AbortController().signal);
      setTried({ planId });
    } catch (error) {
      setTried({ error: toApiError(error) });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete && refused.length === 0 && whyNot === undefined) void run();
  };
  return (
    <form
      className="grid max-w-[700px] grid-cols-1 justify-items-start gap-2.5 pt-2.5"
      aria-label={TRY_TOOL.try(tool.name)}
      onSubmit={submit}
    >
      <Warnings tool={tool} />
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={typedIn(typed, field.name)}
          fault={typedIn(typed, field.name) === "" ? undefined : typedIn(faults, field.name) || undefined}
          onChange={(value) => setTyped({ ...typed, [field.name]: value })}
        />
      ))}
      {refused.length > 0 && (
        <ul className="text-sm text-bad" role="status">
          {refused.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <button
        type="submit"
        className="button button-primary"
        disabled={!isComplete || refused.length > 0 || tried.busy === true || whyNot !== undefined}
        title={whyNot}
      >
        <Icon name={tried.busy ? "running" : "send"} spin={tried.busy === true} />
        {TRY_TOOL.run(tool.name)}
      </button>
      {tried.error !== undefined && <Problem error={tried.error} />}
      {tried.planId !== undefined && <TryResult key={tried.planId} planId={tried.planId} stepId={STEP} />}
    </form>
  );
}

function Warnings({ tool: { effect, risk } }: { tool: ToolSpec }) {
  if (effect === "read" && risk !== "high") return null;
  const acts = effect === "once" ? TRY_TOOL.atMostOnce : effect === "idempotent" ? TRY_TOOL.idempotent : "";
  return (
    <p className="flex items-center gap-2 text-warn">
      <Icon className="flex-none" name="alert" size={15} /> {acts} {risk === "high" && TRY_TOOL.highRisk}
    </p>
  );
}

type FieldProps = {
  readonly field: SchemaField;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
};

function Field({
  field: { name, type, required, about, input, fallback },
  value,
  fault,
  onChange,
}: FieldProps) {
  const id = useId();
  const placeholder = fallback === undefined ? type : TRY_TOOL.typeAndDefault(type, JSON.stringify(fallback));
  const common = {
    id,
    className: "field",
    value,
    title: about,
    "aria-invalid": fault !== undefined,
    "aria-describedby": `${id}-fault`,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  const choices = input.kind === "choice" ? input.choices : ["true", "false"];
  return (
    <div className="grid w-full gap-1">
      <label htmlFor={id}>
        <code>{name}</code> {required && <span className="text-xs text-warn">{TRY_TOOL.required}</span>}
      </label>
      {input.kind === "choice" || input.kind === "flag" ? (
        <select {...common}>
          <option value="">
            {fallback === undefined ? "–" : TRY_TOOL.fallback(JSON.stringify(fallback))}
          </option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : input.kind === "number" || input.kind === "integer" ? (
        <input {...common} inputMode="decimal" placeholder={placeholder} />
      ) : (
        <textarea
          {...common}
          className="field field-sizing-content max-h-[40vh]"
          rows={input.kind === "json" ? 2 : 1}
          spellCheck={input.kind === "text"}
          placeholder={placeholder}
        />
      )}
      <span id={`${id}-fault`} className="text-sm text-bad">
        {fault}
      </span>
    </div>
  );
}

function planOf(tool: string, args: JsonObject): JsonObject {
  return { steps: [{ id: STEP, tool, args }], answerFrom: STEP };
}

/** The errors that the gateway finds in the arguments, checked shortly after the last keystroke. */
function useCheck(tool: string, args: JsonObject, isComplete: boolean): readonly string[] {
  const { gateway } = useServices();
  const [refused, setRefused] = useState<readonly string[]>([]);
  const text = JSON.stringify(args);
  useEffect(() => {
    setRefused([]);
    if (!isComplete) return;
    const closing = new AbortController();
    const check = async (): Promise<void> => {
      // If the gateway is unreachable now, it reports the errors when the tool is run.
      const faults = await gateway.check(planOf(tool, args), closing.signal).catch(() => []);
      if (!closing.signal.aborted) setRefused(faults);
    };
    const timer = setTimeout(() => void check(), CHECK_DELAY_MS);
    return () => {
      clearTimeout(timer);
      closing.abort();
    };
  }, [tool, text, isComplete, gateway]);
  return refused;
}

/** The progress and result of a plan of one step, live. */
function TryResult({ planId, stepId }: { planId: string; stepId: string }) {
  const { state } = useLivePlan(planId);
  const plan = `/plans/${encodeURIComponent(planId)}`;
  if (state.phase === "failed") return <Problem error={state.error} />;
  const view = state.phase === "ready" ? state.view : undefined;
  const step = view?.steps.find(({ id }) => id === stepId);
  const status = view?.endedAt === undefined ? (view?.status ?? "running") : (step?.status ?? view.status);
  return (
    <section className="grid w-full grid-cols-1 gap-2" aria-label={TRY_RESULT.result} role="status">
      <p>
        <StatusBadge status={status} /> <Link href={plan}>{TRY_RESULT.plan}</Link>
        {status === "awaiting-approval" && TRY_RESULT.waiting}
      </p>
      {step !== undefined && <StepResult planId={planId} step={step} />}
    </section>
  );
}
