import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { DEFAULT_REQUEST_LIMITS, type GenerationRequest, type JsonObject } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import { fieldTypesContract, FULL_RESPONSES_REQUEST, refusalOf, RESPONSES_FIELDS } from '@tollgate/testkit';
import { decodeRequest, decodeTokenCount, describeOverflow, encodeTokenCount } from './decode-request.js';
import { referencesIn } from './stored-items.js';
import { aResponsesRequest, aStoredResponse, ALICE, decode, PLAIN_SEAL } from './test-support/builders.js';

const LOOK = { type: 'function', name: 'look', description: 'Looks.', parameters: { type: 'object' } };
const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } };

/** Parameters in the response to a request that sets none. */
const DEFAULTS: JsonObject = {
  tool_choice: 'auto',
  parallel_tool_calls: true,
  temperature: 1,
  top_p: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  reasoning: { effort: null, summary: null },
  max_output_tokens: null,
  metadata: {},
  prompt_cache_key: null,
};

describe('a responses request', () => {
  it('with only the required fields leaves everything else to the model', () => {
    expect(decode(aResponsesRequest())).toEqual({
      generation: {
        model: 'test-model',
        conversation: { system: [], turns: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
        tools: [],
        toolChoice: null,
        parallelToolCalls: null,
        maxOutputTokens: null,
        sampling: { temperature: null, topP: null, frequencyPenalty: null, presencePenalty: null },
        stopSequences: [],
        reasoning: 'model-default',
        responseFormat: 'text',
        outputSchema: null,
        attribution: null,
        source: null,
      },
      delivery: 'whole',
      includeUsage: true,
      outputField: 'max_output_tokens',
      echo: {
        accountId: ALICE,
        declarations: new Map(),
        showsReasoning: true,
        parameters: DEFAULTS,
        previousResponseId: null,
        inputItems: new TextEncoder().encode('[{"type":"message","role":"user","content":"Hi"}]'),
        keptBody: null,
      },
    });
  });

  it.each<readonly [JsonObject, Partial<GenerationRequest>, JsonObject]>([
    [{ temperature: 2, top_p: 0.5 }, { sampling: { temperature: 2, topP: 0.5, frequencyPenalty: null, presencePenalty: null } }, { temperature: 2, top_p: 0.5 }],
    [{ temperature: 0 }, { sampling: { temperature: 0, topP: null, frequencyPenalty: null, presencePenalty: null } }, { temperature: 0 }],
    [{ max_output_tokens: 100 }, { maxOutputTokens: 100 as never }, { max_output_tokens: 100 }],
    [{ tools: [LOOK], parallel_tool_calls: false }, { parallelToolCalls: false }, { parallel_tool_calls: false }],
    [{ tools: [LOOK], parallel_tool_calls: null }, { parallelToolCalls: null }, {}],
    [{ parallel_tool_calls: false, tool_choice: 'auto' }, { parallelToolCalls: null, toolChoice: null }, { parallel_tool_calls: false }],
    [{ reasoning: { effort: 'minimal' } }, { reasoning: 'low' }, { reasoning: { effort: 'minimal', summary: null } }],
    [{ reasoning: { effort: 'xhigh', summary: 'auto', context: 'all_turns' } }, { reasoning: 'high' }, { reasoning: { effort: 'xhigh', summary: 'auto' } }],
    [{ reasoning: { effort: 'ultra', summary: 'later' } }, { reasoning: 'model-default' }, {}],
    [{ reasoning: { effort: null } }, { reasoning: 'model-default' }, {}],
    [{ text: {} }, { responseFormat: 'text', outputSchema: null }, {}],
    [{ text: { format: { type: 'text' }, verbosity: 'low' } }, { responseFormat: 'text' }, { text: { format: { type: 'text' }, verbosity: 'low' } }],
    [{ text: { format: { type: 'json_object' }, verbosity: 'later' } }, { responseFormat: 'json', outputSchema: null }, { text: { format: { type: 'json_object' }, verbosity: 'medium' } }],
    [
      { text: { format: { type: 'json_schema', name: 'a', schema: SCHEMA, strict: true } } },
      { responseFormat: 'json', outputSchema: { name: 'a', description: null, strict: true, schema: jsonDocument(SCHEMA) } },
      { text: { format: { type: 'json_schema', name: 'a', schema: SCHEMA, strict: true }, verbosity: 'medium' } },
    ],
    [{ text: { format: { type: 'json_schema', schema: 7 } } }, { responseFormat: 'json', outputSchema: null }, { text: { format: { type: 'json_object' }, verbosity: 'medium' } }],
    [{ metadata: { a: 'b', ['__proto__']: 'c' } }, {}, { metadata: { a: 'b', ['__proto__']: 'c' } }],
    [{ prompt_cache_key: 'key' }, { attribution: null }, { prompt_cache_key: 'key' }],
    [{ user: 'user-1' }, { attribution: 'user-1' }, {}],
    [{ user: 'user-1', safety_identifier: 'a\0' }, { attribution: 'a\uFFFD' }, {}],
    [{ conversation: null, prompt: null, background: null, previous_response_id: null, instructions: null, service_tier: null }, {}, {}],
    [{ conversation: false, prompt: false, background: false, service_tier: 'priority', truncation: 'auto', include: ['x'] }, {}, {}],
    [{ client_metadata: { a: {} }, stream_options: 7, max_tool_calls: -1, top_logprobs: 'x', messages: [{}], toString: 1 }, {}, {}],
  ])('with %j is decoded, and its parameters are repeated in the response', (said, asked, repeated) => {
    const { generation, echo } = decode(aResponsesRequest(said));
    expect(generation).toMatchObject(asked);
    expect(JSON.parse(JSON.stringify(echo.parameters))).toEqual({ ...DEFAULTS, ...repeated });
  });

  it('has the settings named that no upstream is sent, and the tools that only a vendor runs', () => {
    const text = { verbosity: 'low' };
    expect(decode(aResponsesRequest({ text })).generation.omitted).toEqual(['text.verbosity']);
    expect(decode(aResponsesRequest({ text, tools: [{ type: 'web_search' }] })).generation.omitted).toEqual(['tools', 'text.verbosity']);
    expect(decode(aResponsesRequest({ text: {} })).generation).not.toHaveProperty('omitted');
  });

  it.each<readonly [string, JsonObject]>([
    ['schema', { name: 'a', schema: { description: 'x'.repeat(17_000) } }], ['name', { name: 'x'.repeat(17_000), schema: SCHEMA }],
    ['description', { name: 'a', description: 'x'.repeat(17_000), schema: SCHEMA }],
  ])('with a long %s of its output format enforces the format without repeating it in each event', (_what, fields) => {
    const { generation, echo } = decode(aResponsesRequest({ text: { format: { type: 'json_schema', ...fields } } }));
    expect(generation.outputSchema?.schema).toEqual(jsonDocument(fields['schema'] as JsonObject));
    expect(echo.parameters['text']).toEqual({ format: { type: 'json_schema', name: 'response', schema: {}, strict: null }, verbosity: 'medium' });
  });

  it.each<readonly [JsonObject['reasoning'], boolean]>([
    [null, true], [{}, true], [{ effort: 'high' }, true], [{ summary: 'auto' }, true], [{ summary: null }, false], [{ effort: 'none' }, false],
    [{ effort: 'none', summary: 'auto' }, false],
  ])('with the parameter %j for reasoning has its reasoning shown: %p', (reasoning, isShown) => {
    expect(decode(aResponsesRequest({ reasoning })).echo.showsReasoning).toBe(isShown);
  });

  it.each<readonly [JsonObject, boolean]>([[{}, true], [{ store: null }, true], [{ store: true }, true], [{ store: false }, false]])(
    'with %j has its items stored: %p', (said, isKept) => {
      expect(decode(aResponsesRequest(said)).echo.inputItems !== null).toBe(isKept);
    },
  );

  it('that is too large to store is decoded, and not stored', () => {
    const { generation, echo } = decode(aResponsesRequest({ input: 'x'.repeat(262_144) }));
    expect([generation.conversation.turns.length, echo.inputItems]).toEqual([1, null]);
    expect(decode(aResponsesRequest({ input: 'x'.repeat(262_000) })).echo.inputItems).not.toBeNull();
  });

  it('is answered by a stream if `stream` is true, and otherwise by a whole response', () => {
    expect([{ stream: true }, { stream: false }, { stream: null }].map((said) => decode(aResponsesRequest(said)).delivery)).toEqual(['stream', 'whole', 'whole']);
  });

  it('is decoded without its sealed reasoning if the account or the secret is missing', () => {
    const request = aResponsesRequest({ input: [{ type: 'reasoning', summary: [], encrypted_content: PLAIN_SEAL.seal(ALICE, '{"model":"m","text":"a"}') }, { role: 'assistant', content: 'b' }] });
    expect(decodeRequest(request, { source: null, seal: PLAIN_SEAL }).generation.conversation.turns[0]?.content).toEqual([{ type: 'text', text: 'b' }]);
    expect(decodeRequest(request, { source: null, terms: { limits: DEFAULT_REQUEST_LIMITS, accountId: ALICE, stored: new Map(), exceedsStored: false, keepsReplies: true }, seal: null }).generation.conversation.turns[0]?.content).toHaveLength(1);
  });

  it.each<readonly [JsonObject, string]>([
    [{ conversation: 'conv_1' }, 'conversation'], [{ conversation: {} }, 'conversation'], [{ prompt: { id: 'p' } }, 'prompt'], [{ background: true }, 'background'],
    [{ background: 'no' }, 'background'], [{ previous_response_id: '' }, 'previous_response_id'],
    [{ model: '' }, 'model'], [{ max_output_tokens: 0 }, 'max_output_tokens'], [{ temperature: 2.1 }, 'temperature'], [{ top_p: 0 }, 'top_p'],
    [{ text: { format: {} } }, 'text.format.type'], [{ text: { format: { type: 'grammar' } } }, 'text.format.type'], [{ text: { verbosity: 7 } }, 'text.verbosity'],
    [{ metadata: { a: 7 } }, 'metadata.a'], [{ metadata: { a: null } }, 'metadata.a'], [{ metadata: { a: 'x'.repeat(513) } }, 'metadata.a'],
    [{ metadata: { ['k'.repeat(65)]: 'x' } }, 'metadata'], [{ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [index, 'x'])) }, 'metadata'],
    [{ prompt_cache_key: 'x'.repeat(1_025) }, 'prompt_cache_key'], [{ user: 'x'.repeat(257) }, 'user'], [{ safety_identifier: 'x'.repeat(257) }, 'safety_identifier'],
    [{ instructions: 'x'.repeat(1_000_001) }, 'instructions'],
  ])('with %j is refused, and the refusal names %s', (said, param) => {
    const refusal = refusalOf(() => decode(aResponsesRequest(said)));
    expect(refusal).toMatchObject({ code: 'invalid_request', param });
    expect(refusal?.message).toContain(`'${param}'`);
  });

  it('may have 16 pairs of metadata, with keys of 64 and values of 512 characters', () => {
    const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`${index}`.padEnd(64, '\u{1F600}'.slice(0, 1)), 'x'.repeat(512)]));
    expect(refusalOf(() => decode(aResponsesRequest({ metadata })))).toBeNull();
  });

  it.each([[undefined], [null], ['text'], [7], [[]]])('is refused when its body is %p', (body) => {
    expect(refusalOf(() => decode(body))).toMatchObject({ code: 'invalid_request', param: null });
  });
});

