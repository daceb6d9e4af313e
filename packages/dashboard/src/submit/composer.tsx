/** The form that submits a goal. */
import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from "react";
import { type ApiError, toApiError } from "../api/api-error.ts";
import type { Accepted, GoalRequest, Preview } from "../api/api-types.ts";
import { Onboarding } from "../onboarding/onboarding.tsx";
import { draftOf, type Origin, useOrigin } from "../rerun/use-origin.ts";
import { Link } from "../router/link.tsx";
import { navigate } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { useMay, useWhyNot } from "../sign-in/caller.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { Problem } from "../ui/problem.tsx";
import { AttachButton, Attachments, useAttach } from "./attachments.tsx";
import { DropForm } from "./drop-form.tsx";
import { EXAMPLE_GOALS } from "./example-goals.ts";
import { OptionsPanel } from "./options-panel.tsx";
import { PreviewCard } from "./preview-card.tsx";
import { randomKey } from "./random-key.ts";
import { missingOf, type Options, planned, readPlan, requestOf } from "./request-of.ts";
import { StrategySelect } from "./strategy-select.tsx";
import { COMPOSER, EXAMPLE_GOALS_LIST } from "./submit-words.ts";
import { NEW_DRAFT, useDraft } from "./use-draft.ts";

const GOAL_CHARS_MAX = 20_000;

/** @param origin - The plan to edit and run again; absent for a new goal. */
export function Composer({ origin }: { origin?: Origin }) {
  const { draft, change, clear } = useDraft(origin === undefined ? NEW_DRAFT : draftOf(origin));
  const { goal, strategy, options } = draft;
  const plan = readPlan(options.plan);
  const { complete, send: post } = useOrigin(origin);
  const { submit: run, pending, error } = useSubmit({ send: post, onAccepted: clear });
  const submit = (one: GoalRequest) => run(complete(one));
  const request = requestOf(goal.trim(), strategy, options);
  const { preview, draft: draftPreview } = usePreview(complete(request));
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const setOptions = (part: Partial<Options>) =>
    change((before) => ({ options: { ...before.options, ...part } }));
  const { attaching, attach, sendAs, drop } = useAttach({
    onText: (text) => setOptions({ text }),
    onSource: (name) =>
      change(({ options: { data, ...rest } }) => ({
        options: { ...rest, data: [...new Set([...data, name])] },
      })),
  });
  const may = useMay();
  const whyNot = useWhyNot(origin === undefined ? "submitPlan" : "rerunPlan");
  const missing = whyNot ?? missingOf(request);
  const ready = goal.trim() !== "" && !pending && plan.kind !== "invalid" && missing === undefined;
  const send = () => void (ready && submit(request));
  const pick = (example: string) => {
    change({ goal: example });
    field.current?.focus();
  };
  return (
    <section
      className="mx-auto grid w-full max-w-[880px] gap-4.5 px-5 pt-[clamp(28px,9vh,96px)] pb-12 max-sm:px-3.5"
      aria-labelledby="composer-title"
    >
      <ComposerTitle origin={origin} />
      <DropForm onFiles={may("addSource") ? attach : () => undefined} onSubmit={send}>
        <GoalField field={field} value={goal} onChange={(text) => change({ goal: text })} onSend={send} />
        <Attachments
          options={options}
          onChange={setOptions}
          attaching={attaching}
          onSendAs={sendAs}
          onDrop={drop}
        />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5 border-t border-line bg-sunken px-3 py-2.5">
          <StrategySelect value={strategy} onChange={(value) => change({ strategy: value })} />
          {may("addSource") && <AttachButton onFiles={attach} />}
          <Buttons
            ready={ready}
            pending={pending}
            isDrafting={preview.phase === "drafting"}
            onPreview={draftPreview}
          />
        </div>
        <Missing text={missing} />
        <OptionsPanel options={options} plan={plan} onChange={setOptions} />
      </DropForm>
      {error !== undefined && <Problem error={error} />}
      <Previewed preview={preview} request={request} pending={pending} onRun={submit} />
      {origin === undefined && (
        <>
          <ExampleGoals onPick={pick} />
          {/* Known later than the rest, so it is at the end, where it moves nothing. */}
          <Onboarding uploads={options.data.length} />
        </>
      )}
    </section>
  );
}

function ComposerTitle({ origin }: { origin: Origin | undefined }) {
  return (
    <>
      <h1
        className="text-center text-[clamp(1.7rem,4.5vw,2.3rem)] font-bold tracking-[-0.025em]"
        id="composer-title"
      >
        {origin === undefined ? COMPOSER.title : COMPOSER.editAndRunAgain}
      </h1>
      <p className="-mt-2.5 text-center text-balance text-soft">
        {origin === undefined ? (
          COMPOSER.lead
        ) : (
          <>
            {COMPOSER.submits} <Link href={`/plans/${origin.planId}`}>{COMPOSER.thisPlan}</Link>{" "}
            {COMPOSER.asNewPlan} <Link href="/">{COMPOSER.newGoal}</Link>
          </>
        )}
      </p>
    </>
  );
}

type GoalProps = {
  readonly field: Ref<HTMLTextAreaElement>;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
};

function GoalField({ field, value, onChange, onSend }: GoalProps) {
  return (
    <>
      <label className="visually-hidden" htmlFor="goal">
        {COMPOSER.goal}
      </label>
      <textarea
        id="goal"
        className="block field-sizing-content max-h-[50vh] min-h-29 w-full resize-y border-0 bg-transparent px-4.5 pt-4 pb-2 text-base outline-none placeholder:text-faint"
        ref={field}
        rows={4}
        maxLength={GOAL_CHARS_MAX}
        placeholder={COMPOSER.describeAGoal}
        value={value}
        aria-describedby="goal-hint"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => sendByKey(event, onSend)}
      />
    </>
  );
}

