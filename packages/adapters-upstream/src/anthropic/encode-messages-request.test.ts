import { DEFAULT_ANTHROPIC_OPTIONS } from './anthropic-provider.js';
import { divideStopSequences, encodeMessagesRequest } from './encode-messages-request.js';
import { describe, expect, it } from '@jest/globals';
import { type GenerationRequest, type JsonObject, tokenCount, type Turn, type AnthropicOptions } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import { textOfPieces } from '@tollgate/testkit';
import { aCall, type CallChanges, says, turns } from '../test-support/calls.js';
import { assistant, call, image, otherCall, result, system, text, user } from '../test-support/turns.js';

function encodeText(changes: CallChanges, options: Partial<AnthropicOptions> = {}): string {
  const made = aCall(changes);
  return textOfPieces(encodeMessagesRequest(made, made.request.reasoning, { ...DEFAULT_ANTHROPIC_OPTIONS, ...options }));
}

function encode(changes: CallChanges, options: Partial<AnthropicOptions> = {}): JsonObject {
  return JSON.parse(encodeText(changes, options)) as JsonObject;
}

const imageBlock = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const signed = { type: 'thinking', text: 'Hm.', signature: 'theirs' } as const;
const unsigned = { ...signed, signature: null };
const toolUse = { type: 'tool_use', id: 'c1', name: 'look', input: { a: 1 } };
const seen = { type: 'tool_result', tool_use_id: 'c1', content: [text('seen')] };
const asked = (...content: readonly JsonObject[]) => ({ role: 'user', content });
const answered = (...content: readonly JsonObject[]) => ({ role: 'assistant', content });
const silent = asked(text('(nothing was said)'));
const reasoner = { reasoning: true };

const asSchema = {
  responseFormat: 'json', outputSchema: { name: 'answer', description: null, strict: true, schema: jsonDocument({ type: 'object' }) },
} as const;

