import type { Receipt } from '../load/exchange.js';

export interface AcknowledgedCredit {
  readonly reference: string;
  readonly amount: string;
}

/** Everything that anybody was told about money, and so must be in the books for ever. */
export class Acknowledged {
  readonly receipts: Receipt[] = [];
  readonly credits: AcknowledgedCredit[] = [];
}
