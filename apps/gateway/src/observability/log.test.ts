import { describe, expect, it } from '@jest/globals';
import { loggedPath } from './log.js';

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
