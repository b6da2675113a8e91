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
  /** Reads an event that was too large, and lacks its long strings. Throws `UpstreamFailure` if the reply needs them. Absent if it always does. */
  readShortened?(object: JsonObject): void;
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
