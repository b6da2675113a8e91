import { describe, expect, it } from '@jest/globals';
import { type AccountEvent, type AccountId, type EventId, instant, type JsonObject } from '@tollgate/core';
import type { AlertKind } from './alert-kinds.js';
import { alertMessage } from './alert-message.js';

const SITE = { baseUrl: 'https://api.example.com', product: 'Acme AI', creditAdvice: null };
const EVENING = instant(Date.UTC(2026, 10, 22, 19, 5, 59));

function anEvent(type: AlertKind, data: JsonObject): AccountEvent {
  return { id: 'evt_1' as EventId, type, accountId: 'acct_1' as AccountId, externalId: null, accountSequence: 1, at: EVENING, data };
}

function lowEvent(threshold: string, balance: string): AccountEvent {
  return anEvent('balance.low', { threshold, balance, request_id: null });
}

function keyEvent(id: string, period = '2026-11'): AccountEvent {
  return anEvent('key.limit_reached', { key_id: id, period, limit: '50', spent: '49.75', request_id: 'req_1' });
}

const NO_NAMES = new Map<string, string>();

describe('the message about a low balance', () => {
  it('names the threshold, the balance and the time, says what to do, and links to the overview', () => {
    const { subject, text, html } = alertMessage({ kind: 'balance.low', events: [lowEvent('20', '19.5')], keyNames: NO_NAMES, webhookUrls: NO_NAMES, paymentUrls: NO_NAMES }, SITE);
    expect(subject).toBe('Your balance is below 20 service tokens');
    expect(text).toBe([
      'The balance of your Acme AI account at api.example.com fell below 20 service tokens on 2026-11-22 at 19:05 UTC. It was 19.5 service tokens then.',
      'Requests are refused once the balance is used up. To get credit, ask the operators of api.example.com.',
      'Your balance and what you spend are on this page:',
      'https://api.example.com/dashboard/overview',
      'You can change when you get this message, or turn it off, on the page Settings under Notifications.\n',
    ].join('\n\n'));
    expect(html).toContain('<a href="https://api.example.com/dashboard/overview"');
  });

  it('names the last of several thresholds that were crossed, with the operator’s line about credit', () => {
    const { subject, text } = alertMessage(
      { kind: 'balance.low', events: [lowEvent('20', '4'), lowEvent('5', '4')], keyNames: NO_NAMES, webhookUrls: NO_NAMES, paymentUrls: NO_NAMES }, { ...SITE, creditAdvice: 'Buy credit at https://shop.example.com.' },
    );
    expect(subject).toBe('Your balance is below 5 service tokens');
    expect(text).toContain('Buy credit at https://shop.example.com.');
    expect(text).not.toContain('below 20');
  });
});

it('messages about the balance and key limits use the operator’s name for service tokens', () => {
  const site = { ...SITE, tokenWord: { one: 'credit', many: 'credits' } };
  const messages = [lowEvent('20', '19.5'), anEvent('balance.exhausted', { threshold: '1', balance: '0.25', request_id: 'req_1' }), keyEvent('key_1')]
    .map((event) => alertMessage({ kind: event.type as AlertKind, events: [event], keyNames: NO_NAMES, webhookUrls: NO_NAMES, paymentUrls: NO_NAMES }, site));
  expect(messages.map(({ subject, text }) => /service token/.test(subject + text))).toEqual([false, false, false]);
  expect(messages[0]?.subject).toBe('Your balance is below 20 credits');
  expect(messages[2]?.text).toContain('spent 49.75 of the 50 credits that its limit allows');
});

it('the message about a used-up balance says how much a request needs', () => {
  const event = anEvent('balance.exhausted', { threshold: '1', balance: '0.25', request_id: 'req_1' });
  const { subject, text } = alertMessage({ kind: 'balance.exhausted', events: [event], keyNames: NO_NAMES, webhookUrls: NO_NAMES, paymentUrls: NO_NAMES }, SITE);
  expect(subject).toBe('Your balance is used up');
  expect(text).toContain('fell to 0.25 service tokens on 2026-11-22 at 19:05 UTC. A request needs at least 1, so requests are refused until there is credit again.');
});

describe('the message about a key’s limit', () => {
  it('names the key, its spending and the period, and links to the key', () => {
    const { subject, text } = alertMessage({ kind: 'key.limit_reached', events: [keyEvent('key_1')], keyNames: new Map([['key_1', '<production>']]), webhookUrls: NO_NAMES, paymentUrls: NO_NAMES }, SITE);
    expect(subject).toBe('An API key has reached its spending limit');
    expect(text).toContain('The API key “<production>” spent 49.75 of the 50 service tokens that its limit allows for the month 2026-11 (UTC).');
    expect(text).toContain('\nhttps://api.example.com/dashboard/keys/key_1\n');
  });

  it('lists each key once, and those without a name by id', () => {
    const { subject, text, html } = alertMessage(
      { kind: 'key.limit_reached', events: [keyEvent('key_1'), keyEvent('key_2', '2026-11-22'), keyEvent('key_1')], keyNames: new Map([['key_1', '<production>']]), webhookUrls: NO_NAMES, paymentUrls: NO_NAMES }, SITE,
    );
    expect(subject).toBe('2 API keys have reached their spending limits');
    expect(text.match(/The API key \S+ spent/g)).toEqual(['The API key “<production>” spent', 'The API key key_2 spent']);
    expect(text).toContain('for the day 2026-11-22 (UTC)');
    expect(html).toContain('“&lt;production&gt;”');
    expect(text).toContain('\nhttps://api.example.com/dashboard/keys\n');
  });
});

