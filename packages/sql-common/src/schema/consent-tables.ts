import type { Whole } from './column-types.js';

/** One per person, document and version. */
export interface ConsentTable {
  person_id: string;
  document: string;
  version: string;
  agreed_at: Whole;
}
