import { rfc3339 } from '@tollgate/core';
import type { contract, ReplyOf } from '@tollgate/api-contract';
import type { RefusalReport } from '../../live/refusal-counts.js';

/** The refusals that this gateway alone has counted. */
export function encodeRefusals({ since, counts }: RefusalReport): ReplyOf<typeof contract.overview>['refusals'] {
  return { since: rfc3339(since), counts };
}