describe('the message about a token cap', () => {
  function capEvent(period: string, limit: number, used: number): AccountEvent {
    return anEvent('account.cap_reached', { period, limit, used });
  }

  function messageOf(...events: readonly AccountEvent[]) {
    return alertMessage({ kind: 'account.cap_reached', events, keyNames: NO_NAMES, webhookUrls: NO_NAMES, paymentUrls: NO_NAMES }, SITE);
  }

  it('states the period, the cap, its use and until when requests are refused, and links to the limits', () => {
    const { subject, text, html } = messageOf(capEvent('2026-11-22', 1_000_000, 999_500));
    expect(subject).toBe('The daily token cap of your plan is reached');
    expect(text).toBe([
      'This is about your Acme AI account at api.example.com.',
      'On 2026-11-22 at 19:05 UTC a request was refused: 999,500 of the 1,000,000 model tokens that the plan allows for the day 2026-11-22 (UTC) were used, running requests included.',
      'Requests that need more tokens than are left are refused until the next day begins (UTC). For a higher cap, ask the operators of api.example.com.',
      'The limits of your plan and what is used of them are on this page:',
      'https://api.example.com/dashboard/account',
      'You can change when you get this message, or turn it off, on the page Settings under Notifications.\n',
    ].join('\n\n'));
    expect(html).toContain('<a href="https://api.example.com/dashboard/account"');
  });

  it('states that both caps are reached, and that requests are refused until the next month', () => {
    expect(messageOf(capEvent('2026-11', 100, 90)).subject).toBe('The monthly token cap of your plan is reached');
    const { subject, text } = messageOf(capEvent('2026-11-22', 10, 10), capEvent('2026-11', 100, 90));
    expect(subject).toBe('The daily and the monthly token cap of your plan are reached');
    expect(text.match(/allows for the \w+ \S+/g)).toEqual(['allows for the day 2026-11-22', 'allows for the month 2026-11']);
    expect(text).toContain('until the next month begins (UTC)');
  });
});

describe('the message about a disabled webhook', () => {
  const URLS = new Map([['hook_1', 'https://hooks.example.com/T1/secret?token=x'], ['hook_2', 'http://10.0.0.7:8080/']]);
  const gone = anEvent('webhook.disabled', { webhook_id: 'hook_1', reason: 'gone' });
  const failing = { ...anEvent('webhook.disabled', { webhook_id: 'hook_2', reason: 'failing' }), accountId: null, accountSequence: null };

  it('names the webhook without the path and query of its address, says why it was disabled, and links to it', () => {
    const { subject, text, html } = alertMessage({ kind: 'webhook.disabled', events: [gone], keyNames: NO_NAMES, paymentUrls: NO_NAMES, webhookUrls: URLS }, SITE);
    expect(subject).toBe('A webhook was disabled');
    expect(text).toContain('The webhook hook_1 at https://hooks.example.com was disabled on 2026-11-22 at 19:05 UTC: it answered 410.');
    expect(text).toContain('\nhttps://api.example.com/dashboard/webhooks/hook_1\n');
    expect(text + html).not.toMatch(/secret|token/);
  });

  it('tells operators about their own webhooks, and about several in one message', () => {
    const one = alertMessage({ kind: 'webhook.disabled', events: [failing], keyNames: NO_NAMES, paymentUrls: NO_NAMES, webhookUrls: URLS }, SITE);
    expect(one.text).toContain('The webhook hook_2 at http://10.0.0.7:8080 of the operators was disabled on 2026-11-22 at 19:05 UTC: no delivery has succeeded for five days.');
    expect(one.text).toContain('\nhttps://api.example.com/dashboard/operator/webhooks/hook_2\n');
    const { subject, text } = alertMessage({ kind: 'webhook.disabled', events: [gone, failing], keyNames: NO_NAMES, webhookUrls: new Map(), paymentUrls: NO_NAMES }, SITE);
    expect(subject).toBe('2 webhooks were disabled');
    expect(text).toContain('The webhook hook_1 was disabled');
  });
});

describe('the message about an automatic top-up', () => {
  function messageOn(type: AlertKind, data: JsonObject, paymentUrls = NO_NAMES) {
    return alertMessage({ kind: type, events: [anEvent(type, data)], keyNames: NO_NAMES, webhookUrls: NO_NAMES, paymentUrls }, SITE);
  }

  it('links to the provider’s page if a charge must be confirmed, or to the payment if it has no such page', () => {
    const url = 'https://pay.example.com/c/1';
    expect(messageOn('automatic_top_up.authentication_needed', { payment_id: 'pay_1' }, new Map([['pay_1', url]])).text).toContain(`\n${url}\n`);
    expect(messageOn('automatic_top_up.authentication_needed', { payment_id: 'pay_1' }).text).toContain('\nhttps://api.example.com/dashboard/billing/payments/pay_1\n');
  });

  it('says that a charge was declined or why top-up was switched off, and offers no way to turn the message off', () => {
    const declined = messageOn('automatic_top_up.declined', { payment_id: 'pay_1', declines: 2, next_try_at: '2026-11-23T19:05:59.000Z' });
    expect(declined.subject).toBe('A charge of your payment method was declined');
    expect(declined.text).toContain('was declined for the second time in a row.');
    const stopped = messageOn('automatic_top_up.stopped', { reason: 'declined', payment_id: 'pay_1' });
    expect(stopped.text).toContain('It was switched off, because three charges in a row were declined.');
    expect(stopped.text).not.toContain('turn it off');
  });
});
