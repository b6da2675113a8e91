import type { Whole } from './column-types.js';

/** One row per person, document and version. */
export interface ConsentTable {
  person_id: string;
  document: string;
  version: string;
  agreed_at: Whole;
}
