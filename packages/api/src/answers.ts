/** The responses of each endpoint by endpoint id, derived from the endpoint descriptions. */
import type { z } from "zod";
import type * as contract from "./index.ts";

type Contract = typeof contract;

type EndpointId = {
  [Name in keyof Contract]: Contract[Name] extends { readonly id: Name; readonly path: string }
    ? Name
    : never;
}[keyof Contract];

/** The JSON response of each endpoint; `never` for endpoints that respond with other media or nothing. */
export type Answers = {
  [Id in EndpointId]: Contract[Id] extends { readonly responses: infer Responses }
    ? JsonOf<Responses>
    : never;
};

type JsonOf<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends z.ZodType ? z.output<Responses[Status]> : never;
}[keyof Responses];
