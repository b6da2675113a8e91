import type { Outcome, Receipt } from '../load/exchange.js';

export interface AcknowledgedCredit {
  readonly reference: string;
  readonly amount: string;
}

/** Everything that anybody was told about money, and so must be in the books for ever; and what came of each request. */
export class Acknowledged {
  readonly receipts: Receipt[] = [];
  readonly credits: AcknowledgedCredit[] = [];
  readonly outcomes: Outcome[] = [];

  note(outcome: Outcome): void {
    this.outcomes.push(outcome);
    if (outcome.receipt !== null) this.receipts.push(outcome.receipt);
  }
}
