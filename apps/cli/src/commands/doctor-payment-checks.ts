import { isLoopbackName, type Settings } from '@tollgate/adapters-config';
import { inspectStripeAccount, sendTestNotification, stripeAmountOrNull, type StripeAccountReport, type StripeSettings } from '@tollgate/adapters-stripe';
import { type CreditOffer, type CurrencyAmount, PaymentProviderFailure } from '@tollgate/core';
import { type Check, ok, problem, warning } from './doctor-checks.js';

const NAME = 'payments';

interface PaymentCheckParts {
  readonly settings: Pick<Settings, 'payments'>;
  /** Scheme, host and port of the gateway. */
  readonly publicUrl: string;
  /** `null` if the catalogue is not valid, which another check reports. */
  readonly offer: CreditOffer | null;
}

/** Checks that owners can pay, and that the gateway accepts notifications. Changes nothing at the provider. */
export async function paymentChecks({ settings: { payments: { provider } }, publicUrl, offer }: PaymentCheckParts): Promise<readonly Check[]> {
  if (provider.kind !== 'stripe') return [provider.kind === 'off' ? ok(NAME, 'PAYMENTS is off: owners get credit from operators and by vouchers') : simulatedCheck(publicUrl)];
  const address = `${publicUrl}/payments/notifications/${provider.kind}`;
  try {
    const account = await inspectStripeAccount(provider, address);
    return [...accountChecks(account), ...endpointChecks(account, address), ...offerChecks(account, offer), ...await notificationChecks(provider, address)];
  } catch (thrown) {
    if (!(thrown instanceof PaymentProviderFailure)) throw thrown;
    return [problem(NAME, `${thrown.message}. Check STRIPE_SECRET_KEY, and that this machine reaches Stripe.`)];
  }
}

function simulatedCheck(publicUrl: string): Check {
  return isLoopbackName(new URL(publicUrl).hostname)
    ? ok(NAME, 'they are simulated, and no money moves. Set PAYMENTS=stripe to sell credit.')
    : warning(NAME, `they are simulated, and everyone who signs in at ${publicUrl} gets credit without paying. Set PAYMENTS=stripe or off.`);
}

function accountChecks({ mode, apiVersion, takesPayments }: StripeAccountReport): readonly Check[] {
  const key = mode === 'live' ? 'the key is valid, in live mode' : 'the key is valid, in test mode, where no money moves. Use a live key to sell credit';
  const valid = ok(NAME, `${key}; the version of the API is ${apiVersion}`);
  return takesPayments === false ? [valid, problem(NAME, 'the account at Stripe cannot take payments yet. Complete its setup in Stripe\'s dashboard.')] : [valid];
}

function endpointChecks({ endpoint, missingEvents }: StripeAccountReport, address: string): readonly Check[] {
  switch (endpoint) {
    case 'unreadable': return [warning(NAME, `the key may not read the endpoints of notifications. Look in Stripe's dashboard for an enabled one at ${address}, or allow the key to read them.`)];
    case 'missing': return [warning(NAME, `Stripe has no endpoint at ${address}, so payments are booked minutes later, when the gateway asks. Add one in Stripe's dashboard with the events ${missingEvents.join(', ')}.`)];
    case 'disabled': return [warning(NAME, `the endpoint at ${address} is disabled, so payments are booked minutes later. Enable it in Stripe's dashboard.`)];
    case 'found': return missingEvents.length === 0
      ? [ok(NAME, `Stripe notifies ${address} of all events that are needed`)]
      : [warning(NAME, `the endpoint at ${address} lacks the events ${missingEvents.join(', ')}. Add them in Stripe's dashboard.`)];
  }
}

function offerChecks({ currencies }: StripeAccountReport, offer: CreditOffer | null): readonly Check[] {
  if (offer === null) return [];
  const prices = pricesOf(offer);
  if (prices.length === 0) return [warning(NAME, 'the catalogue sells nothing. Add credit_packages or custom_credit.')];
  const findings = prices.flatMap(({ of, ...price }) => {
    if (stripeAmountOrNull(price) === null) return [problem(NAME, `${of}: Stripe does not take the last decimal place of its price in ${price.currency}. Round it.`)];
    return currencies === null || currencies.includes(price.currency) ? [] : [problem(NAME, `${of}: the account at Stripe cannot charge in ${price.currency}. Use one of its currencies, such as ${currencies.slice(0, 5).join(', ')}.`)];
  });
  return findings.length === 0 ? [ok(NAME, currencies === null ? 'the key may not read which currencies the account can charge' : 'the account can charge in the currencies of the catalogue')] : findings;
}

function pricesOf({ packages, custom }: CreditOffer): readonly (CurrencyAmount & { readonly of: string })[] {
  return [
    ...packages.map(({ id, amount, currency }) => ({ of: `the package ${id}`, amount, currency })),
    // Only the smallest custom amount is checked; another amount that Stripe does not take is refused when an owner chooses it.
    ...(custom === null ? [] : [{ of: 'custom_credit', amount: custom.min, currency: custom.currency }]),
  ];
}

async function notificationChecks(provider: StripeSettings, address: string): Promise<readonly Check[]> {
  if (provider.webhookSecrets.length === 0) {
    return [warning(NAME, 'STRIPE_WEBHOOK_SECRET is not set, so notifications are refused, and payments are booked minutes later. Set it to the signing secret of the endpoint.')];
  }
  const checks: Check[] = [];
  for (const [index, secret] of provider.webhookSecrets.entries()) {
    const tested = await sendTestNotification(provider, secret, address);
    const which = provider.webhookSecrets.length === 1 ? 'STRIPE_WEBHOOK_SECRET' : `secret ${index + 1} of STRIPE_WEBHOOK_SECRET`;
    if (tested.outcome === 'accepted') checks.push(ok(NAME, `the gateway at ${address} accepts a test notification signed with ${which}${isLoopbackName(new URL(address).hostname) ? '; Stripe cannot reach this address' : ''}`));
    else if (tested.outcome === 'wrong-secret') checks.push(problem(NAME, `the gateway at ${address} refuses a test notification signed with ${which}. Restart it with the same secret, and see that no proxy changes the body.`));
    else checks.push(warning(NAME, `no gateway with PAYMENTS=stripe answers at ${address} (${tested.status === null ? 'no reply' : `status ${tested.status}`}). Start it, and check PUBLIC_URL and the proxy.`));
  }
  return checks;
}
