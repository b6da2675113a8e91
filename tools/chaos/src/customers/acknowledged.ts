import type { Outcome, Receipt } from './exchange.js';

export interface AcknowledgedCredit {
  readonly reference: string;
  readonly amount: string;
}

/** Collects what the gateways acknowledged: credits, receipts, and the outcome of each request. */
export class Acknowledged {
  readonly receipts: Receipt[] = [];
  readonly credits: AcknowledgedCredit[] = [];
  readonly outcomes: Outcome[] = [];

  note(outcome: Outcome): void {
    this.outcomes.push(outcome);
    if (outcome.receipt !== null) this.receipts.push(outcome.receipt);
  }
}
