import { serviceModule } from '@tollgate/composition';
import { openStripe } from '@tollgate/adapters-stripe';
import { AutomaticTopUps, PaymentDesk, SimulatedPayments } from '@tollgate/core';
import { NO_CREDITS } from '../adapters/no-credits.js';
import { NO_CHECKOUTS, NO_PAYMENTS, NO_TOP_UPS } from '../adapters/no-payments.js';
import { PaymentReconciler } from '../background/payment-reconciler.js';
import { creditAdvice } from '../http/credit-advice.js';
import { TopUpRunner } from '../background/top-up-runner.js';
import { BodyBudget } from '../http/body-budget.js';
import { PublicAddress } from '../http/public-address.js';
import { UnbilledLimits } from '../http/unbilled-limits.js';
import { paymentNotificationsRoute } from '../routes/payment-notifications.js';
import { services } from './services.js';

const { store, configuration, clock, log, ids, catalogue, accounts, paymentRecords, paymentProvider, paymentNotifications } = services;

export const paymentModule = serviceModule((make) => {
  make(paymentRecords, { store }, (parts) => parts.store.payments ?? NO_PAYMENTS);
  make(SimulatedPayments, { store, clock, address: PublicAddress }, (parts) => new SimulatedPayments({
    checkouts: parts.store.simulatedCheckouts ?? NO_CHECKOUTS, clock: parts.clock, pageOf: (reference) => `${parts.address.origin}/dashboard/simulated-checkout/${reference}`,
  }));
  make(paymentProvider, { configuration, simulated: SimulatedPayments }, ({ configuration: { payments: { provider } }, simulated }) => {
    if (provider.kind === 'stripe') return openStripe(provider);
    return provider.kind === 'sandbox' ? simulated : null;
  });
  make(PaymentDesk, { records: paymentRecords, provider: paymentProvider, ids, clock, catalogue, accounts, configuration, settings: services.settings }, ({ configuration: { payments: { suspendsOnDispute } }, settings: { brand }, ...parts }) =>
    new PaymentDesk({ ...parts, suspendsOnDispute, tokenWord: brand.tokenWord.many }));
  make(services.creditAdvice, { configuration, settings: services.settings, address: PublicAddress, secret: services.secret, catalogue }, (parts) => {
    const { configuration: { payments: { provider } }, settings: { brand, dashboard: { creditLine } }, address, secret } = parts;
    return (language = null) => creditAdvice({ language, payments: provider.kind, address, redeemsVouchers: secret !== null, catalogue: parts.catalogue, product: brand.name, creditLine });
  });
  make(AutomaticTopUps, { store, desk: PaymentDesk, ids, clock, accounts, address: PublicAddress }, ({ store: { topUps = NO_TOP_UPS }, address, ...parts }) =>
    new AutomaticTopUps({ ...parts, records: topUps, returnUrlOf: (id) => `${address.origin}/dashboard/billing/payments/${id}` }));
  make(services.credits, { store }, (parts) => parts.store.credits ?? NO_CREDITS);
  make(TopUpRunner, { topUps: AutomaticTopUps, clock, log }, (parts) => new TopUpRunner(parts));
  make(PaymentReconciler, { desk: PaymentDesk, clock, log }, (parts) => new PaymentReconciler(parts));
  make(services.payments, { desk: PaymentDesk, records: paymentRecords, reconciler: PaymentReconciler, provider: paymentProvider, simulated: SimulatedPayments }, ({ desk, records, reconciler, provider, simulated }) => ({
    desk, counts: () => records.counts(), reconciler, simulated: provider === simulated ? simulated : null,
  }));
  make(paymentNotifications, { desk: PaymentDesk, unbilled: UnbilledLimits, budget: BodyBudget, clock }, (parts) => paymentNotificationsRoute(parts));
});
