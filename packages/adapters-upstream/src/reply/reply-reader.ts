import type { ProviderEvent, ReportedPrompt } from '@tollgate/core';

/**
 * `finished`: the server has said why it stopped, so that a broken connection takes nothing away;
 * `stopping`: a stop sequence of the gateway's own has ended the text, and only the usage is waited for;
 * `complete`: the end has been written, only the connection's own end is to come.
 */
export type ReplyState = 'reading' | 'finished' | 'stopping' | 'complete';

/** Makes provider events of a reply's bytes. One per reply. */
export interface ReplyReader {
  /** Reads bytes that may be split anywhere. Throws when they are no reply; what came before can still be taken. */
  read(bytes: Uint8Array): void;
  /** The bytes are over. Throws when the reply is not. */
  end(): void;
  /** The events since the last time they were taken. */
  take(): readonly ProviderEvent[];
  /** The prompt as the server has counted it; `null` until it says. */
  readonly statedPrompt: ReportedPrompt | null;
  readonly state: ReplyState;
}
