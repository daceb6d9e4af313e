import type { Json, PlanView } from "../api/api-types.ts";
import { DataTable } from "../values/data-table.tsx";
import { type Table, tableOf, tablesOf } from "../values/table-of.ts";
import { ValueView } from "../values/value-view.tsx";
import { ANSWER_DATA } from "./plan-words.ts";
import styles from "./answer.module.css";

/** An answer's figures belong to the answer; any other data is for those who ask for it. */
export function AnswerData({ data, view }: { data: Json; view: PlanView }) {
  if (data === null) return null;
  const tables = namedTables(data);
  if (tables.some(({ table }) => hasFigures(table))) return <Tables tables={tables} view={view} />;
  return (
    <details className={styles.answerData}>
      <summary>{ANSWER_DATA.data}</summary>
      {tables.length > 0 ? (
        <Tables tables={tables} view={view} />
      ) : (
        <ValueView value={data} planId={view.planId} />
      )}
    </details>
  );
}

type NamedTable = { readonly name: string; readonly table: Table };

function namedTables(data: Json): readonly NamedTable[] {
  const table = tableOf(data);
  return table === undefined ? tablesOf(data) : [{ name: "", table }];
}

/** Tables are often named after the step that they come from, whose description says more. */
function Tables({ tables, view }: { tables: readonly NamedTable[]; view: PlanView }) {
  const titles = new Map(view.steps.map((step) => [String(step.id), step.description]));
  return (
    <div className={styles.answerTables}>
      {tables.map(({ name, table }) => (
        <section key={name}>
          {name !== "" && <h3>{titles.get(name) || name}</h3>}
          <DataTable table={table} />
        </section>
      ))}
    </div>
  );
}

function hasFigures({ rows }: Table): boolean {
  return rows.some((row) => row.some((cell) => typeof cell === "number"));
}
