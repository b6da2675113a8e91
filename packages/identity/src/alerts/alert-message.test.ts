import { describe, expect, it } from '@jest/globals';
import { type AccountEvent, type AccountId, type EventId, instant, type JsonObject } from '@tollgate/core';
import type { AlertKind } from './alert-kinds.js';
import { alertMessage } from './alert-message.js';

const SITE = { baseUrl: 'https://api.example.com', product: 'Acme AI', creditLine: null };
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
    const { subject, text, html } = alertMessage({ kind: 'balance.low', events: [lowEvent('20', '19.5')], keyNames: NO_NAMES }, SITE);
    expect(subject).toBe('Your balance is below 20 service tokens');
    expect(text).toBe([
      'The balance of your Acme AI account at api.example.com fell below 20 service tokens on 2026-11-22 at 19:05 UTC. It was 19.5 service tokens then.',
      'Requests are refused once the balance is used up. To get credit, ask the operators of api.example.com.',
      'Your balance and what you spend are on this page:',
      'https://api.example.com/dashboard/overview',
      'You can change when you get this message, or turn it off, on the page Account under Notifications.\n',
    ].join('\n\n'));
    expect(html).toContain('<a href="https://api.example.com/dashboard/overview"');
  });

  it('tells the newest of several crossings, with the operator’s words on credit', () => {
    const { subject, text } = alertMessage(
      { kind: 'balance.low', events: [lowEvent('20', '4'), lowEvent('5', '4')], keyNames: NO_NAMES }, { ...SITE, creditLine: 'Buy credit at https://shop.example.com.' },
    );
    expect(subject).toBe('Your balance is below 5 service tokens');
    expect(text).toContain('Buy credit at https://shop.example.com.');
    expect(text).not.toContain('below 20');
  });
});

it('says from which balance on requests are refused', () => {
  const event = anEvent('balance.exhausted', { threshold: '1', balance: '0.25', request_id: 'req_1' });
  const { subject, text } = alertMessage({ kind: 'balance.exhausted', events: [event], keyNames: NO_NAMES }, SITE);
  expect(subject).toBe('Your balance is used up');
  expect(text).toContain('fell to 0.25 service tokens on 2026-11-22 at 19:05 UTC. A request needs at least 1, so requests are refused until there is credit again.');
});

describe('the message about a key’s limit', () => {
  it('names the key, its spending and the period, and links to the key', () => {
    const { subject, text } = alertMessage({ kind: 'key.limit_reached', events: [keyEvent('key_1')], keyNames: new Map([['key_1', '<production>']]) }, SITE);
    expect(subject).toBe('An API key has reached its spending limit');
    expect(text).toContain('The API key “<production>” spent 49.75 of the 50 service tokens that its limit allows for the month 2026-11 (UTC).');
    expect(text).toContain('\nhttps://api.example.com/dashboard/keys/key_1\n');
  });

  it('lists each key once, and those without a name by id', () => {
    const { subject, text, html } = alertMessage(
      { kind: 'key.limit_reached', events: [keyEvent('key_1'), keyEvent('key_2', '2026-11-22'), keyEvent('key_1')], keyNames: new Map([['key_1', '<production>']]) }, SITE,
    );
    expect(subject).toBe('2 API keys have reached their spending limits');
    expect(text.match(/The API key \S+ spent/g)).toEqual(['The API key “<production>” spent', 'The API key key_2 spent']);
    expect(text).toContain('for the day 2026-11-22 (UTC)');
    expect(html).toContain('“&lt;production&gt;”');
    expect(text).toContain('\nhttps://api.example.com/dashboard/keys\n');
  });
});
