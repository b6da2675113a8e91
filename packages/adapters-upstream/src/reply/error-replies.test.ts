import { describe, expect, it } from '@jest/globals';
import { failureOfReply } from './error-replies.js';

describe('a refusal', () => {
  it.each<[string, unknown, string]>([
    ['of LM Studio', { error: 'The model is loaded with a context length of only 4096 tokens' }, 'context-too-long'],
    ['of FastAPI', { detail: [{ loc: ['body', 'messages'], msg: 'exceeds the context window', input: 'x' }] }, 'context-too-long'],
    ['of Google', [{ error: { code: 400, message: 'The input is too long', status: 'INVALID_ARGUMENT' } }], 'context-too-long'],
    ['that quotes the request', { detail: [{ loc: ['body', 'user'], msg: 'is no string', input: 'What is a context window?' }] }, 'refused'],
  ])('%s is recognised in the server’s notation', (_name, body, reason) => {
    expect(failureOfReply({ status: 400, body: JSON.stringify(body) }).reason).toBe(reason);
  });
});
