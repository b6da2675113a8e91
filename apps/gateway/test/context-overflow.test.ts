import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';

interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string; readonly param?: string };
}

/** Each character counts as one token. */
const messagesOf = (characters: number): JsonObject => ({ messages: [{ role: 'user', content: 'x'.repeat(characters) }] });

describe('a request that does not fit the context', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  async function refusalOf(path: string, fields: JsonObject): Promise<readonly [number, string, string | undefined, string]> {
    const reply = await gateway.post(path, { model: 'small', ...fields });
    const { error: { code, param, message } } = (await reply.json()) as ErrorBody;
    return [reply.status, code, param, message];
  }

  it.each(['max_tokens', 'max_completion_tokens'])('is refused in the chat format, naming the field as the client did: %s', async (field) => {
    expect(await refusalOf('/v1/chat/completions', { ...messagesOf(5000), [field]: 3500 })).toEqual([400, 'context_length_exceeded', field, expect.stringMatching(
      new RegExp(`^This model's maximum context length is 8000 tokens, but the request needs \\d+: \\d+ in 'messages' and 3500 in '${field}'\\. Shorten the messages or lower '${field}'\\.$`, 'u'),
    )]);
  });

  it('is refused in the chat format with the number of prompt tokens if the prompt alone is too long', async () => {
    expect(await refusalOf('/v1/chat/completions', messagesOf(20_000))).toEqual([400, 'context_length_exceeded', 'messages', expect.stringMatching(
      /^This model's maximum context length is 8000 tokens, but 'messages' have \d+ tokens\. Shorten them\.$/,
    )]);
  });

  it('is refused in the responses format with the code and message that clients match', async () => {
    const inputOf = (characters: number): JsonObject => ({ input: 'x'.repeat(characters) });
    expect(await refusalOf('/v1/responses', { ...inputOf(5000), max_output_tokens: 3500 })).toEqual([400, 'context_length_exceeded', 'max_output_tokens', expect.stringMatching(
      /^This model's maximum context length is 8000 tokens, but the request needs \d+: \d+ in 'input' and 3500 in 'max_output_tokens'\. Shorten the input or lower 'max_output_tokens'\.$/,
    )]);
    expect(await refusalOf('/v1/responses', inputOf(20_000))).toEqual([400, 'context_length_exceeded', 'input', expect.stringMatching(
      /^This model's maximum context length is 8000 tokens, but 'input' has \d+ tokens\. Shorten it\.$/,
    )]);
  });

  it('is refused in the messages format with the message that coding agents match', async () => {
    expect(await refusalOf('/v1/messages', { ...messagesOf(5000), max_tokens: 3500 })).toEqual([
      400, 'context_length_exceeded', undefined, expect.stringMatching(/^input length and `max_tokens` exceed context limit: \d+ \+ 3500 > 8000$/),
    ]);
    expect(await refusalOf('/v1/messages', { ...messagesOf(20_000), max_tokens: 5 })).toEqual([
      400, 'context_length_exceeded', undefined, expect.stringMatching(/^prompt is too long: \d+ tokens > 8000 maximum$/),
    ]);
  });
});
