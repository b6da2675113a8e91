import type { JsonObject, ReportedPrompt } from '@tollgate/core';
import type { ReplyState } from './reply-reader.js';

/** Makes provider events of the JSON objects that a reply consists of: the events of a stream, or one whole reply. Each kind of upstream has its own. */
export interface ReplyAssembler {
  /** Throws `UpstreamFailure` when the object tells of a failure. */
  read(object: JsonObject): void;
  /** No object follows. Throws `UpstreamFailure` when the server never said that it was finished. */
  end(): void;
  readonly state: ReplyState;
  /** The prompt as the server has counted it; `null` until it says. */
  readonly statedPrompt: ReportedPrompt | null;
}

/** What a reply is read by, besides itself. */
export interface ReplyTerms {
  readonly newToolCallId: () => string;
  /** Stop sequences that the server was not told of. */
  readonly localStopSequences: readonly string[];
}
