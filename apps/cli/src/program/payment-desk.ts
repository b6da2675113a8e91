import { openStripe } from '@tollgate/adapters-stripe';
import { type PaymentDeskParts, PaymentDesk, type PaymentProvider, SimulatedPayments } from '@tollgate/core';
import type { Settings } from '@tollgate/adapters-config';
import type { SqlStore } from '@tollgate/sql-common';

interface DeskParts extends Pick<PaymentDeskParts, 'ids' | 'clock' | 'catalogue'> {
  readonly store: SqlStore;
  readonly settings: Settings;
  readonly publicUrl: () => string;
}

/** Opens the use cases of payments with the provider of the settings. Loads the provider's library. */
export async function openPaymentDesk(parts: DeskParts): Promise<PaymentDesk> {
  const { store, settings: { payments: { suspendsOnDispute } }, ids, clock, catalogue } = parts;
  return new PaymentDesk({ records: store.payments, provider: await providerOf(parts), accounts: store.accounts, ids, clock, catalogue, suspendsOnDispute });
}

async function providerOf({ store, clock, settings: { payments: { provider } }, publicUrl }: DeskParts): Promise<PaymentProvider | null> {
  if (provider.kind === 'stripe') return openStripe(provider);
  if (provider.kind === 'off') return null;
  return new SimulatedPayments({ checkouts: store.simulatedCheckouts, clock, pageOf: (reference) => `${publicUrl()}/dashboard/simulated-checkout/${reference}` });
}
