import type { UpstreamFailure } from '../upstream/upstream-failure.js';
import type { ReplyOddities } from './block-writer.js';

/** Receives the events of one call. */
export interface CallHealth {
  /** Called at the first output, or at the end of a reply without output. */
  answered(): void;
  failed(failure: UpstreamFailure): void;
  /** Called with the irregularities found since the last call. */
  noticed?(oddities: ReplyOddities): void;
}
