import { describe, expect, it } from '@jest/globals';
import { type AccountEvent, type AccountId, type EventId, instant, type JsonObject } from '@tollgate/core';
import type { MailLanguage } from '../mail/mail-language.js';
import { alertMessage } from './alert-message.js';

const AT = instant(Date.parse('2026-11-22T19:05:59.000Z'));
const REFUND = { payment_id: 'pay_1', refund_id: 're_1', refunded: '10.00', currency: 'USD', svc_tokens_returned: '900' };

function messageOn(refunds: readonly JsonObject[], language?: MailLanguage) {
  const events = refunds.map((data, index): AccountEvent => ({ id: `event_${index}` as EventId, type: 'payment.refund_failed', accountId: 'acct_1' as AccountId, externalId: null, accountSequence: index + 1, at: AT, data }));
  const site = { baseUrl: 'https://api.example.com', product: 'Acme AI', creditAdvice: null, ...(language === undefined ? {} : { language }) };
  return alertMessage({ kind: 'payment.refund_failed', events, keyNames: new Map(), webhookUrls: new Map(), paymentUrls: new Map() }, site);
}

describe('the message about refunds that failed', () => {
  it('says that the refund did not arrive, what was returned to the balance, and whom to ask', () => {
    const { subject, text } = messageOn([REFUND]);
    expect(subject).toBe('A refund could not be paid out');
    expect(text).toContain('The refund of 10.00 USD could not be paid out; the money came back to the operators on 2026-11-22 at 19:05 UTC. 900 service tokens were returned to your balance.');
    expect(text).toContain('ask the operators of api.example.com');
    expect(text).toContain('https://api.example.com/dashboard/billing/payments/pay_1');
  });

  it('names no tokens if none were returned', () => {
    expect(messageOn([{ ...REFUND, svc_tokens_returned: '0' }]).text).not.toContain('returned');
  });

  it('lists several refunds, and links to Billing if they are of several payments', () => {
    const { subject, text } = messageOn([REFUND, { ...REFUND, payment_id: 'pay_2', refunded: '4.00' }]);
    expect(subject).toBe('2 refunds could not be paid out');
    expect(text).toContain('4.00 USD');
    expect(text).toMatch(/https:\/\/api\.example\.com\/dashboard\/billing\n/);
  });

  it('is in German for a reader of German', () => {
    expect(messageOn([REFUND], 'de').text).toContain('Die Erstattung von 10.00 USD konnte nicht ausgezahlt werden');
  });
});
