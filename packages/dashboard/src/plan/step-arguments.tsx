import { useState } from "react";
import type { PlanView, StepView } from "../api/api-types.ts";
import { JsonView } from "../values/json-view.tsx";
import { resolveArguments } from "./resolve-arguments.ts";

/** A step's arguments: with what its references stand for, or as they were planned. */
export function StepArguments({ view, step }: { view: PlanView; step: StepView }) {
  const [planned, setPlanned] = useState(false);
  if (Object.keys(step.args).length === 0) return null;
  const outputs = new Map(view.steps.map((other) => [String(other.id), other.output]));
  const { resolved, references } = resolveArguments(step.args, (id) => outputs.get(id));
  return (
    <section>
      <h3>
        Arguments
        {references > 0 && (
          <label className="toggle">
            <input type="checkbox" checked={planned} onChange={(event) => setPlanned(event.target.checked)} />{" "}
            as planned
          </label>
        )}
      </h3>
      <JsonView value={planned ? step.args : resolved} />
    </section>
  );
}