describe('a request to count tokens', () => {
  it('is a responses request, including stored items', () => {
    const stored = new Map([['resp_a', aStoredResponse('resp_a')]]);
    const terms = { source: null, terms: { limits: DEFAULT_REQUEST_LIMITS, accountId: ALICE, stored, exceedsStored: false, keepsReplies: true }, seal: PLAIN_SEAL };
    const request = aResponsesRequest({ previous_response_id: 'resp_a', tools: [LOOK] });
    expect(decodeTokenCount(request, terms)).toEqual(decodeRequest(request, terms).generation);
    expect(refusalOf(() => decodeTokenCount({ model: 'm' }, terms))?.param).toBe('input');
  });

  it('is answered with the count', () => {
    expect(encodeTokenCount(17 as never)).toStrictEqual({ object: 'response.input_tokens', input_tokens: 17 });
  });
});

describe('the error of an exceeded context, in the responses format,', () => {
  it('names the field that is too long', () => {
    const prompt = { kind: 'prompt', promptTokens: 20, maximumTokens: 10 } as const;
    expect(describeOverflow({ ...prompt, bound: 'plan' }, 'max_output_tokens')).toEqual({
      param: 'input', message: "Your plan's maximum context length is 10 tokens, but 'input' has 20 tokens. Shorten it.",
    });
    expect(describeOverflow({ ...prompt, bound: 'model' }, 'max_output_tokens').message).toContain('maximum context length is 10 tokens');
    expect(describeOverflow({ kind: 'reply', promptTokens: 8, outputTokens: 4, windowTokens: 10 }, 'max_output_tokens')).toEqual({
      param: 'input',
      message: "This model's maximum context length is 10 tokens, but the request needs 12: 8 in 'input' and 4 for the reply. Shorten the input or request a shorter reply with 'max_output_tokens'.",
    });
    expect(describeOverflow({ kind: 'output', promptTokens: 8, outputTokens: 4, windowTokens: 10 }, 'max_output_tokens')).toEqual({
      param: 'max_output_tokens',
      message: "This model's maximum context length is 10 tokens, but the request needs 12: 8 in 'input' and 4 in 'max_output_tokens'. Shorten the input or lower 'max_output_tokens'.",
    });
  });
});

