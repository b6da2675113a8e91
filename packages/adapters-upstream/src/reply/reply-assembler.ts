import type { JsonObject, ReportedPrompt } from '@tollgate/core';

/**
 * `finished`: after the finish reason, a broken connection has no effect. `stopping`: after a stop sequence of the gateway, only the usage
 * is awaited. `complete`: only the end of the connection is awaited.
 */
export type ReplyState = 'reading' | 'finished' | 'stopping' | 'complete';

/** Decodes the JSON objects of a reply: stream events, or one whole reply. One implementation per kind of upstream. */
export interface ReplyAssembler {
  /** Throws `UpstreamFailure` if the object reports an error. */
  read(object: JsonObject): void;
  /** True if the event, which lacks its long strings, only repeats the request or earlier events. Absent if no event does. */
  repeats?(object: JsonObject): boolean;
  /** Throws `UpstreamFailure` if the server never ended the reply. */
  end(): void;
  readonly state: ReplyState;
  /** The server's count of the prompt's tokens; `null` until stated. */
  readonly statedPrompt: ReportedPrompt | null;
}

export interface ReplyTerms {
  readonly newToolCallId: () => string;
  /** Stop sequences that the gateway enforces, because the server does not get them. */
  readonly localStopSequences: readonly string[];
  /** True if the catalogue declares a reasoning model. */
  readonly modelReasons: boolean;
}
