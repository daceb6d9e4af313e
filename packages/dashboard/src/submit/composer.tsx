/** Where a goal is submitted. */
import "./submit.css";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Strategy } from "../api/api-types.ts";
import { Icon } from "../ui/icons.tsx";
import { Problem } from "../ui/problem.tsx";
import { ExampleGoals } from "./example-goals-list.tsx";
import { OptionsPanel } from "./options-panel.tsx";
import { NO_OPTIONS, readPlan, requestOf } from "./request-of.ts";
import { StrategySelect } from "./strategy-select.tsx";
import { useSubmit } from "./use-submit.ts";

const GOAL_CHARS_MAX = 20_000;

export function Composer() {
  const [goal, setGoal] = useState("");
  const [strategy, setStrategy] = useState<Strategy>("auto");
  const [options, setOptions] = useState(NO_OPTIONS);
  const plan = readPlan(options.plan);
  const { submit, pending, error } = useSubmit();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);

  const empty = goal.trim() === "";
  const send = () => {
    if (!empty && !pending && plan.kind !== "invalid") submit(requestOf(goal.trim(), strategy, options));
  };
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  const pick = (example: string) => {
    setGoal(example);
    field.current?.focus();
  };
  return (
    <section className="composer" aria-labelledby="composer-title">
      <h1 id="composer-title">What should be done?</h1>
      <p className="composer-lead">
        Planwright plans the steps, runs them in parallel, and answers with its sources.
      </p>
      <form
        className="composer-form card"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label className="visually-hidden" htmlFor="goal">
          Goal
        </label>
        <textarea
          id="goal"
          ref={field}
          rows={4}
          maxLength={GOAL_CHARS_MAX}
          placeholder="Describe a goal in your own words…"
          value={goal}
          aria-describedby="goal-hint"
          onChange={(event) => setGoal(event.target.value)}
          onKeyDown={sendByKey}
        />
        <div className="composer-foot">
          <StrategySelect value={strategy} onChange={setStrategy} />
          <span id="goal-hint" className="composer-hint">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
            <span className="visually-hidden"> submits</span>
          </span>
          <button
            type="submit"
            className="button button-primary"
            disabled={empty || pending || plan.kind === "invalid"}
          >
            <Icon name={pending ? "running" : "send"} spin={pending} />
            {pending ? "Submitting…" : "Submit goal"}
          </button>
        </div>
        <OptionsPanel options={options} plan={plan} onChange={setOptions} />
      </form>
      {error !== undefined && <Problem error={error} />}
      <ExampleGoals onPick={pick} />
    </section>
  );
}
