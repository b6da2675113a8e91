import type { UpstreamFailure } from '../upstream/upstream-failure.js';
import type { ReplyOddities } from './block-writer.js';

/** Receives the events of one call. */
export interface CallHealth {
  /** At the first output. */
  answered(): void;
  failed(failure: UpstreamFailure): void;
  /** Called once per served reply. */
  noticed?(oddities: ReplyOddities): void;
}