describe('a request of a coding agent', () => {
  it('is decoded completely', () => {
    const { generation, delivery, echo } = decode({
      model: 'gpt-5.5',
      instructions: null,
      input: [
        { type: 'additional_tools', role: 'developer', tools: [{ type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec', format: { type: 'grammar', syntax: 'lark', definition: 'x' } }] }] },
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'You are an agent.' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List the files.' }] },
        { type: 'reasoning', id: 'rs_a_0', summary: [], content: null, encrypted_content: PLAIN_SEAL.seal(ALICE, '{"model":"m","text":"Hm","signature":"s"}') },
        { type: 'custom_tool_call', id: 'ctc_a_1', status: 'completed', call_id: 'call_1', name: 'exec', namespace: 'functions', input: 'ls()' },
        { type: 'custom_tool_call_output', call_id: 'call_1', output: [{ type: 'input_text', text: 'a.txt' }, { type: 'input_text', text: 'b.txt' }] },
      ],
      tools: [],
      tool_choice: 'auto',
      parallel_tool_calls: false,
      reasoning: { effort: 'medium', context: 'all_turns' },
      store: false,
      stream: true,
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'session',
      text: { verbosity: 'low' },
      client_metadata: { 'x-codex-installation-id': 'x' },
    });
    expect([delivery, echo.inputItems, [...echo.declarations.keys()]]).toEqual(['stream', null, ['exec']]);
    expect(generation).toMatchObject({ tools: [{ name: 'exec' }], toolChoice: { kind: 'auto' }, parallelToolCalls: false, reasoning: 'high' });
    expect(generation.conversation).toEqual({
      system: [{ type: 'text', text: 'You are an agent.' }],
      turns: [
        { role: 'user', content: [{ type: 'text', text: 'List the files.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', text: 'Hm', signature: 's', signedBy: 'm' },
            { type: 'tool-call', id: 'call_1', name: 'exec', argumentsJson: '{"input":"ls()"}' },
          ],
        },
        { role: 'user', content: [{ type: 'tool-result', toolCallId: 'call_1', content: [{ type: 'text', text: 'a.txt' }, { type: 'text', text: 'b.txt' }], isError: false }] },
      ],
    });
  });

  it('that compacts the history may have calls without declaring their tools', () => {
    const request = aResponsesRequest({
      input: [
        { role: 'user', content: 'Hi' }, { type: 'function_call', call_id: '1', name: 'look', arguments: '{}' }, { type: 'function_call_output', call_id: '1', output: 'x' },
        { role: 'user', content: 'You are performing a CONTEXT CHECKPOINT COMPACTION' },
      ],
      tool_choice: 'auto',
    });
    expect(decode(request).generation).toMatchObject({ tools: [], toolChoice: null });
    expect(decode(request).generation.conversation.turns).toHaveLength(4);
  });
});

const ITEM_TYPES = [
  'message', 'reasoning', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output', 'tool_search_call', 'tool_search_output',
  'additional_tools', 'item_reference', 'compaction', 'web_search_call', 'input_text', 'input_image', 'function', 'custom', 'namespace', 'tool_search', 'grammar', 'allowed_tools',
];
const NAMES = [
  'type', 'role', 'content', 'text', 'id', 'call_id', 'name', 'namespace', 'arguments', 'input', 'output', 'tools', 'summary', 'encrypted_content', 'format', 'parameters',
  'model', 'instructions', 'tool_choice', 'reasoning', 'effort', 'metadata', 'store', 'previous_response_id', 'mode', 'image_url', 'schema', '__proto__', 'toString',
];
const WORDS = [...ITEM_TYPES, 'user', 'assistant', 'developer', 'resp_a', 'msg_a_1', 'rs_a_0', 'rs_b_0', 'call_1', 'client', 'auto', 'json_schema', `${ALICE}|{"model":"m","text":"a"}`, `${ALICE}|{`];

/** Random values of the format's words, which reach deep code paths. */
const { value: nearlySound } = fc.letrec<{ value: unknown; object: JsonObject }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.constantFrom(...WORDS), fc.jsonValue({ maxDepth: 1 }), fc.array(tie('value'), { maxLength: 4 }), tie('object')),
  object: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 6 }) as fc.Arbitrary<JsonObject>,
}));
const SOUND_ITEMS: readonly JsonObject[] = [
  { role: 'user', content: 'Hi' }, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] }, { role: 'developer', content: 'a' },
  { type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }], encrypted_content: 'x' }, { type: 'function_call', call_id: '1', name: 'look', arguments: '{}' },
  { type: 'function_call_output', call_id: '1', output: 'a' }, { type: 'custom_tool_call', call_id: '2', name: 'exec', input: 'a' },
  { type: 'custom_tool_call_output', call_id: '2', output: [{ type: 'input_text', text: 'a' }] }, { type: 'tool_search_call', call_id: '3', arguments: {} },
  { type: 'tool_search_output', call_id: '3', tools: [LOOK] }, { type: 'additional_tools', tools: [LOOK] }, { type: 'item_reference', id: 'msg_a_1' },
];
const alteration = fc.option(fc.dictionary(fc.constantFrom(...NAMES), nearlySound, { maxKeys: 2 }), { nil: {}, freq: 3 });
const someItem = fc.tuple(fc.constantFrom(...SOUND_ITEMS), alteration).map(([sound, altered]) => ({ ...sound, ...altered }));
const someRequest = fc.tuple(fc.array(someItem, { maxLength: 5 }), alteration)
  .map(([input, altered]) => ({ model: 'test-model', input: [...SOUND_ITEMS.slice(0, 5), ...input], ...altered }));

