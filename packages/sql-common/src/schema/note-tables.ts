import type { NullableWhole, Whole } from './column-types.js';

export interface AccountNoteTable {
  id: string;
  account_id: string;
  text: string;
  /** Id of the operator or machine that wrote the note. */
  author: string;
  written_at: Whole;
  changed_at: NullableWhole;
}
