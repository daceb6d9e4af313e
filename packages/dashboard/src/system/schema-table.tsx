import type { SchemaField } from "./schema-fields.ts";
import styles from "./system.module.css";

/** A tool's arguments, a row each. */
export function SchemaTable({ fields, of }: { fields: readonly SchemaField[]; of: string }) {
  if (fields.length === 0) return <p className={styles.toolMeta}>No arguments.</p>;
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label={`Arguments of ${of}`}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Argument</th>
            <th scope="col">Type</th>
            <th scope="col">Description</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, type, required, about, fallback }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
                {required && <span className={styles.schemaRequired}> required</span>}
              </th>
              <td>{type}</td>
              <td>
                {about}
                {fallback !== undefined && (
                  <>
                    {" "}
                    Without it <code>{JSON.stringify(fallback)}</code>.
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
