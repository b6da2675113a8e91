import { describe, expect, it, jest } from '@jest/globals';
import { DEFAULT_REQUEST_LIMITS, type JsonObject, type StoredResponse } from '@tollgate/core';
import { refusalOf } from '@tollgate/testkit';
import { decodeRequest } from './decode-request.js';
import { referencesIn, StoredItems } from './stored-items.js';
import { aResponsesRequest, ALICE, aStoredResponse, decode, decodeText, keptInputOf } from './test-support/builders.js';

const USER = { role: 'user', content: 'Hi' };
const reference = (id: string): JsonObject => ({ type: 'item_reference', id });
const request = (input: JsonObject['input'], fields: JsonObject = {}): JsonObject => aResponsesRequest({ input, ...fields });

/** The texts of a conversation with their roles, in order. */
function wordsOf(body: JsonObject, ...stored: readonly StoredResponse[]): readonly string[] {
  return decode(body, ...stored).generation.conversation.turns.flatMap(({ role, content }) =>
    content.map((block) => `${role}: ${block.type === 'text' || block.type === 'thinking' ? block.text : block.type}`));
}

describe('the references of a request', () => {
  it('include each response that the request continues or that its items refer to, once', () => {
    const input = [USER, reference('rs_a_0'), { id: 'msg_a_1' }, { type: null, id: 'fc_b_c_2' }, reference('msg_foreign'), { ...USER, id: 'msg_d_1' }, { type: 'message', id: 'msg_e_1' }];
    expect(referencesIn(request(input, { previous_response_id: 'resp_x' }))).toEqual({ previousId: 'resp_x', responseIds: ['resp_a', 'resp_b_c'] });
  });

  it.each([[null], [7], ['x'], [[]], [{}], [{ input: 'Hi', previous_response_id: '' }], [{ input: [null, 7, [], { type: 'item_reference' }, { id: 7 }], previous_response_id: {} }]])(
    'are empty for %j', (body) => {
      expect(referencesIn(body)).toEqual({ previousId: null, responseIds: [] });
    },
  );

  it('are limited to the number of responses that an account may have', () => {
    const input = Array.from({ length: 2_000 }, (_, index) => reference(`msg_a${index}_0`));
    expect(referencesIn(request(input)).responseIds).toHaveLength(500);
  });
});

describe('the items to store', () => {
  const QUESTION = `{ "role":"user", "content":"${'\\u0061 \\/'.repeat(200)}", "id":1.0 }`;
  const REFERENCE = '{"type":"item_reference","id":"msg_a_1"}';
  const stored = aStoredResponse('resp_a');
  const keptOf = (body: string): string | null => keptInputOf(decodeText(body, stored));

  it.each([
    ['as the first field', `{"input":[ ${QUESTION}],"model":"m"}`],
    ['after lists in other fields', `{"model":"m","tools":[],"metadata":{"input":"[]"},"include":["input"],"input":[ ${QUESTION}]}`],
    ['after the id of the response that it continues', `{"model":"m","previous_response_id":"resp_a","input":[ ${QUESTION}]}`],
  ])('are copied from the text of the request if it has the input %s', (_where, body) => {
    expect(keptOf(body)).toBe(`[ ${QUESTION}]`);
  });

  it.each([
    ['references', `{"model":"m","input":[${QUESTION},${REFERENCE}]}`, 2],
    ['a reference alone', `{"model":"m","input":[${REFERENCE}],"user":"${'u'.repeat(200)}","instructions":"${'i'.repeat(2_000)}"}`, 1],
    ['references to reasoning that is not stored', `{"model":"m","input":[${QUESTION},{"type":"item_reference","id":"rs_x_0"}]}`, 1],
    ['two lists, of which the last counts', `{"model":"m","input":[${QUESTION},${QUESTION}],"input":[${QUESTION}]}`, 1],
    ['a list under an escaped name', `{"model":"m","input":[${QUESTION},${QUESTION}],"\\u0069nput":[${QUESTION}]}`, 1],
    ['more white space than is stored', `{"model":"m","input":[${QUESTION}${' '.repeat(262_144)}]}`, 1],
  ])('are serialized, not copied, for a request with %s', (_what, body, count) => {
    const kept = keptOf(body) ?? '';
    const items = JSON.parse(kept) as readonly JsonObject[];
    expect([items.length, kept]).toEqual([count, JSON.stringify(items)]);
    expect(kept).not.toContain('item_reference');
  });
});

