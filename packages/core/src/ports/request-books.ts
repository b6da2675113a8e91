import type { BookedRequest } from '../billing/booked-request.js';

/** What the books hold of single requests, for the operator; in one consistent state, changing nothing. */
export interface RequestBooks {
  /** By the id of a request or of its reservation. `null` when the books know neither: nothing was ever set aside for it. */
  find(id: string): Promise<BookedRequest | null>;
}
