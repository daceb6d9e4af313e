/** A small reader of server-sent events, as strict as the standard. */
export type ServerSentEvent = { readonly id: string | undefined; readonly data: string };

/** Reads events until there are `count` of them, or the stream ends. */
export async function readEvents(
  response: Response,
  count = Number.POSITIVE_INFINITY,
): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n").map((line) => line.split(/: ?(.*)/s));
      const data = lines.filter(([name]) => name === "data").map(([, value]) => value ?? "");
      if (data.length > 0)
        events.push({ id: lines.find(([name]) => name === "id")?.[1], data: data.join("\n") });
    }
    if (events.length >= count) break;
  }
  return events.slice(0, count);
}

/** The content of events, whatever the order of their fields. */
export function contents(events: readonly ServerSentEvent[]): readonly unknown[] {
  return events.map(({ id, data }) => ({ id, event: JSON.parse(data) as unknown }));
}

export function seqs(events: readonly ServerSentEvent[]): number[] {
  return events.map(({ id }) => Number(id));
}

export function types(events: readonly ServerSentEvent[]): string[] {
  return events.map(({ data }) => (JSON.parse(data) as { type: string }).type);
}
