import type { NullableWhole, Whole } from './column-types.js';

/** Notes of operators about an account. */
export interface AccountNoteTable {
  id: string;
  account_id: string;
  text: string;
  /** Id of the actor. */
  author: string;
  written_at: Whole;
  changed_at: NullableWhole;
}
