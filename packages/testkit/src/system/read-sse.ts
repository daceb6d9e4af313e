/** One message of a `text/event-stream`; comments and fields that are not named here are skipped. */
export type SseMessage = { readonly id: string; readonly event: string; readonly data: string };

/** Reads server-sent events as the HTML standard parses them. */
export async function* readSse(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<SseMessage> {
  let rest = "";
  let id = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    rest += piece;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      let event = "message";
      const data: string[] = [];
      for (const line of block.split(/\r?\n/)) {
        const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
        if (field === "id") id = value;
        else if (field === "event") event = value;
        else if (field === "data") data.push(value);
      }
      if (data.length > 0) yield { id, event, data: data.join("\n") };
    }
  }
}
