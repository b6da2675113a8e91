import type { UpstreamDefinition } from '@tollgate/core';
import { describe, expect, it } from '@jest/globals';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { saidByUpstream, secretsOf } from './said-by-upstream.js';

const SECRETS = ['our-secret-key'];

const said = (cause: unknown): string | null => saidByUpstream(new UpstreamFailure('server-error', 'no', cause), SECRETS);
const repliedWith = (body: unknown): string | null => said({ status: 500, body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('what an upstream said', () => {
  it.each<[string, unknown, string | null]>([
    ['of chat completions', { error: { message: 'image input is not supported', type: 'server_error', code: 500 } }, 'image input is not supported'],
    ['of messages', { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'Overloaded'],
    ['of Ollama', { error: 'model "x" not found' }, 'model "x" not found'],
    ['of vLLM', { object: 'error', message: 'too long', code: 400 }, 'too long'],
    ['in one word of FastAPI', { detail: 'Not Found' }, 'Not Found'],
    ['of FastAPI', { detail: [{ loc: ['body'], msg: 'field required' }] }, '[{"loc":["body"],"msg":"field required"}]'],
    ['of Google', [{ error: { code: 400, message: 'Invalid value', status: 'INVALID_ARGUMENT' } }], 'Invalid value'],
    ['in another object', { reason: 'unknown' }, '{"reason":"unknown"}'],
    ['in a page', '<html>\n  <h1>Bad gateway</h1>\n</html>', '<html> <h1>Bad gateway</h1> </html>'],
    ['in an empty body', '', null],
  ])('is found in the error %s', (_name, body, line) => {
    expect(repliedWith(body)).toBe(line);
  });

  it('is the beginning of a body whose detail is nested too deeply to be printed', () => {
    expect(repliedWith(`{"detail":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)).toMatch(/^\{"detail":\[{489}…$/);
  });

  it.each<[string, unknown, string | null]>([
    ['the connection', new Error('connect ECONNREFUSED 127.0.0.1:9'), 'connect ECONNREFUSED 127.0.0.1:9'],
    ['several attempts to connect', new AggregateError([new Error('refused ::1'), new Error('refused 127.0.0.1')]), 'refused ::1; refused 127.0.0.1'],
    ['a reply that was no reply', '<html>', '<html>'],
    ['nothing', undefined, null],
    ['something else', 7, null],
  ])('is taken from %s', (_name, cause, line) => {
    expect(said(cause)).toBe(line);
  });

  it.each([
    ['Incorrect API key provided: sk-proj-abcdef123456. See the manual.', 'Incorrect API key provided: [redacted] See the manual.'],
    ['key our-secret-key is not known', 'key [redacted] is not known'],
    ['got Authorization: Bearer abc.def.ghi, refused', 'got Authorization: [redacted] [redacted], refused'],
    ['bearer abc.def.ghi is old', 'bearer [redacted] is old'],
    ['{"headers":{"x-api-key":"0123456789"}}', '{"headers":{"x-api-key":"[redacted]"}}'],
    ['https://host/?api_key=0123456789&a=1', 'https://host/?api_key=[redacted]'],
    ['the keyword is a token of the task-list', 'the keyword is a token of the task-list'],
  ])('contains no secrets: %s', (text, line) => {
    expect(said(text)).toBe(line);
  });

  it('is one line without control characters', () => {
    expect(said('a\r\nb\tc\u001b[31md\u009b2J\u202ee\u2028f\u0000')).toBe('a b c\\u001b[31md\\u009b2J\\u202ee f\\u0000');
  });

  it('is truncated to 500 characters, even from a body of 64 KiB, in linear time', () => {
    const startedAt = process.cpuUsage();
    for (const text of ['x'.repeat(65_536), 'api_key '.repeat(8_192), `password${' '.repeat(65_000)}`, 'sk-'.repeat(20_000), 'bearer '.repeat(9_000)]) {
      expect(said(text)?.length ?? 0).toBeLessThanOrEqual(500);
    }
    expect(said('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(1_000_000);
  });
});

it.each<[UpstreamDefinition, readonly string[]]>([
  [{ id: 'a', kind: 'openai', baseUrl: 'https://user:long-password@host/v1?token=in-the-query&v=1', apiKey: 'our-secret-key' }, ['our-secret-key', 'long-password', 'long-password', 'in-the-query']],
  [{ id: 'a', kind: 'anthropic', baseUrl: 'https://host', apiKey: null }, []],
  [{ id: 'a', kind: 'openai', baseUrl: 'https://host', apiKey: 'ollama' }, []],
  [{ id: 'a', kind: 'sandbox' }, []],
])('the secrets in the upstream’s definition %j are detected', (definition, secrets) => {
  expect(secretsOf(definition)).toEqual(secrets);
});
