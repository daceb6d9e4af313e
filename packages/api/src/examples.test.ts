// The gateway accepts and returns the examples of the document.
import { describe, expect, it } from "vitest";
import { ENDPOINTS, isMedia } from "./index.ts";

describe("the examples of the reference", () => {
  it.each(ENDPOINTS.filter(({ example }) => example?.body !== undefined))(
    "$id: the body fits its schema",
    ({ body, example }) => {
      expect(body?.safeParse(example?.body).error).toBeUndefined();
    },
  );

  it.each(ENDPOINTS.filter(({ example }) => example?.response !== undefined))(
    "$id: the response fits its schema and has no unknown fields",
    ({ responses, example }) => {
      const [content] = Object.values(responses);
      if (content === undefined || content === null || isMedia(content)) throw new Error("wanted JSON");
      expect(content.parse(example?.response)).toEqual(example?.response);
    },
  );
});
