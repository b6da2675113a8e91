import { describe, expect, it } from '@jest/globals';
import { loggedPath, loggedText } from './request-log.js';

const KEY = `sk-${'aB3'.repeat(16)}`;

describe('a path in the log', () => {
  it.each([
    [`/v1/models/${KEY}`, '/v1/models/sk-[redacted]'],
    [`/${KEY}/v1/messages`, '/sk-[redacted]/v1/messages'],
    [`/v1/messages/Bearer%20${KEY}`, '/v1/messages/Bearer%20sk-[redacted]'],
    [`/v1/models/${KEY.replace('-', '%2D')}`, '/v1/models/sk-[redacted]'],
    [`/v1/models/${encodeURIComponent('sk-ant-api03-')}${'x_'.repeat(20)}`, '/v1/models/sk-[redacted]'],
    [`/${'x'.repeat(190)}/${KEY}`, `/${'x'.repeat(190)}/sk-[reda`],
    [`/v1/usage/req_${'a'.repeat(24)}`, `/v1/usage/req_${'a'.repeat(24)}`],
    ['/v1/models/task-tuned', '/v1/models/task-tuned'],
  ])('for %s is %s', (path, logged) => {
    expect(loggedPath(path)).toBe(logged);
  });

  it('is taken from the first 1,000 characters of the path only', () => {
    // The gateway reads only the first 1,000 characters, which hold four keys.
    expect(loggedPath(`/sk-${'a'.repeat(246)}`.repeat(1_000))).toBe('/sk-[redacted]'.repeat(4));
    for (const part of ['sk-', 'sk-%', 'sk-aaaaaaaaaaaaaaa/', 'ssk']) expect(loggedPath(part.repeat(16_384))).toBe(loggedPath(part.repeat(1_000).slice(0, 1_000)));
  });
});

describe('a text in the log', () => {
  it.each([
    ['No model has the name x.', 'No model has the name x.'],
    [`the name ${KEY} of ann@example.com`, 'the name sk-[redacted] of [address]'],
    ["'ann@example.com' has an account", "'[address]' has an account"],
    ['x'.repeat(10_000), 'x'.repeat(300)],
    [`${'x'.repeat(290)} ${KEY}`, `${'x'.repeat(290)} sk-[redac`],
  ])('for %j is %j', (text, logged) => {
    expect(loggedText(text)).toBe(logged);
  });

  it('is taken from the first 1,000 characters of the text only', () => {
    // The gateway reads only the first 1,000 characters, which hold thirteen addresses.
    expect(loggedText(`${'x'.repeat(64)}@example.com `.repeat(1_000))).toBe(Array.from({ length: 13 }, () => '[address]').join(' '));
    for (const part of ['sk-', 'x@', '@', 'x', `${'x'.repeat(64)}@`]) expect(loggedText(part.repeat(65_536))).toBe(loggedText(part.repeat(1_000).slice(0, 1_000)));
  });
});
