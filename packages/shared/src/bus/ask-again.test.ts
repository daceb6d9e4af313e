import { errors } from "@nats-io/transport-node";
import { expect, it } from "vitest";
import { askAgain } from "./ask-again.ts";

/** A server that does not answer so often, and then says `answer`. */
function silentFor(times: number, answer = "done") {
  let asked = 0;
  return {
    ask: async (): Promise<string> => {
      asked++;
      if (asked <= times) throw new errors.TimeoutError();
      return answer;
    },
    asked: () => asked,
  };
}

it("asks a server that did not answer again", async () => {
  const server = silentFor(2);
  await expect(askAgain(server.ask)).resolves.toBe("done");
  expect(server.asked()).toBe(3);
});

it("gives up after the third time", async () => {
  const server = silentFor(100);
  await expect(askAgain(server.ask)).rejects.toThrow(errors.TimeoutError);
  expect(server.asked()).toBe(3);
});

it("asks once where the server refuses", async () => {
  let asked = 0;
  const refuse = async (): Promise<void> => {
    asked++;
    throw new Error("refused");
  };
  await expect(askAgain(refuse)).rejects.toThrow("refused");
  expect(asked).toBe(1);
});
