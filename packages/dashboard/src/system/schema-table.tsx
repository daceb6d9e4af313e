import type { SchemaField } from "./schema-fields.ts";
import { SCHEMA_TABLE } from "./system-words.ts";
import styles from "./system.module.css";

/** A tool's arguments, a row each. */
export function SchemaTable({ fields, of }: { fields: readonly SchemaField[]; of: string }) {
  if (fields.length === 0) return <p className={styles.toolMeta}>{SCHEMA_TABLE.noArguments}</p>;
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label={SCHEMA_TABLE.argumentsOf(of)}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{SCHEMA_TABLE.argument}</th>
            <th scope="col">{SCHEMA_TABLE.type}</th>
            <th scope="col">{SCHEMA_TABLE.description}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, type, required, about, fallback }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
                {required && <span className={styles.schemaRequired}> {SCHEMA_TABLE.required}</span>}
              </th>
              <td>{type}</td>
              <td>
                {about}
                {fallback !== undefined && (
                  <>
                    {" "}
                    {SCHEMA_TABLE.fallback} <code>{JSON.stringify(fallback)}</code>.
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
