import clsx from "clsx";
import type { ComponentProps } from "react";

type Props<Value extends string> = Omit<ComponentProps<"select">, "children" | "onChange"> & {
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value) => void;
};

/** A list to choose one value from. */
export function Select<Value extends string>({ options, onChange, className, ...rest }: Props<Value>) {
  const choose = (value: string) => {
    const chosen = options.find(([one]) => one === value);
    if (chosen !== undefined) onChange(chosen[0]);
  };
  return (
    <select className={clsx("field", className)} onChange={(event) => choose(event.target.value)} {...rest}>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