describe('a reference to an item', () => {
  it('is decoded as the stored item, and stored as that item', () => {
    const body = request([USER, reference('rs_a_0'), { id: 'msg_a_1' }, USER]);
    expect(wordsOf(body, aStoredResponse('resp_a'))).toEqual(['user: Hi', 'assistant: Thought a', 'assistant: Answer a', 'user: Hi']);
    const [, ...items] = JSON.parse(aStoredResponse('resp_a').outputItems) as readonly JsonObject[];
    expect(JSON.parse(keptInputOf(decode(body, aStoredResponse('resp_a'))) ?? '')).toEqual([
      USER, (JSON.parse(aStoredResponse('resp_a').outputItems) as readonly JsonObject[])[0], ...items, USER,
    ]);
  });

  it('may refer to a call', () => {
    const stored = aStoredResponse('resp_a', { outputItems: JSON.stringify([{ id: 'fc_a_0', type: 'function_call', call_id: '1', name: 'look', arguments: '{}' }]) });
    expect(wordsOf(request([reference('fc_a_0'), { type: 'function_call_output', call_id: '1', output: 'x' }]), stored)).toEqual(['assistant: tool-call', 'user: tool-result']);
  });

  it('is skipped if it refers to reasoning that was not stored', () => {
    const body = request([USER, reference('rs_a_0'), { id: 'rs_foreign' }, { role: 'assistant', content: 'Yes.' }]);
    expect(wordsOf(body)).toEqual(['user: Hi', 'assistant: Yes.']);
    expect(JSON.parse(keptInputOf(decode(body)) ?? '')).toEqual([USER, { role: 'assistant', content: 'Yes.' }]);
  });

  it.each([
    ['msg_b_1', 'of a response that is not kept'], ['msg_a_7', 'of an item that the response does not have'], ['msg_a', 'of another form'],
    ['fc_b_0', 'to a call that is not kept'], ['resp_a', 'of a response'],
  ])('is refused with advice if it is %s, %s', (id) => {
    const refusal = refusalOf(() => decode(request([USER, reference(id)]), aStoredResponse('resp_a')));
    expect(refusal).toMatchObject({ code: 'invalid_request', param: 'input[1]' });
    expect(refusal?.message).toContain("'store': false");
  });

  it.each<readonly [JsonObject, string]>([
    [{ type: 'item_reference' }, 'input[1].id'], [{ type: 'item_reference', id: 7 }, 'input[1].id'], [reference(''), 'input[1].id'],
  ])('%j is refused, and the refusal names %s', (item, param) => {
    expect(refusalOf(() => decode(request([USER, item])))).toMatchObject({ code: 'invalid_request', param });
  });

  it('is refused if it occurs twice in one request', () => {
    expect(refusalOf(() => decode(request([reference('msg_a_1'), USER, reference('msg_a_1')]), aStoredResponse('resp_a')))?.param).toBe('input[2]');
  });
});