describe('encodeMessagesRequest', () => {
  it('omits everything that the client did not set', () => {
    expect(encode({ delivery: 'whole' })).toEqual({
      model: 'scripted-model', messages: [asked(text('Hello'))], max_tokens: 1_000, stream: false,
    });
  });

  it.each<[string, CallChanges, Partial<AnthropicOptions>, JsonObject]>([
    ['a stream', {}, {}, { stream: true }],
    ['sampling', { request: { sampling: { temperature: 0.5, topP: null, frequencyPenalty: null, presencePenalty: null } } }, {}, { temperature: 0.5 }],
    ['top_p', { request: { sampling: { temperature: null, topP: 0.9, frequencyPenalty: null, presencePenalty: null } } }, {}, { top_p: 0.9 }],
    ['a temperature above the format’s maximum as the maximum', { request: { sampling: { temperature: 1.7, topP: null, frequencyPenalty: 1, presencePenalty: 1 } } }, {}, { temperature: 1 }],
    ['stop sequences, in order', { request: { stopSequences: ['b', 'a', 'c'] } }, { stopSequenceLimit: 2 }, { stop_sequences: ['b', 'a'] }],
    ['a schema to a server that enforces none as an instruction', { request: asSchema }, {}, { system: expect.stringMatching(/single JSON object/) as unknown as string }],
    ['a schema to a server that enforces it', { request: asSchema }, { jsonSchema: 'schema' }, { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } }],
    ['a schema together with an effort', { request: { ...asSchema, reasoning: 'low' }, model: { reasoning: true } }, { jsonSchema: 'schema', reasoningStyle: 'adaptive' },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low', format: { type: 'json_schema', schema: { type: 'object' } } } }],
    ['an operator\'s own fields, unless the gateway writes them', { request: { stopSequences: ['a'] } }, { extraBody: { service_tier: 'auto', stop_sequences: ['b'] } },
      { service_tier: 'auto', stop_sequences: ['a'] }],
    ['JSON mode as an instruction', { request: { responseFormat: 'json' } }, {}, { system: 'Answer with a single JSON object and nothing else: no text around it and no code fence.' }],
    ['attribution if that is configured', { request: { attribution: 'u1' } }, { attribution: 'sent' }, { metadata: { user_id: 'u1' } }],
    ['attribution that is too long in a shortened form', { request: { attribution: 'u'.repeat(300) } }, { attribution: 'sent' }, { metadata: { user_id: expect.stringMatching(/^u{239}_[0-9a-f]{16}$/) as unknown as string } }],
  ])('sends %s', (_name, ...[changes, options, part]) => {
    expect(encode(changes, options)).toEqual({ ...encode({}), ...part });
  });

  it("does not forward the client's user name unless configured", () => {
    expect(encode({ request: { attribution: 'u1' } })).not.toHaveProperty('metadata');
  });

  it('forwards as many stop sequences as the server accepts, and leaves the others to the gateway', () => {
    expect(divideStopSequences(['\n\n', 'a', 'b', 'c'], 2)).toEqual({ upstream: ['a', 'b'], local: ['\n\n', 'c'] });
    expect(encode({ request: { stopSequences: ['\n'] } })).not.toHaveProperty('stop_sequences');
  });

  it('sends the instructions as one text', () => {
    const conversation = { system: [text('Be kind.'), text('Be brief.')], turns: [says('a')] };
    expect(encode({ request: { conversation } })['system']).toBe('Be kind.\n\nBe brief.');
    expect(encode({ request: { conversation, responseFormat: 'json' } })['system']).toMatch(/^Be kind\.\n\nBe brief\.\n\nAnswer with a single JSON object/);
  });

  describe('tools', () => {
    const schema = { properties: { z: { type: 'number' }, a: {} } };
    const tools = [
      { name: 'look', description: 'Looks', inputSchema: jsonDocument({ type: 'object', ...schema }) },
      { name: 'untyped', description: null, inputSchema: jsonDocument(schema) },
      { name: 'bare', description: null, inputSchema: null },
    ];

    it('keep their schemas, and get an empty schema if they have none', () => {
      expect(encode({ request: { tools } })['tools']).toEqual([
        { name: 'look', description: 'Looks', input_schema: { type: 'object', ...schema } },
        { name: 'untyped', input_schema: { type: 'object', ...schema } },
        { name: 'bare', input_schema: { type: 'object' } },
      ]);
    });

    it('keep the notation of numbers and the order of keys in schemas and arguments', () => {
      const written = '{ "2": 1.0, "1": 12345678901234567890, "é": "\\ud83d" }';
      const body = encodeText({ request: {
        tools: [{ name: 'f', description: null, inputSchema: { value: { type: 'object' }, text: written } }],
        ...turns(says('a'), assistant({ ...call, argumentsJson: written }), user(result)),
      } });
      expect(body).toContain(`"input_schema":${written}}`);
      expect(body).toContain(`"input":${written}}`);
    });

    it.each<[GenerationRequest['toolChoice'], boolean | null, unknown]>([
      [null, null, undefined],
      [null, true, undefined],
      [null, false, { type: 'auto', disable_parallel_tool_use: true }],
      [{ kind: 'auto' }, null, { type: 'auto' }],
      [{ kind: 'any' }, false, { type: 'any', disable_parallel_tool_use: true }],
      [{ kind: 'none' }, false, { type: 'none' }],
      [{ kind: 'tool', name: 'look' }, false, { type: 'tool', name: 'look', disable_parallel_tool_use: true }],
    ])('with choice %j and parallel calls %j are sent with the choice %j', (toolChoice, parallelToolCalls, encoded) => {
      expect(encode({ request: { tools, toolChoice, parallelToolCalls } })['tool_choice']).toEqual(encoded);
    });

    it('are required for a tool choice, which is omitted without them', () => {
      expect(encode({ request: { parallelToolCalls: false } })).not.toHaveProperty('tool_choice');
    });
  });

  describe('thinking', () => {
    const thinkingOf = (changes: CallChanges, options: Partial<AnthropicOptions> = {}) => {
      const { thinking, output_config } = encode({ maxOutputTokens: tokenCount(100_000), model: reasoner, ...changes }, options);
      return { thinking, output_config };
    };
    const enabled = (budget: number) => ({ thinking: { type: 'enabled', budget_tokens: budget } });
    const disabled = { thinking: { type: 'disabled' } };

    it.each<[GenerationRequest['reasoning'], JsonObject, JsonObject]>([
      ['model-default', {}, {}],
      ['off', disabled, disabled],
      ['on', enabled(8_192), { thinking: { type: 'adaptive' } }],
      ['low', enabled(2_048), { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
      ['high', enabled(16_384), { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
      ['max', enabled(32_768), { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }],
    ])('with the setting %s is sent as %j in the budget style and as %j in the adaptive style', (reasoning, ...[byBudget, adaptive]) => {
      expect(thinkingOf({ request: { reasoning } })).toEqual(byBudget);
      expect(thinkingOf({ request: { reasoning } }, { reasoningStyle: 'adaptive' })).toEqual(adaptive);
      expect(thinkingOf({ request: { reasoning } }, { reasoningStyle: 'off-only' })).toEqual(reasoning === 'off' ? disabled : {});
      expect(thinkingOf({ request: { reasoning } }, { reasoningStyle: 'none' })).toEqual({});
      expect(thinkingOf({ request: { reasoning }, model: {} })).toEqual({});
    });

    it.each([[10_000, enabled(7_500)], [1_366, enabled(1_024)], [1_365, disabled], [1, disabled]])('leaves at least a quarter of %d output tokens to the answer', (maximum, expected) => {
      expect(thinkingOf({ maxOutputTokens: tokenCount(maximum), request: { reasoning: 'max' } })).toEqual(expected);
    });

    const tools = [{ name: 'look', description: null, inputSchema: null }];
    it.each<[string, Partial<GenerationRequest>, JsonObject]>([
      ['is off when a tool call is demanded', { tools, toolChoice: { kind: 'any' } }, disabled],
      ['is on when a tool may be called', { tools, toolChoice: { kind: 'auto' } }, enabled(2_048)],
      ['is off while the model answers results of a call whose thinking is lost', { tools, ...turns(says('a'), assistant(unsigned, call), user(result)) }, disabled],
      ['is on while the model answers results of a call whose thinking is present', { tools, ...turns(says('a'), assistant(signed, call), user(result)) }, enabled(2_048)],
      ['is on again after the model has answered the results', { tools, ...turns(says('a'), assistant(call), user(result), assistant(text('b')), says('c')) }, enabled(2_048)],
    ])('%s', (_name, ...[request, expected]) => {
      expect(thinkingOf({ request: { reasoning: 'low', ...request } })).toEqual(expected);
    });

    it('that the request does not enable permits a temperature, which is sent instead of top_p', () => {
      const sampling = { temperature: 0.5, topP: 0.9, frequencyPenalty: null, presencePenalty: null };
      for (const reasoning of ['model-default', 'off'] as const) {
        const body = encode({ model: reasoner, request: { reasoning, sampling } });
        expect(body).toMatchObject({ temperature: 0.5 });
        expect(body).not.toHaveProperty('top_p');
      }
    });

    it('that the request enables excludes a temperature and a top_p below 0.95, which servers refuse with it', () => {
      const sampling = { temperature: 0.5, topP: 0.9, frequencyPenalty: null, presencePenalty: null };
      const changes = { model: reasoner, maxOutputTokens: tokenCount(100_000), request: { reasoning: 'on', sampling } } as const;
      expect(encode(changes)).not.toHaveProperty('temperature');
      expect(encode(changes)).not.toHaveProperty('top_p');
      expect(encode({ ...changes, request: { reasoning: 'on', sampling: { ...sampling, topP: 0.95 } } })).toHaveProperty('top_p', 0.95);
    });
  });

  describe('messages', () => {
    const messagesOf = (given: readonly Turn[], changes: CallChanges = {}, options: Partial<AnthropicOptions> = {}) =>
      encode({ ...changes, request: turns(...given) }, options)['messages'];

    it.each<[string, readonly Turn[], readonly JsonObject[]]>([
      ['keep text beside a call', [says('a'), assistant(text('Let me look.'), call), user(result)], [asked(text('a')), answered(text('Let me look.'), toolUse), asked(seen)]],
      ['have text before calls', [says('a'), assistant(call, text('b')), user(result)], [asked(text('a')), answered(text('b'), toolUse), asked(seen)]],
      ['begin with results in the client’s order, whatever the client wrote before them',
        [says('a'), assistant(call, otherCall), user(text('Both:'), { ...result, toolCallId: 'c2' }, result)],
        [asked(text('a')), answered(toolUse, { ...toolUse, id: 'c2' }), asked({ ...seen, tool_use_id: 'c2' }, seen, text('Both:'))]],
      ['have results and the user turn after them as one turn', [says('a'), assistant(call), user(result), says('b')], [asked(text('a')), answered(toolUse), asked(seen, text('b'))]],
      ['mark a result that is an error', [says('a'), assistant(call), user({ ...result, isError: true })], [asked(text('a')), answered(toolUse), asked({ ...seen, is_error: true })]],
      ['state in a word that a result without text is an error', [says('a'), assistant(call), user({ ...result, content: [], isError: true })],
        [asked(text('a')), answered(toolUse), asked({ ...seen, content: [text('Error')], is_error: true })]],
      ['include an empty result', [says('a'), assistant(call), user({ ...result, content: [text('')] })], [asked(text('a')), answered(toolUse), asked({ type: 'tool_result', tool_use_id: 'c1' })]],
      ['keep the images of a result in the result', [says('a'), assistant(call), user({ ...result, content: [text('seen'), image] })],
        [asked(text('a')), answered(toolUse), asked({ ...seen, content: [text('seen'), imageBlock] })]],
      ['have an instruction in the middle as part of the user turn beside it', [says('a'), system('Be brief.'), assistant(text('b')), says('c')],
        [asked(text('a'), text('Be brief.')), answered(text('b')), asked(text('c'))]],
      ['have no instruction between a call and its results', [says('a'), assistant(call), system('Be brief.'), user(result, text('b'))],
        [asked(text('a')), answered(toolUse), asked(seen, text('Be brief.'), text('b'))]],
      ['omit an empty instruction', [says('a'), assistant(text('b')), system(' '), assistant(text('c'))], [asked(text('a')), answered(text('b'), text('c'))]],
      ['merge consecutive turns of one role', [says('a'), says('b'), assistant(text('c')), assistant(call), user(result)],
        [asked(text('a'), text('b')), answered(text('c'), toolUse), asked(seen)]],
      ['omit texts of white space only', [user(text('\n'), text('a'), text('')), assistant(text(' '), call), user(result)], [asked(text('a')), answered(toolUse), asked(seen)]],
      ['omit an empty turn of the model, and merge the turns around it', [says('a'), assistant(), assistant(signed), assistant(text('')), says('b')], [asked(text('a'), text('b'))]],
      ['keep an empty user turn', [says('a'), assistant(text('b')), user()], [asked(text('a')), answered(text('b')), silent]],
      ['begin with an empty user turn if the model began the conversation', [assistant(text('Hello!')), says('a')], [silent, answered(text('Hello!')), asked(text('a'))]],
      ['have one user turn for a conversation of instructions only', [system('Be brief.')], [asked(text('Be brief.'))]],
      ['keep the order of text and images', [user(text('a'), image, text('b'))], [asked(text('a'), imageBlock, text('b'))]],
      ['state that an image was omitted because servers refuse its type', [user(text('a'), { type: 'image', source: { kind: 'base64', mediaType: 'image/svg+xml', data: 'AAAA' } })],
        [asked(text('a'), text('[An image was left out here, because this model cannot read its type.]'))]],
      ['forward the URL of an image', [user({ type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } })],
        [asked({ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } })]],
      ['have an empty object for empty arguments', [says('a'), assistant({ ...call, argumentsJson: ' ' }), user(result)], [asked(text('a')), answered({ ...toolUse, input: {} }), asked(seen)]],
      ['have arguments that are not an object as text in an object', [says('a'), assistant({ ...call, argumentsJson: '[1' }), user(result)],
        [asked(text('a')), answered({ ...toolUse, input: { _raw: '[1' } }), asked(seen)]],
      ['have ids of other vendors in the characters of the format, the same in call and result',
        [says('a'), assistant({ ...call, id: 'functions.look:0' }), user({ ...result, toolCallId: 'functions.look:0' })],
        [asked(text('a')), answered({ ...toolUse, id: 'functions_2elook_3a0' }), asked({ ...seen, tool_use_id: 'functions_2elook_3a0' })]],
      ['number an id that a later turn uses again, in the call and in its result',
        [says('a'), assistant({ ...call, id: 'call.0' }), user({ ...result, toolCallId: 'call.0' }), assistant({ ...call, id: 'call.0' }), user({ ...result, toolCallId: 'call.0' }), assistant({ ...call, id: 'call_2e0_2' }), user({ ...result, toolCallId: 'call_2e0_2' })],
        [asked(text('a')), ...['call_2e0', 'call_2e0_2', 'call_2e0_2_2'].flatMap((id) => [answered({ ...toolUse, id }), asked({ ...seen, tool_use_id: id })])]],
    ])('%s', (_name, given, messages) => {
      expect(messagesOf(given)).toEqual(messages);
    });

    const thinkingBlock = { type: 'thinking', thinking: 'Hm.', signature: 'theirs' };
    const redacted = { type: 'thinking', text: '', signature: 'data', form: 'redacted-thinking' } as const;
    const redactedBlock = { type: 'redacted_thinking', data: 'data' };
    const encrypted = { ...signed, form: 'encrypted-reasoning' } as const;
    it.each<[string, readonly Turn[], readonly JsonObject[]]>([
      ['between its texts and calls', [assistant(signed, text('b'), redacted, call)], [thinkingBlock, text('b'), redactedBlock, toolUse]],
      ['in turns that are merged', [assistant(signed, text('b')), assistant(redacted, call)], [thinkingBlock, text('b'), redactedBlock, toolUse]],
      ['after a text in turns that are merged', [assistant(text('b')), assistant(signed, call)], [text('b'), thinkingBlock, toolUse]],
      ['without a text between a call and its results', [assistant(signed, call), assistant(text('b'))], [thinkingBlock, text('b'), toolUse]],
      ['without a text between calls and their results', [assistant(signed, text('b'), call), assistant(redacted, text('c'))], [thinkingBlock, text('b'), redactedBlock, text('c'), toolUse]],
      ['between calls', [assistant(signed, call, redacted, otherCall)], [thinkingBlock, toolUse, redactedBlock, { ...toolUse, id: 'c2' }]],
      ['without reasoning that another kind of server encrypted', [assistant(signed, encrypted, call)], [thinkingBlock, toolUse]],
    ])('of a reasoning model keep the order of thinking %s', (_name, given, blocks) => {
      expect(messagesOf([says('a'), ...given, user(result)], { model: reasoner })).toEqual([asked(text('a')), answered(...blocks), asked(seen)]);
    });

    it.each<[string, readonly Turn[], readonly JsonObject[]]>([
      ['in the middle', [assistant(signed, text('b'), redacted), says('c')], [answered(thinkingBlock, redactedBlock, text('b')), asked(text('c'))]],
      ['in turns that are merged', [assistant(signed, text('b')), assistant(text('c'), redacted, text(' ')), says('d')], [answered(thinkingBlock, text('b'), redactedBlock, text('c')), asked(text('d'))]],
      ['at the end, where the text ends in white space', [assistant(signed, text('b \n'), redacted)], [answered(thinkingBlock, redactedBlock, text('b'))]],
    ])('of a reasoning model do not end with thinking %s', (_name, given, messages) => {
      expect(messagesOf([says('a'), ...given], { model: reasoner })).toEqual([asked(text('a')), ...messages]);
    });

    it('lose trailing white space only if they end with a text of the model', () => {
      const given = [says('a '), assistant(text('b ')), says('c'), assistant(text('d '), text('e \n'), text(' '))];
      expect(messagesOf(given)).toEqual([asked(text('a ')), answered(text('b ')), asked(text('c')), answered(text('d '), text('e'))]);
    });

    it.each<[AnthropicOptions['reasoningReplay'], readonly JsonObject[]]>([
      ['signed', [thinkingBlock, text('b')]],
      ['sent', [thinkingBlock, { ...thinkingBlock, signature: '' }, text('b')]],
      ['omitted', [text('b')]],
    ])('of a reasoning model put the returned thinking before everything else (reasoning replay: %s)', (reasoningReplay, blocks) => {
      const given = [says('a'), assistant(text('b'), signed, unsigned)];
      expect(messagesOf(given, { model: reasoner }, { reasoningReplay })).toEqual([asked(text('a')), answered(...blocks)]);
      expect(messagesOf(given, {}, { reasoningReplay })).toEqual([asked(text('a')), answered(text('b'))]);
    });

    it.each<[string, readonly Turn[], readonly JsonObject[]]>([
      ['in their places', [says('a'), system('Be brief.'), says('b')], [asked(text('a')), { role: 'system', content: 'Be brief.' }, asked(text('b'))]],
      ['after the results of a call', [says('a'), assistant(call), system('Be brief.'), user(result), assistant(text('b'))],
        [asked(text('a')), answered(toolUse), asked(seen), { role: 'system', content: 'Be brief.' }, answered(text('b'))]],
      ['after a call that has no results', [says('a'), assistant(call), system('Be brief.')], [asked(text('a')), answered(toolUse), { role: 'system', content: 'Be brief.' }]],
      ['in their place before a user turn if a call has no results', [says('a'), assistant(call), system('Be brief.'), says('b')],
        [asked(text('a')), answered(toolUse), { role: 'system', content: 'Be brief.' }, asked(text('b'))]],
      ['in their place before a turn of the model if a call has no results', [says('a'), assistant(call), system('Be brief.'), assistant(text('b'))],
        [asked(text('a')), answered(toolUse), { role: 'system', content: 'Be brief.' }, answered(text('b'))]],
      ['after an empty user turn if no user turn precedes them', [system('Be brief.')], [silent, { role: 'system', content: 'Be brief.' }]],
    ])('keep instructions %s for servers that accept them', (_name, given, messages) => {
      expect(messagesOf(given, {}, { systemTurns: 'in-place' })).toEqual(messages);
    });
  });
});