function Missing({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className="border-t border-line px-3.5 py-2.5 text-sm text-soft" role="status">
      <Icon name="alert" size={15} /> {text}
    </p>
  );
}

type ButtonsProps = {
  readonly ready: boolean;
  readonly pending: boolean;
  readonly isDrafting: boolean;
  readonly onPreview: () => void;
};

function Buttons({ ready, pending, isDrafting, onPreview }: ButtonsProps) {
  // Kept together, so that the submit button is never alone on a line.
  return (
    <div className="ml-auto flex flex-wrap items-center justify-end gap-2.5 max-sm:w-full">
      <span id="goal-hint" className="text-xs whitespace-nowrap text-faint max-lg:hidden">
        <kbd>{COMPOSER.ctrl}</kbd> <kbd>{COMPOSER.enter}</kbd>
        <span className="visually-hidden"> {COMPOSER.keySubmits}</span>
      </span>
      <Button className="max-sm:w-full" disabled={!ready || isDrafting} onClick={onPreview}>
        <Icon name={isDrafting ? "running" : "reviewing"} spin={isDrafting} />
        {isDrafting ? COMPOSER.drafting : COMPOSER.preview}
      </Button>
      <button type="submit" className="button button-primary max-sm:w-full" disabled={!ready}>
        <Icon name={pending ? "running" : "send"} spin={pending} />
        {pending ? COMPOSER.submitting : COMPOSER.submitGoal}
      </button>
    </div>
  );
}

function sendByKey(event: KeyboardEvent, send: () => void): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  send();
}

type PreviewedProps = {
  readonly preview: PreviewState;
  readonly request: GoalRequest;
  readonly pending: boolean;
  readonly onRun: (request: GoalRequest) => void;
};

function Previewed({ preview, request, pending, onRun }: PreviewedProps) {
  if (preview.phase === "failed") return <Problem error={preview.error} />;
  if (preview.phase !== "ready") return null;
  const run = () => onRun(planned(request, preview.preview));
  return <PreviewCard preview={preview.preview} request={request} busy={pending} onRun={run} />;
}

function ExampleGoals({ onPick }: { onPick: (goal: string) => void }) {
  return (
    <section className="mt-3.5 grid gap-2.5" aria-label={EXAMPLE_GOALS_LIST.exampleGoals}>
      <h2 className="text-sm font-semibold text-faint">{EXAMPLE_GOALS_LIST.examples}</h2>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(320px,100%),1fr))] gap-2.5">
        {EXAMPLE_GOALS.map(({ goal, about, icon }) => (
          <li key={goal}>
            <button
              type="button"
              className="card flex size-full gap-3 px-4 py-3 text-left shadow-none transition hover:-translate-y-px hover:border-accent"
              onClick={() => onPick(goal)}
            >
              <Icon className="mt-0.5 flex-none text-accent" name={icon} size={18} />
              <span>
                <span className="block font-medium">{goal}</span>
                <span className="mt-0.5 block text-sm text-faint">{about}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

type PreviewState =
  | { readonly phase: "none" }
  | { readonly phase: "drafting"; readonly of: string }
  | { readonly phase: "failed"; readonly of: string; readonly error: ApiError }
  | { readonly phase: "ready"; readonly of: string; readonly preview: Preview };

/** Drafts without running. A draft of a different request is not shown. */
function usePreview(request: GoalRequest) {
  const { gateway } = useServices();
  const [state, setState] = useState<PreviewState>({ phase: "none" });
  const asked = useRef<AbortController>(undefined);
  const of = JSON.stringify(request);
  const draft = async (): Promise<void> => {
    asked.current?.abort();
    const closing = new AbortController();
    asked.current = closing;
    setState({ phase: "drafting", of });
    try {
      const preview = await gateway.preview(request, closing.signal);
      if (!closing.signal.aborted) setState({ phase: "ready", of, preview });
    } catch (error) {
      if (!closing.signal.aborted) setState({ phase: "failed", of, error: toApiError(error) });
    }
  };
  const current: PreviewState = state.phase !== "none" && state.of === of ? state : { phase: "none" };
  return { preview: current, draft: () => void draft() };
}

/** The lifetime of a request body that one idempotency key covers. */
type Attempt = { readonly body: string; readonly key: string };

type SubmitOptions<Body> = {
  readonly send: (body: Body, idempotencyKey: string, signal: AbortSignal) => Promise<Accepted>;
  readonly onAccepted?: () => void;
};

/** Submits a goal or a re-run, and opens its plan. Submitting the same again after a failure cannot start it twice. */
function useSubmit<Body extends object>({ send: post, onAccepted }: SubmitOptions<Body>) {
  const [state, setState] = useState<{ pending: boolean; error?: ApiError }>({ pending: false });
  const attempt = useRef<Attempt>(undefined);

  const send = async (request: Body): Promise<void> => {
    const body = JSON.stringify(request);
    if (attempt.current?.body !== body) attempt.current = { body, key: randomKey() };
    setState({ pending: true });
    try {
      const { planId } = await post(request, attempt.current.key, new AbortController().signal);
      onAccepted?.();
      navigate(`/plans/${planId}`);
    } catch (error) {
      setState({ pending: false, error: toApiError(error) });
    }
  };
  return { ...state, submit: (request: Body) => void send(request) };
}
