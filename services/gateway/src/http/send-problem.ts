import { PROBLEM_TYPE } from "@planwright/api";
import type { FastifyReply, FastifyRequest } from "fastify";
import { problemBody } from "./problem.ts";
import { toProblem } from "./to-problem.ts";

/** Responds with the parts of an error that the client may see; internal errors go to the log. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error);
  if (problem.status >= 500 && problem.details.isLogged !== true) {
    request.log.error(
      { err: problem.cause ?? error, code: problem.code, route: request.routeOptions.url },
      "refused",
    );
  }
  if (problem.code === "body_too_large") {
    // Closing now would reset the connection of a client that is still sending, and it would never read why.
    reply.removeHeader("connection");
    request.raw.resume();
  }
  if (problem.code === "unauthorized") void reply.header("www-authenticate", 'Bearer realm="planwright"');
  const { retryAfterS } = problem.details;
  if (retryAfterS !== undefined) void reply.header("retry-after", String(retryAfterS));
  return reply
    .code(problem.status)
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(problemBody(problem)));
}
