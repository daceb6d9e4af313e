/** A tool's context for unit tests: an in-memory workspace; everything else is absent unless given. */

import type { ModelClient } from "@planwright/shared/model";
import { createLogger } from "@planwright/shared/service";
import type { ToolContext, Workspace } from "../define-tool.ts";

/** @param given - The parts that this test needs. */
export function testContext(given: Partial<ToolContext> = {}): ToolContext {
  return {
    planId: "p1",
    stepId: "s1",
    item: 0,
    attempt: 1,
    effectKey: (call = 0) => `p1/s1/0/${call}`,
    signal: new AbortController().signal,
    log: createLogger({ name: "test", level: "silent" }),
    model: noModel,
    workspace: memoryWorkspace(),
    sources: { list: async () => [], open: async () => undefined },
    noteFacts: () => undefined,
    requireReplan: () => undefined,
    noteTruncated: () => undefined,
    progress: () => undefined,
    ...given,
  };
}

const noModel: ModelClient = {
  complete: () => Promise.reject(new Error("this test has no model")),
};

/** A workspace that exists as long as the object. */
export function memoryWorkspace(): Workspace {
  const files = new Map<string, Uint8Array>();
  const types = new Map<string, string>();
  return {
    write: async (path, bytes, contentType) => {
      files.set(path, bytes);
      types.set(path, contentType);
      return { artifact: { name: path, contentType, bytes: bytes.byteLength }, bytes: bytes.byteLength };
    },
    read: async (path) => files.get(path),
    list: async () => [...files.keys()].sort(),
    files: async () =>
      [...files.entries()]
        .map(([path, bytes]) => ({ path, bytes: bytes.byteLength, contentType: types.get(path) ?? "" }))
        .sort((left, right) => (left.path < right.path ? -1 : 1)),
  };
}
