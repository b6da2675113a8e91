import type { UpstreamFailure } from '../upstream/upstream-failure.js';
import type { ReplyOddities } from './block-writer.js';

/** Hears how one call goes. */
export interface CallHealth {
  /** At the first output. */
  answered(): void;
  failed(failure: UpstreamFailure): void;
  /** Once per reply, if it is served. */
  noticed?(oddities: ReplyOddities): void;
}
