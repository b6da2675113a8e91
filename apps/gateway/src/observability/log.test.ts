import { describe, expect, it } from '@jest/globals';
import { loggedPath, loggedText } from './log.js';

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

  it('takes time linear in the path', () => {
    const begun = performance.now();
    for (const part of ['sk-', 'sk-%', 'sk-aaaaaaaaaaaaaaa/', 'ssk']) loggedPath(part.repeat(16_384));
    expect(performance.now() - begun).toBeLessThan(500);
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

  it('takes time that does not depend on the length of the text', () => {
    const begun = performance.now();
    for (const part of ['sk-', 'x@', '@', 'x', `${'x'.repeat(64)}@`]) for (let time = 0; time < 100; time += 1) loggedText(part.repeat(65_536));
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});
