import { useEffect, useRef } from "react";
import { useServices } from "../shell/services.ts";
import type { KeyBinding } from "./key-map.ts";

/** Adds actions, with or without keys, while this part is shown. They can differ on each render. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const { keys } = useServices();
  const latest = useRef(bindings);
  latest.current = bindings;
  const names = JSON.stringify(bindings.map(({ keys: pressed, label, group }) => [pressed, label, group]));
  useEffect(() => {
    const own = latest.current.map(({ run, ...binding }, index) => ({
      ...binding,
      run: run && (() => latest.current[index]?.run?.()),
    }));
    return keys.add(own);
  }, [keys, names]);
}
