import { describe, expect, it } from '@jest/globals';
import { type AccountId, type AssistantBlock, DEFAULT_REQUEST_LIMITS, type DecodeTerms, type EncodeContext, instant, type RequestId, type ResponseToKeep, type StoredResponse } from '@tollgate/core';
import { aCompletedGeneration, checkResponsesStream, eventsOf, storedOf } from '@tollgate/testkit';
import { responsesFormat } from './responses-format.js';
import { byWord, PORTS } from './test-support/builders.js';

const format = responsesFormat(PORTS);
const BLOCKS: readonly AssistantBlock[] = [
  { type: 'thinking', text: 'Hm', signature: 'signed' },
  { type: 'text', text: 'Let me see.' },
  { type: 'tool-call', id: 'call_1', name: 'multi__wait', argumentsJson: '{"a":[1]}' },
  { type: 'tool-call', id: 'call_2', name: 'apply_patch', argumentsJson: '{"input":"*** Begin"}' },
];
const TURN = [{ type: 'thinking', text: 'Hm', signature: 'signed', signedBy: 'upstream-model' }, ...BLOCKS.slice(1)];
const generation = aCompletedGeneration({ blocks: BLOCKS, stopReason: 'tool-call' });
const TOOLS = [
  { type: 'namespace', name: 'multi', description: 'Agents.', tools: [{ type: 'function', name: 'wait', parameters: { type: 'object' } }] },
  { type: 'custom', name: 'apply_patch' },
];
const OUTPUTS = [{ type: 'function_call_output', call_id: 'call_1', output: 'done' }, { type: 'custom_tool_call_output', call_id: 'call_2', output: 'done' }];
const terms = (...stored: readonly StoredResponse[]): DecodeTerms => ({ limits: DEFAULT_REQUEST_LIMITS, accountId: 'acct_alice' as AccountId, stored: new Map(stored.map((one) => [one.id, one])), exceedsStored: false, keepsReplies: true });

function contextOf(body: object): EncodeContext {
  const { echo } = format.decodeRequest(body, null, terms());
  return { responseId: 'resp_1', createdAt: instant(1_700_000_000_999), requestId: 'req_1' as RequestId, includeUsage: true, echo };
}

const FIRST = { model: 'm', input: 'Hi', tools: TOOLS };

function assistantTurnOf(body: object, ...kept: readonly ResponseToKeep[]) {
  return format.decodeRequest(body, null, terms(...kept.map(storedOf))).generation.conversation.turns[1]?.content;
}

describe('the responses format', () => {
  it('restores the original turn from a reply that the client sends back', () => {
    const context = contextOf(FIRST);
    const whole = JSON.parse(format.encodeResponse(generation, context)) as { readonly output: readonly object[] };
    const { items } = checkResponsesStream(format.streamEncoder(context).encode(eventsOf(generation, byWord)));
    for (const output of [whole.output, items]) {
      expect(assistantTurnOf({ model: 'm', input: [{ role: 'user', content: 'Hi' }, ...output, ...OUTPUTS], tools: TOOLS })).toEqual(TURN);
    }
  });

  it('finds a stored response by its id and by those of its items', () => {
    const kept = format.keptForm(generation, contextOf(FIRST));
    if (kept === null) throw new Error('a reply is kept unless its request says otherwise');
    const continued = { model: 'm', previous_response_id: 'resp_1', input: OUTPUTS, tools: TOOLS };
    expect(format.referencesIn(continued)).toEqual({ previousId: 'resp_1', responseIds: [] });
    expect(assistantTurnOf(continued, kept)).toEqual(TURN);
    const referring = { model: 'm', input: [{ role: 'user', content: 'Hi' }, { type: 'item_reference', id: 'msg_1_1' }] };
    expect(format.referencesIn(referring)).toEqual({ previousId: null, responseIds: ['resp_1'] });
    expect(assistantTurnOf(referring, kept)).toEqual([BLOCKS[1]]);
  });

  it('marks a reply as stored once it is stored', () => {
    const context = contextOf(FIRST);
    expect(JSON.parse(format.encodeResponse(generation, context))).toMatchObject({ store: false });
    const kept = format.keptForm(generation, context);
    if (kept === null) throw new Error('a reply is kept unless its request says otherwise');
    format.markKept(context, kept);
    expect(JSON.parse(format.encodeResponse(generation, context))).toMatchObject({ store: true });
    expect(format.keptForm(generation, contextOf({ ...FIRST, store: false }))).toBeNull();
  });

  it('decodes a request to count tokens that continues a stored response', () => {
    const kept = format.keptForm(generation, contextOf(FIRST));
    const body = { model: 'm', previous_response_id: 'resp_1', input: OUTPUTS, tools: TOOLS };
    expect(format.decodeTokenCount(body, terms(...(kept === null ? [] : [storedOf(kept)]))).conversation.turns).toHaveLength(3);
  });
});
