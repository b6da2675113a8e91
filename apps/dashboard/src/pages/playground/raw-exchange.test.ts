import { expect, it } from '@jest/globals';
import { MAX_RAW_CHARACTERS, RawReply, rawRequest } from './raw-exchange.js';

it('a raw reply contains the events as they were received, and says whether it was cut', () => {
  const raw = new RawReply('{}', 200);
  raw.add('{"a":1}');
  raw.add('[DONE]');
  expect(raw.exchange()).toEqual({ request: '{}', status: 200, reply: 'data: {"a":1}\n\ndata: [DONE]', isCut: false });
  raw.add('x'.repeat(MAX_RAW_CHARACTERS));
  raw.add('after');
  expect(raw.exchange()).toMatchObject({ reply: 'data: {"a":1}\n\ndata: [DONE]', isCut: true });
});

it('a raw request is formatted, with long texts such as pictures cut', () => {
  expect(rawRequest({ model: 'm' })).toBe('{\n  "model": "m"\n}');
  const picture = `data:image/png;base64,${'A'.repeat(1_000_000)}`;
  expect(rawRequest({ url: picture }).length).toBeLessThan(21_000);
});
