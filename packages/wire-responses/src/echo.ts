import type { AccountId, JsonObject, ToolDeclaration } from '@tollgate/core';

/** What a reply repeats of its request, or depends on. */
export interface ResponsesEcho {
  /** Whose reasoning is sealed. */
  readonly accountId: AccountId;
  /** The tools that are no plain functions, by the name that upstreams see. */
  readonly declarations: ReadonlyMap<string, ToolDeclaration>;
  /** Whether reasoning is sent as text too; otherwise only sealed. */
  readonly showsReasoning: boolean;
  /** The request's own parameters, or their defaults, as the reply object repeats them. */
  readonly parameters: JsonObject;
  readonly previousResponseId: string | null;
  /** The request's own input items as a JSON list, to be kept with the reply; `null` where the request says `store: false`. */
  readonly inputItems: string | null;
  /** Whether the reply is kept. Set once, before its last event is encoded. */
  kept: boolean;
}