it('any JSON is either accepted, or refused with an error of the format', () => {
  const outcomes = new Set<string>();
  fc.assert(fc.property(fc.oneof({ weight: 1, arbitrary: fc.jsonValue() }, { weight: 9, arbitrary: someRequest }), (body) => {
    referencesIn(body);
    outcomes.add(refusalOf(() => decode(body, aStoredResponse('resp_a')))?.code ?? 'served');
  }), { numRuns: 2_000 });
  expect([...outcomes].toSorted()).toEqual(['invalid_request', 'not_found', 'served']);
});

describe('the work of a decoder', () => {
  /** Counts the property reads of decoding a request. */
  function readsOf(request: JsonObject): number {
    let reads = 0;
    const watched = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      const members = Object.entries(value).map(([name, member]) => [name, watched(member)] as const);
      const copy = Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
      return new Proxy(copy, {
        get(target, name, receiver) {
          reads += 1;
          return Reflect.get(target, name, receiver) as unknown;
        },
      });
    };
    const body = watched(request);
    referencesIn(body);
    decode(body);
    return reads;
  }

  it.each<readonly [string, (size: number) => JsonObject]>([
    ['messages', (size) => ({ input: Array.from({ length: size }, () => ({ role: 'user', content: [{ type: 'input_text', text: 'a' }] })) })],
    ['calls in one turn', (size) => ({
      input: [
        ...Array.from({ length: size }, (_, index) => ({ type: 'function_call', call_id: `${index}`, name: 'a' })),
        ...Array.from({ length: size }, (_, index) => ({ type: 'function_call_output', call_id: `${size - 1 - index}`, output: 'a' })),
      ],
    })],
    ['reasoning in one turn', (size) => ({
      input: [...Array.from({ length: size }, () => ({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }] })), { role: 'assistant', content: 'a' }],
    })],
    ['lists of tools', (size) => ({
      input: ['Hi', ...Array.from({ length: size }, () => null)].map((content, index) =>
        (content === null ? { type: 'additional_tools', tools: [{ type: 'custom', name: `a${index % 100}` }] } : { role: 'user', content })),
    })],
    ['parts', (size) => ({ input: [{ role: 'user', content: Array.from({ length: size }, () => ({ type: 'input_text', text: 'a' })) }] })],
    ['references', (size) => ({ input: [{ role: 'user', content: 'Hi' }, ...Array.from({ length: size }, (_, index) => ({ type: 'item_reference', id: `rs_${index}_0` }))] })],
    ['tools that are allowed', (size) => ({
      tools: Array.from({ length: 100 }, (_, index) => ({ type: 'function', name: `a${index}` })),
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: Array.from({ length: size }, (_, index) => ({ type: 'function', name: `a${index % 100}` })) },
    })],
  ])('grows in proportion to the number of %s', (_, said) => {
    const [none, some, many] = [0, 450, 900].map((size) => readsOf(aResponsesRequest({ ...said(Math.max(size, 1)) }))) as [number, number, number];
    expect(some - none).toBeGreaterThan(400);
    expect((many - none) / (some - none)).toBeLessThan(2.1);
  });
});

fieldTypesContract('responses', { format: { decodeRequest: (body) => decodeRequest(body, { source: null, seal: null }) }, fields: RESPONSES_FIELDS, full: FULL_RESPONSES_REQUEST });
