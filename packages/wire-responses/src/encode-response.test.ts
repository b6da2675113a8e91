import { describe, expect, it } from '@jest/globals';
import { type AssistantBlock, type ErrorCode, GatewayError, instant, type JsonObject, type ModelSlug, promptTokensOf, type RequestId, type StopReason, type ToolDeclaration } from '@tollgate/core';
import { aCompletedGeneration } from '@tollgate/testkit';
import type { Response, ResponseOutputItem } from 'openai/resources/responses/responses';
import type { Response as OlderResponse } from 'openai-6/resources/responses/responses';
import { encodeError, encodeResponse, keptForm } from './encode-response.js';
import { aContext, aDeclaration, DEFAULT_PARAMETERS, PORTS, replyOf, sealedReasoning } from './test-support/builders.js';

const PROMPT_TOKENS = promptTokensOf(aCompletedGeneration().usage);
const RECEIPT = { svc_tokens_debited: '12.5', svc_cost_usd: '0.00125', svc_balance_tokens: '92.75', svc_fallback_used: true };
const USAGE = {
  input_tokens: PROMPT_TOKENS,
  input_tokens_details: { cached_tokens: 10, cache_write_tokens: 1 },
  output_tokens: 2300,
  output_tokens_details: { reasoning_tokens: 300 },
  total_tokens: PROMPT_TOKENS + 2300,
  ...RECEIPT,
};
const MESSAGE = {
  id: 'msg_1_0', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }],
} satisfies ResponseOutputItem;

const call = (id: string, argumentsJson: string, name = 'look'): AssistantBlock => ({ type: 'tool-call', id, name, argumentsJson });
const declared = (differences: Partial<ToolDeclaration>, upstreamName = 'look') => aContext({ declarations: new Map([[upstreamName, aDeclaration(differences)]]) });

