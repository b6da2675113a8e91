import { z } from 'zod';
import { readTextFile } from './text-file.js';
import { variable } from './variable.js';
import { httpAddress, onOrOff } from './variable-schemas.js';

const PAYMENT_PROVIDERS = ['off', 'sandbox', 'stripe'] as const;
const DISPUTE_RULES = ['suspend', 'note'] as const;

const MAX_SECRETS = 2;

const secretKey = z.string().regex(/^(?:sk|rk)_[A-Za-z0-9_]{8,}$/, 'must be a secret key of Stripe: sk_… or rk_…');

/** A file that has the key. A file that cannot be read is reported differently from one without a key. */
const secretKeyFile = z.string().transform((path, context) => {
  try {
    const parsed = secretKey.safeParse(readTextFile(path).trim());
    if (parsed.success) return parsed.data;
    context.addIssue(`${path} must contain a secret key of Stripe: sk_… or rk_…`);
  } catch (failure) {
    context.addIssue(`cannot be read: ${(failure as NodeJS.ErrnoException).code ?? 'unknown failure'}`);
  }
  return z.NEVER;
});

const webhookSecrets = z.string().transform((text) => text.split(',').map((part) => part.trim()))
  .refine((secrets) => secrets.length <= MAX_SECRETS && secrets.every((secret) => /^whsec_[A-Za-z0-9+/=]{8,}$/.test(secret)), 'must be one or two signing secrets of Stripe, whsec_…, separated by a comma');

export const PAYMENT_VARIABLES = {
  PAYMENTS: variable(z.enum(PAYMENT_PROVIDERS, { error: `must be one of ${PAYMENT_PROVIDERS.join(', ')}` }), {
    default: null, unit: null,
    meaning: 'Who takes payments of owners: off; stripe; or sandbox, which simulates them, moves no money and is refused in production. Without it, sandbox outside production if HOST and PUBLIC_URL are on this machine, otherwise off.',
  }),
  ON_DISPUTE: variable(z.enum(DISPUTE_RULES, { error: `must be one of ${DISPUTE_RULES.join(', ')}` }), {
    default: 'suspend', unit: null, meaning: 'What happens to an account whose payment is disputed, besides that the tokens are taken: suspend it, or note the dispute only.',
  }),
  STRIPE_SECRET_KEY: variable(secretKey, {
    default: null, unit: null, meaning: 'Secret or restricted key of your Stripe account. Required with PAYMENTS=stripe, unless STRIPE_SECRET_KEY_FILE is set.',
  }),
  STRIPE_SECRET_KEY_FILE: variable(secretKeyFile, {
    default: null, unit: null, meaning: 'File with that key, instead of STRIPE_SECRET_KEY.',
  }),
  STRIPE_WEBHOOK_SECRET: variable(webhookSecrets, {
    default: null, unit: null, meaning: 'Signing secret of the endpoint at Stripe that notifies the gateway; two, separated by a comma, while it is rotated. Without it, notifications are refused, and payments are booked when the gateway asks for them.',
  }),
  STRIPE_API_BASE: variable(httpAddress, {
    default: null, unit: null, meaning: 'Another address than that of Stripe, for tests.',
  }),
  STRIPE_AUTOMATIC_TAX: variable(onOrOff, {
    default: 'off', unit: null, meaning: 'With on, Stripe calculates the tax that the price contains. Requires Stripe Tax.',
  }),
} as const;
