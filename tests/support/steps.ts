/** Waits, and gives nothing. */
export const wait = (id: string, ms: number, more: object = {}) => ({
  id,
  tool: "flow.wait",
  args: { ms },
  ...more,
});

/** Writes a file named after it: a step that changes something. */
export const write = (id: string, more: object = {}) => ({
  id,
  tool: "files.write",
  args: { path: `${id}.txt`, content: id },
  ...more,
});
