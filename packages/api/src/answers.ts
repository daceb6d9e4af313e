/** The responses of each endpoint, by its id: derived from the descriptions of the endpoints. */
import type { z } from "zod";
import type * as contract from "./index.ts";

type Contract = typeof contract;

type EndpointId = {
  [Name in keyof Contract]: Contract[Name] extends { readonly id: Name; readonly path: string }
    ? Name
    : never;
}[keyof Contract];

/** The JSON that each endpoint answers with; `never` for those that answer with other media or nothing. */
export type Answers = {
  [Id in EndpointId]: Contract[Id] extends { readonly responses: infer Responses }
    ? JsonOf<Responses>
    : never;
};

type JsonOf<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends z.ZodType ? z.output<Responses[Status]> : never;
}[keyof Responses];
