import { describe, expect, it } from '@jest/globals';
import { readSettings } from './settings.js';

function kindIn(environment: Readonly<Record<string, string>>): string {
  const reading = readSettings(environment);
  return 'settings' in reading ? reading.settings.payments.provider.kind : reading.problems.join('; ');
}

describe('the payment provider', () => {
  it.each<readonly [environment: Readonly<Record<string, string>>, kind: string]>([
    [{}, 'sandbox'],
    [{ HOST: '::1' }, 'sandbox'],
    [{ PUBLIC_URL: 'http://127.0.0.1:9000' }, 'sandbox'],
    [{ PUBLIC_URL: 'https://api.example.com' }, 'off'],
    [{ HOST: '0.0.0.0' }, 'off'],
    [{ NODE_ENV: 'production' }, 'off'],
    [{ HOST: '0.0.0.0', PAYMENTS: 'sandbox' }, 'sandbox'],
    [{ PAYMENTS: 'off' }, 'off'],
    [{ PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_test_12345678' }, 'stripe'],
    [{ PAYMENTS: 'sandbox', NODE_ENV: 'production' }, 'PAYMENTS: must not be sandbox in production, where owners would get credit for nothing'],
    [{ PAYMENTS: 'stripe' }, 'STRIPE_SECRET_KEY: must be set with PAYMENTS=stripe, or STRIPE_SECRET_KEY_FILE'],
    [{ STRIPE_SECRET_KEY_FILE: '/nonexistent' }, 'STRIPE_SECRET_KEY_FILE: cannot be read: ENOENT'],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_12345678,whsec_abcdefgh,whsec_ijklmnop' }, 'STRIPE_WEBHOOK_SECRET: must be one or two signing secrets of Stripe, whsec_…, separated by a comma'],
  ])('is chosen from the settings %p, or refused: %s', (environment, kind) => {
    expect(kindIn(environment)).toBe(kind);
  });
});