describe('a whole response', () => {
  it('has all fields that the SDKs require, and never a null usage or user', () => {
    const expected = {
      id: 'resp_1',
      object: 'response',
      created_at: 1_700_000_000,
      completed_at: 1_700_000_010,
      status: 'completed',
      error: null,
      incomplete_details: null,
      model: 'other-model',
      output: [MESSAGE],
      instructions: null,
      tools: [],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      temperature: 1,
      top_p: 1,
      text: { format: { type: 'text' }, verbosity: 'medium' },
      reasoning: { effort: null, summary: null },
      max_output_tokens: null,
      metadata: {},
      prompt_cache_key: null,
      store: false,
      background: false,
      previous_response_id: null,
      service_tier: 'default',
      truncation: 'disabled',
      access_programs: null,
      usage: USAGE,
    } satisfies Omit<Response, 'output_text'> & Omit<OlderResponse, 'output_text'> & { readonly store: boolean };
    expect(replyOf(aCompletedGeneration({ servedBy: 'other-model' as ModelSlug, fallbackUsed: true }))).toStrictEqual(expected);
  });

  it('states the parameters of its request and the id of the response that it continues', () => {
    const parameters = { ...DEFAULT_PARAMETERS, temperature: 0.5, metadata: { a: 'b' }, prompt_cache_key: 'k' };
    const reply = replyOf(aCompletedGeneration(), aContext({ parameters, previousResponseId: 'resp_0' }));
    expect(reply).toMatchObject({ temperature: 0.5, metadata: { a: 'b' }, prompt_cache_key: 'k', previous_response_id: 'resp_0' });
  });

  it('without output has no items', () => {
    expect(replyOf(aCompletedGeneration({ blocks: [] }))).toMatchObject({ status: 'completed', output: [] });
  });

  it('has one item per block', () => {
    const blocks: readonly AssistantBlock[] = [
      { type: 'thinking', text: 'Hm', signature: 'signed' }, { type: 'text', text: 'Let me see.' }, call('call_1', '{"a":[1]}'), call('call_2', ''), call('call_3', '{"cut'),
    ];
    expect(replyOf(aCompletedGeneration({ blocks }))['output']).toStrictEqual([
      { id: 'rs_1_0', type: 'reasoning', status: 'completed', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: sealedReasoning('Hm', 'signed') },
      { ...MESSAGE, id: 'msg_1_1', content: [{ type: 'output_text', text: 'Let me see.', annotations: [], logprobs: [] }] },
      { id: 'fc_1_2', type: 'function_call', status: 'completed', call_id: 'call_1', name: 'look', arguments: '{"a":[1]}' },
      { id: 'fc_1_3', type: 'function_call', status: 'completed', call_id: 'call_2', name: 'look', arguments: '{}' },
      { id: 'fc_1_4', type: 'function_call', status: 'completed', call_id: 'call_3', name: 'look', arguments: '{"cut' },
    ] satisfies ResponseOutputItem[]);
  });

  it.each<readonly [string, boolean, string, object]>([
    ['is withheld', false, 'Hm', { summary: [], encrypted_content: sealedReasoning('Hm', null) }],
    ['is signed only', true, '', { summary: [], encrypted_content: sealedReasoning('', null) }],
  ])('seals reasoning whose text %s', (_, showsReasoning, text, expected) => {
    const generation = aCompletedGeneration({ blocks: [{ type: 'thinking', text, signature: null }] });
    expect(replyOf(generation, aContext({ showsReasoning }))['output']).toStrictEqual([{ id: 'rs_1_0', type: 'reasoning', status: 'completed', ...expected }]);
  });

  it('has reasoning only as text if no secret to encrypt it is configured', () => {
    const generation = aCompletedGeneration({ blocks: [{ type: 'thinking', text: 'Hm', signature: 'signed' }] });
    expect(replyOf(generation, aContext(), { ...PORTS, seal: null })['output']).toStrictEqual([
      { id: 'rs_1_0', type: 'reasoning', status: 'completed', summary: [{ type: 'summary_text', text: 'Hm' }] },
    ]);
  });

  it('names a namespaced function by its own name and its namespace', () => {
    const generation = aCompletedGeneration({ blocks: [call('call_1', '{}', 'multi__wait')] });
    expect(replyOf(generation, declared({ name: 'wait', namespace: 'multi' }, 'multi__wait'))['output']).toStrictEqual([
      { id: 'fc_1_0', type: 'function_call', status: 'completed', call_id: 'call_1', name: 'wait', namespace: 'multi', arguments: '{}' },
    ] satisfies ResponseOutputItem[]);
  });

  it.each([
    ['the expected text', '{"input":"*** \\"Begin\\" \\ud83d\\ude00"}', '*** "Begin" \u{1F600}'],
    ['a single text under another name', '{"patch":"a","lines":3}', 'a'],
    ['two texts', '{"patch":"a","file":"b"}', '{"patch":"a","file":"b"}'],
    ['the expected text and another one', '{"file":"b","input":"a"}', 'a'],
    ['an input that is not a text', '{"input":{"a":1}}', '{"input":{"a":1}}'],
    ['no JSON', '*** Begin', '*** Begin'],
    ['a list', '["a"]', '["a"]'],
    ['null', 'null', 'null'],
    ['empty arguments', '', ''],
  ])('has the input of a custom call from arguments with %s', (_, argumentsJson, input) => {
    const generation = aCompletedGeneration({ blocks: [call('call_1', argumentsJson)] });
    expect(replyOf(generation, declared({ kind: 'custom', name: 'apply_patch', namespace: 'functions' }))['output']).toStrictEqual([
      { id: 'ctc_1_0', type: 'custom_tool_call', status: 'completed', call_id: 'call_1', name: 'apply_patch', namespace: 'functions', input },
    ]);
  });

  it.each([['{"query":"x"}', { query: 'x' }], ['', {}], ['{"cut', { _raw: '{"cut' }]])('encodes the arguments %p of a search as an object', (argumentsJson, expected) => {
    const generation = aCompletedGeneration({ blocks: [call('call_1', argumentsJson, 'tool_search')] });
    expect(replyOf(generation, declared({ kind: 'search', name: 'tool_search' }, 'tool_search'))['output']).toStrictEqual([
      { id: 'tsc_1_0', type: 'tool_search_call', status: 'completed', call_id: 'call_1', execution: 'client', arguments: expected },
    ] satisfies ResponseOutputItem[]);
  });

  it('has the arguments of a search verbatim', () => {
    const written = '{"2": 1.0, "1": 12345678901234567890}';
    const text = encodeResponse(aCompletedGeneration({ blocks: [call('1', written)] }), declared({ kind: 'search' }), PORTS);
    expect(text).toContain(`"arguments":${written}}`);
  });

  it.each<readonly [StopReason, string, string | null]>([
    ['end', 'completed', null], ['tool-call', 'completed', null], ['max-tokens', 'incomplete', 'max_output_tokens'], ['capacity', 'incomplete', 'max_output_tokens'],
    ['content-filter', 'incomplete', 'content_filter'],
  ])('that stopped because of %s is %s', (stopReason, status, reason) => {
    const reply = replyOf(aCompletedGeneration({ stopReason }));
    expect(reply).toMatchObject({ status, incomplete_details: reason === null ? null : { reason }, output: [{ status }], completed_at: reason === null ? 1_700_000_010 : null });
  });

  it.each<readonly [string, Partial<ToolDeclaration>, object]>([
    ['function', {}, { arguments: '' }], ['custom', { kind: 'custom' }, { input: '' }], ['search', { kind: 'search' }, { arguments: {} }],
  ])('does not complete a call that was cut off before its arguments: %s', (_, differences, expected) => {
    const generation = aCompletedGeneration({ blocks: [call('call_1', '{}'), call('call_2', '')], stopReason: 'max-tokens' });
    expect(replyOf(generation, declared(differences))['output']).toMatchObject([{ status: 'completed' }, { status: 'incomplete', ...expected }]);
  });

  it('does not parse the input of a truncated custom call', () => {
    const generation = aCompletedGeneration({ blocks: [call('call_1', '{"input":"*** Begin')], stopReason: 'max-tokens' });
    expect(replyOf(generation, declared({ kind: 'custom' }))['output']).toMatchObject([{ status: 'incomplete', input: '{"input":"*** Begin' }]);
  });
});

