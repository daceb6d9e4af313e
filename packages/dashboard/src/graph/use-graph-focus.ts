import { useCallback, useState } from "react";

/** A node to be brought into view. A new object asks again. */
export type Target = {
  readonly id: string;
  /** In the middle, also when it is in view already. */
  readonly centred: boolean;
};

/** Where in a graph the reader is: the node that has the keyboard, and the one to be shown. */
export type GraphFocus = {
  /** Absent until the reader has been at a node. */
  readonly nodeId: string | undefined;
  readonly target: Target | undefined;
  readonly goTo: (target: Target) => void;
  /** The keyboard is at a node that the reader sees. */
  readonly settleAt: (id: string) => void;
  /** The reader looks about: nothing is brought into view any more. */
  readonly release: () => void;
};

export function useGraphFocus(): GraphFocus {
  const [nodeId, setNodeId] = useState<string>();
  const [target, setTarget] = useState<Target>();
  const goTo = useCallback((next: Target) => {
    setNodeId(next.id);
    setTarget(next);
  }, []);
  const release = useCallback(() => setTarget(undefined), []);
  return { nodeId, target, goTo, settleAt: setNodeId, release };
}
