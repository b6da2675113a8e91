import { expect, it } from '@jest/globals';
import { bodyOf, EMPTY_FIELDS, faultsOf, fieldsOf, sinceOf, typesOf } from './webhook-form';

it('the form of webhooks names all faults at once', () => {
  expect(faultsOf({ ...EMPTY_FIELDS, all: false }, 'owner')).toEqual({ url: 'This field is required.', types: 'Choose at least one type of event.' });
});

it('the form of webhooks accepts only https from owners, and also http from operators', () => {
  const faults = (url: string) => [faultsOf({ ...EMPTY_FIELDS, url }, 'owner').url, faultsOf({ ...EMPTY_FIELDS, url }, 'operators').url];
  expect(faults(' https://shop.example.com/hook?a=1 ')).toEqual([undefined, undefined]);
  expect(faults('http://10.0.0.7/')).toEqual(['Enter an address that begins with https://.', undefined]);
  expect(faults('shop')).toEqual(['Enter an address that begins with https://.', 'Enter an address that begins with https:// or http://.']);
  expect(faults('https://a:b@shop.example.com/')[0]).toMatch('no user name');
  expect(faults('https://shop.example.com/#a')[0]).toMatch('after #');
});

it('the form of webhooks offers owners no events of the platform', () => {
  expect(typesOf('platform', 'owner')).toEqual([]);
  expect(typesOf('platform', 'operators')).toContain('upstream.down');
  expect(typesOf('balance', 'owner')).toEqual(['balance.booked', 'balance.low', 'balance.exhausted']);
});

it('the form of webhooks sends null for all types of events, and a list of chosen ones otherwise', () => {
  expect(bodyOf({ ...EMPTY_FIELDS, url: ' https://a.example/ ' })).toEqual({ url: 'https://a.example/', description: '', types: null });
  const some = fieldsOf({ url: 'https://a.example/', description: 'n', types: ['balance.low'] });
  expect(bodyOf(some)).toEqual({ url: 'https://a.example/', description: 'n', types: ['balance.low'] });
});

it('the form of webhooks accepts only a past time from which to send earlier events', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  expect([sinceOf('', now), sinceOf('2099-01-01T00:00', now), sinceOf('2026-11-20T00:00', now)]).toEqual([null, null, new Date('2026-11-20T00:00').toISOString()]);
});