describe('the stored form of a response', () => {
  const generation = aCompletedGeneration({ blocks: [{ type: 'thinking', text: 'Hm', signature: null }, { type: 'text', text: 'Hello' }] });

  it('has the input, the output items, and the reply marked as stored', () => {
    const inputItems = Buffer.from('[{"role":"user","content":"Hi"}]');
    const context = aContext({ inputItems, previousResponseId: 'resp_0' });
    const kept = keptForm(generation, context, PORTS);
    const reply: JsonObject = { ...replyOf(generation, aContext({ previousResponseId: 'resp_0' })), store: true };
    expect(kept).toMatchObject({ id: 'resp_1', previousId: 'resp_0', inputItems });
    expect(JSON.parse(kept?.outputItems ?? '')).toEqual(reply['output']);
    expect(JSON.parse(kept?.body ?? '')).toEqual(reply);
  });

  it('is sent unchanged', () => {
    expect(encodeResponse(generation, aContext({ keptBody: '{"id":"resp_1"}' }), PORTS)).toBe('{"id":"resp_1"}');
  });

  it('does not exist if the request disables storage', () => {
    expect(keptForm(generation, aContext(), PORTS)).toBeNull();
  });
});

const errorOf = (error: GatewayError) => encodeError(error, 'req_1' as RequestId, PORTS.clock);

describe('an error of the responses format', () => {
  it('has the envelope of the chat format, and reveals no internals', () => {
    expect(errorOf(new GatewayError('invalid_request', 'No.', { param: 'input[2]', cause: new Error('secret') }))).toStrictEqual({
      error: { message: 'No.', type: 'invalid_request_error', code: 'invalid_request', param: 'input[2]', request_id: 'req_1' },
    });
  });

  it.each<ErrorCode>(['daily_limit_exceeded', 'monthly_limit_exceeded', 'api_key_limit_exceeded'])('states when a daily, monthly or key limit resets: %s', (code) => {
    expect(errorOf(new GatewayError(code, 'No more.', { retryAfterSeconds: 3599.5 }))).toStrictEqual({
      error: { message: 'No more.', type: 'usage_limit_reached', resets_at: 1_700_003_610, code, request_id: 'req_1' },
    });
    expect(errorOf(new GatewayError(code, 'No more.'))).not.toHaveProperty('error.resets_at');
  });

  it.each<ErrorCode>(['rate_limit_exceeded', 'tokens_per_minute_exceeded', 'concurrency_limit_exceeded'])('states no reset time for a limit of the current minute or of concurrency: %s', (code) => {
    expect(errorOf(new GatewayError(code, 'Wait.', { retryAfterSeconds: 9 }))).toStrictEqual({
      error: { message: 'Wait.', type: 'rate_limit_error', code, request_id: 'req_1' },
    });
  });
});

describe('the time of completion', () => {
  it('of a response is read from the clock', () => {
    expect(replyOf(aCompletedGeneration(), aContext(), { ...PORTS, clock: { now: () => instant(1_700_000_077_000) } })['completed_at']).toBe(1_700_000_077);
  });
});
