import type { ProviderEvent } from '@tollgate/core';

/**
 * `finished`: the server has said why it stopped, so that a broken connection takes nothing away;
 * `complete`: the end has been written, only the connection's own end is to come;
 * `stopped`: it has been written although the server goes on.
 */
export type ReplyState = 'reading' | 'finished' | 'complete' | 'stopped';

/** Makes provider events of a reply's bytes. One per reply. */
export interface ReplyReader {
  /** Reads bytes that may be split anywhere. Throws when they are no reply; what came before can still be taken. */
  read(bytes: Uint8Array): void;
  /** The bytes are over. Throws when the reply is not. */
  end(): void;
  /** The events since the last time they were taken. */
  take(): readonly ProviderEvent[];
  readonly state: ReplyState;
}
