import type { Whole } from './column-types.js';

export interface ModelNoticeTable {
  account_id: string;
  /** Id of a `ModelNotice`. */
  notice: string;
  mailed_at: Whole;
}
