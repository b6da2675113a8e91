import { isLoopbackName } from './loopback-name.js';
import type { VariableValues } from './variables.js';

/** Settings in the form that `openStripe` takes. */
export interface StripeVariables {
  readonly secretKey: string;
  readonly webhookSecrets: readonly string[];
  readonly apiBase: string | null;
  readonly automaticTax: boolean;
}

export interface PaymentSettings {
  readonly provider: { readonly kind: 'off' | 'sandbox' } | ({ readonly kind: 'stripe' } & StripeVariables);
  readonly suspendsOnDispute: boolean;
}

type PaymentValues = Pick<
  VariableValues,
  'PAYMENTS' | 'ON_DISPUTE' | 'STRIPE_SECRET_KEY' | 'STRIPE_SECRET_KEY_FILE' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_BASE' | 'STRIPE_AUTOMATIC_TAX' | 'NODE_ENV' | 'HOST' | 'PUBLIC_URL'
>;

/** `null` if the values do not contradict each other. */
export function paymentProblem({ PAYMENTS: payments, NODE_ENV: mode, STRIPE_SECRET_KEY: key, STRIPE_SECRET_KEY_FILE: fromFile }: PaymentValues): string | null {
  if (payments === 'sandbox' && mode === 'production') return 'PAYMENTS: must not be sandbox in production, where owners would get credit for nothing';
  if (key !== null && fromFile !== null) return 'STRIPE_SECRET_KEY: must not be set together with STRIPE_SECRET_KEY_FILE';
  return payments === 'stripe' && key === null && fromFile === null ? 'STRIPE_SECRET_KEY: must be set with PAYMENTS=stripe, or STRIPE_SECRET_KEY_FILE' : null;
}

export function paymentSettings(values: PaymentValues): PaymentSettings {
  return { provider: providerOf(values), suspendsOnDispute: values.ON_DISPUTE === 'suspend' };
}

function providerOf(values: PaymentValues): PaymentSettings['provider'] {
  const kind = values.PAYMENTS ?? (isOnThisMachine(values) ? 'sandbox' : 'off');
  if (kind !== 'stripe') return { kind };
  return {
    kind, secretKey: values.STRIPE_SECRET_KEY ?? values.STRIPE_SECRET_KEY_FILE ?? '', webhookSecrets: values.STRIPE_WEBHOOK_SECRET ?? [], apiBase: values.STRIPE_API_BASE,
    automaticTax: values.STRIPE_AUTOMATIC_TAX === 'on',
  };
}

/** True if only this machine can reach the gateway. If others could, simulated payments would give them credit for nothing. */
function isOnThisMachine({ NODE_ENV: mode, HOST: host, PUBLIC_URL: publicUrl }: PaymentValues): boolean {
  return mode !== 'production' && (isLoopbackName(host) || host === '::1') && (publicUrl === null || isLoopbackName(new URL(publicUrl).hostname));
}
