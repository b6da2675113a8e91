import { expect, it } from '@jest/globals';
import { type AccountEvent, type AccountId, type EventId, instant } from '@tollgate/core';
import { creditParts } from './credit-message.js';

const SITE = { baseUrl: 'https://api.example.com', product: 'Acme AI' };

function expiring(entry: string, amount: string, expiresAt: string): AccountEvent {
  return {
    id: 'evt_1' as EventId, type: 'credit.expiring', accountId: 'acct_1' as AccountId, externalId: null, accountSequence: 1, at: instant(0),
    data: { ledger_entry: entry, svc_tokens: amount, expires_at: expiresAt, days: 14 },
  };
}

it('the message about a credit says how much expires and when, and links to billing', () => {
  const { subject, beforeLink, link, values } = creditParts({ events: [expiring('1', '2.5', '2026-12-06T12:00:00.000Z')] }, SITE, 'Turn it off.');
  expect(subject).toBe('2.5 service tokens of your credit expire soon');
  expect(beforeLink).toContain('2.5 service tokens expire on 2026-12-06 at 12:00 UTC.');
  expect([link?.url, values]).toEqual(['https://api.example.com/dashboard/billing', { credits: ['2.5 service tokens expire on 2026-12-06 at 12:00 UTC.'] }]);
});

it('the message about several credits names each credit once, with what is left of it now', () => {
  const events = [expiring('1', '5', '2026-12-06T12:00:00.000Z'), expiring('2', '7', '2026-12-07T12:00:00.000Z'), expiring('1', '4', '2026-12-06T12:00:00.000Z')];
  const { subject, values } = creditParts({ events }, SITE, '');
  expect([subject, values]).toEqual([
    'Several credits of yours expire soon', { credits: ['4 service tokens expire on 2026-12-06 at 12:00 UTC.', '7 service tokens expire on 2026-12-07 at 12:00 UTC.'] },
  ]);
});
