import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { failureOfReply, refuseError } from './error-replies.js';

describe('a refusal', () => {
  it.each<[string, unknown, string]>([
    ['of LM Studio', { error: 'The model is loaded with a context length of only 4096 tokens' }, 'context-too-long'],
    ['of FastAPI', { detail: [{ loc: ['body', 'messages'], msg: 'exceeds the context window', input: 'x' }] }, 'context-too-long'],
    ['of Google', [{ error: { code: 400, message: 'The input is too long', status: 'INVALID_ARGUMENT' } }], 'context-too-long'],
    ['that quotes the request', { detail: [{ loc: ['body', 'user'], msg: 'is no string', input: 'What is a context window?' }] }, 'refused'],
  ])('%s is classified by the server’s own message', (_name, body, reason) => {
    expect(failureOfReply({ status: 400, body: JSON.stringify(body) }).reason).toBe(reason);
  });
});

describe('an error within a reply', () => {
  it.each<[string, JsonObject, string]>([
    ['a status', { code: 429, message: 'no' }, 'rate-limited'],
    ['a status as text', { code: '429', message: 'no' }, 'rate-limited'],
    ['a number that is no status, as text', { code: '1301', message: 'no' }, 'server-error'],
    ['a type', { type: 'rate_limit_error', message: 'no' }, 'rate-limited'],
    ['a code about an image', { code: 'image_parse_error', message: 'no' }, 'refused'],
    ['a code about the request', { code: 'bio_policy', message: 'no' }, 'refused'],
    ['an unknown code', { code: 'vector_store_timeout', message: 'no' }, 'server-error'],
  ])('is classified by %s', (_name, error, reason) => {
    expect(() => refuseError({ error })).toThrow(expect.objectContaining({ reason }));
  });
});
