import { describe, expect, it } from '@jest/globals';
import { speaksOfContinuation } from './refusal-words.js';

describe('a refusal', () => {
  it.each<[string, unknown]>([
    ['of LM Studio', { error: 'unexpected thinking in an earlier message' }], ['of FastAPI', { detail: [{ loc: ['body', 'messages', 1, 'reasoning_content'], msg: 'extra fields' }] }],
    ['of Google', [{ error: { message: 'Invalid thought signature' } }]], ['of responses', { error: { message: "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'." } }],
  ])('%s is recognised as one of returned reasoning', (_name, body) => {
    expect(speaksOfContinuation({ status: 400, body: JSON.stringify(body) })).toBe(true);
  });
});