describe('a request that continues a response', () => {
  const first = aStoredResponse('resp_a');
  const second = aStoredResponse('resp_b', { previousId: 'resp_a' });

  it('has all earlier items before its own, and stores only its own', () => {
    const decoded = decode(request('Hi', { previous_response_id: 'resp_b' }), first, second);
    const { generation, echo } = decoded;
    expect(generation.conversation.turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(wordsOf(request('Hi', { previous_response_id: 'resp_b' }), first, second)).toEqual([
      'user: Question a', 'assistant: Thought a', 'assistant: Answer a', 'user: Question b', 'assistant: Thought b', 'assistant: Answer b', 'user: Hi',
    ]);
    expect([echo.previousResponseId, keptInputOf(decoded)]).toEqual(['resp_b', JSON.stringify([{ type: 'message', role: 'user', content: 'Hi' }])]);
  });

  it('may answer earlier calls, and may use earlier tools', () => {
    const stored = aStoredResponse('resp_a', {
      inputItems: JSON.stringify([{ type: 'additional_tools', tools: [{ type: 'custom', name: 'exec' }] }, USER]),
      outputItems: JSON.stringify([{ id: 'ctc_a_0', type: 'custom_tool_call', call_id: '1', name: 'exec', input: 'x' }]),
    });
    const { generation } = decode(request([{ type: 'custom_tool_call_output', call_id: '1', output: 'y' }], { previous_response_id: 'resp_a', tool_choice: { type: 'custom', name: 'exec' } }), stored);
    expect(generation.conversation.turns.map(({ content }) => content[0]?.type)).toEqual(['text', 'tool-call', 'tool-result']);
    expect(generation.toolChoice).toEqual({ kind: 'tool', name: 'exec' });
  });

  it.each<readonly [string, readonly StoredResponse[]]>([
    ['is not kept', []], ['continues one that is not kept', [second]], ['continues itself', [aStoredResponse('resp_b', { previousId: 'resp_b' })]],
  ])('that %s is refused as not found', (_, stored) => {
    expect(refusalOf(() => decode(request('Hi', { previous_response_id: 'resp_b' }), ...stored))).toMatchObject({
      code: 'not_found', param: 'previous_response_id', message: expect.stringContaining('continues more than 199'),
    });
  });

  const repeated = (count: number, item: JsonObject): string => JSON.stringify(Array.from({ length: count }, () => item));

  it('has at most 2,000 items including earlier ones', () => {
    const stored = aStoredResponse('resp_a', { inputItems: repeated(1_997, USER) });
    expect(refusalOf(() => decode(request([USER], { previous_response_id: 'resp_a' }), stored))).toBeNull();
    expect(refusalOf(() => decode(request([USER, USER], { previous_response_id: 'resp_a' }), stored))).toMatchObject({ code: 'invalid_request', param: 'previous_response_id' });
    expect(refusalOf(() => decode(request(Array.from({ length: 2_001 }, () => USER))))).toMatchObject({ code: 'invalid_request', param: 'input' });
  });

  it('loads a bounded number of characters', () => {
    const large = (id: string, previousId: string | null) => aStoredResponse(id, { previousId, inputItems: repeated(2, { ...USER, content: 'x'.repeat(900_000) }) });
    const fits = [large('resp_a', null), large('resp_b', 'resp_a')];
    expect(refusalOf(() => decode(request('Hi', { previous_response_id: 'resp_b' }), ...fits))).toBeNull();
    expect(refusalOf(() => decode(request('Hi', { previous_response_id: 'resp_c' }), ...fits, large('resp_c', 'resp_b')))).toMatchObject({
      code: 'invalid_request', param: 'previous_response_id',
    });
  });

  it.each<readonly [string, string, number]>([['list items', '[[],[],[]]', 20_000], ['keys', '{"a":1,"b":2}', 9_000], ['levels', `${'['.repeat(64)}${']'.repeat(64)}`, 1]])(
    'loads a bounded number of %s, even if they have few characters', (_what, part, times) => {
      const dense = (id: string, previousId: string | null) => aStoredResponse(id, {
        previousId, inputItems: `[{"role":"user","content":"Hi","note":[${Array.from({ length: times }, () => part).join(',')}]}]`,
      });
      const stored = [dense('resp_a', null), dense('resp_b', 'resp_a')];
      expect(refusalOf(() => decode(request('Hi', { previous_response_id: 'resp_b' }), ...stored))).toMatchObject({ code: 'invalid_request', param: 'previous_response_id' });
    },
  );

  it('may load as many keys and list items as a body may have', () => {
    const parts = (id: string, previousId: string | null) => aStoredResponse(id, {
      previousId, inputItems: `[{"role":"user","content":"Hi","note":[${Array.from({ length: 4_000 }, () => '{"a":[[1,2,3,4,5]],"b":[1,2,3,4,5,6],"c":1,"d":1}').join(',')}]}]`,
    });
    expect(refusalOf(() => decode(request('Hi', { previous_response_id: 'resp_b' }), parts('resp_a', null), parts('resp_b', 'resp_a')))).toBeNull();
  });

  it.each<readonly [string, JsonObject]>([
    ['previous_response_id', request('Hi', { previous_response_id: 'resp_a' })], ['input[1]', request([USER, reference('msg_a_1')])], ['input[0]', request([reference('rs_a_0')])],
  ])('is refused, naming %s and with advice, if stored responses were too large to load', (param, body) => {
    const terms = { limits: DEFAULT_REQUEST_LIMITS, accountId: ALICE, stored: new Map(), exceedsStored: true, keepsReplies: true };
    const refusal = refusalOf(() => decodeRequest(body, { source: null, terms, seal: null }));
    expect(refusal).toMatchObject({ code: 'invalid_request', param });
    expect(refusal?.message).toMatch(/4194304 bytes.*send the needed items.*'input', or start again with a summary/u);
  });
});

describe('the texts of stored responses', () => {
  it('are parsed one by one, each once, before a request is decoded', () => {
    const count = 16;
    const chain = Array.from({ length: count }, (_, index) => aStoredResponse(`resp_${index}`, {
      previousId: index === 0 ? null : `resp_${index - 1}`, inputItems: JSON.stringify([{ role: 'user', content: 'x'.repeat(250_000) }]),
    }));
    const found = { stored: new Map(chain.map((response) => [response.id, response])), exceedsStored: false };
    const body = { model: 'small', previous_response_id: `resp_${count - 1}`, input: 'Hi' };
    const texts = new StoredItems(found, referencesIn(body));
    const parse = jest.spyOn(JSON, 'parse');
    const pieces: number[] = [];
    for (let parsed = 0, isLeft = true; isLeft; parsed = parse.mock.calls.length) {
      isLeft = texts.parseSome(100_000);
      pieces.push(parse.mock.calls.slice(parsed).reduce((sum, [text]) => sum + text.length, 0));
    }
    const { generation } = decodeRequest(body, { source: null, terms: { limits: DEFAULT_REQUEST_LIMITS, accountId: ALICE, keepsReplies: true, ...found, texts }, seal: null });
    const parsedTexts = parse.mock.calls.length;
    parse.mockRestore();
    expect([pieces.length, parsedTexts, generation.conversation.turns.length]).toEqual([count + 1, 2 * count, 2 * count + 1]);
    expect(Math.max(...pieces)).toBeLessThan(251_000);
  });
});
