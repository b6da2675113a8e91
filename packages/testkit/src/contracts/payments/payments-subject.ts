import type { AccountErasure, AuditTrail, CreditRecords, PaymentRecords, SimulatedCheckouts, StatementRecords, TopUpRecords } from '@tollgate/core';
import type { EventsSubject } from '../events/events-subject.js';

interface PaymentPorts {
  readonly payments: PaymentRecords;
  readonly topUps: TopUpRecords;
  readonly credits: CreditRecords;
  readonly simulatedCheckouts: SimulatedCheckouts;
}

/** One empty store, opened by two gateways. */
export interface PaymentsSubject {
  readonly store: EventsSubject & PaymentPorts & { readonly auditTrail: AuditTrail; readonly erasure: AccountErasure; readonly statements: StatementRecords };
  readonly other: PaymentPorts & Pick<EventsSubject, 'ledger'>;
  close?(): Promise<void>;
}
