import { describe, expect, it } from '@jest/globals';
import type { AssistantBlock, JsonObject } from '@tollgate/core';
import { readPieces, readWhole } from '../test-support/calls.js';
import { ChatReplyAssembler } from './chat-reply-assembler.js';
import { encodeMessages } from './encode-messages.js';
import { parseOpaque } from './opaque-fields.js';

const TERMS = { newToolCallId: () => 'made', localStopSequences: [], modelReasons: true };
const read = (...deltas: readonly JsonObject[]): readonly AssistantBlock[] => {
  const chunks = [...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })), { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }];
  return readPieces((writer) => new ChatReplyAssembler(writer, TERMS), chunks.map((chunk) => Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`))).blocks;
};
const opaque = (form: 'reasoning-details' | 'message-extra' | 'call-extra', value: unknown) => ({ type: 'thinking', text: '', signature: JSON.stringify(value), form });
const text = (words: string) => ({ type: 'text', text: words });

describe('opaque data of a chat server', () => {
  it.each<[string, readonly JsonObject[], readonly unknown[]]>([
    ['pieces of one detail, which are joined behind their thinking',
      [{ reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'H', index: 0 }] }, { reasoning_details: [{ type: 'reasoning.text', text: 'm', signature: 's', format: null, index: 0 }] }, { content: 'a' }],
      [{ ...opaque('reasoning-details', [{ type: 'reasoning.text', text: 'Hm', index: 0, signature: 's' }]), text: 'Hm' }, text('a')]],
    ['details of other indexes or types, which are not joined',
      [{ reasoning_details: [{ type: 'a', text: '1', index: 0 }, { type: 'a', text: '2', index: 1 }, { type: 'b', index: 1 }, { type: 'b' }, 'none'] }],
      [opaque('reasoning-details', [{ type: 'a', text: '1', index: 0 }, { type: 'a', text: '2', index: 1 }, { type: 'b', index: 1 }, { type: 'b' }])]],
    ['details that come after the text', [{ content: 'a' }, { reasoning_details: [{ data: 'd' }] }], [text('a'), opaque('reasoning-details', [{ data: 'd' }])]],
    ['extra content of the message, and of each of two calls',
      [{ content: 'a', extra_content: { m: 1 } }, { tool_calls: [{ index: 0, id: 'c0', function: { name: 'f', arguments: '{}' }, extra_content: { c: 0 } }, { index: 1, id: 'c1', function: { name: 'f', arguments: '{}' }, extra_content: { c: 1 } }] }],
      [
        text('a'), opaque('message-extra', { m: 1 }), opaque('call-extra', { c: 0 }), { type: 'tool-call', id: 'c0', name: 'f', argumentsJson: '{}' },
        opaque('call-extra', { c: 1 }), { type: 'tool-call', id: 'c1', name: 'f', argumentsJson: '{}' },
      ]],
    ['extra content that a later delta states as null, which is kept', [{ content: 'a', extra_content: { m: 1 } }, { extra_content: null }], [text('a'), opaque('message-extra', { m: 1 })]],
    ['fields of other types, which are passed over', [{ content: 'a', extra_content: 'x', reasoning_details: { a: 1 } }], [text('a')]],
  ])('is %s', (_what, deltas, blocks) => {
    expect(read(...deltas)).toEqual(blocks);
  });

  it('is taken unchanged from a whole message', () => {
    const details = [{ type: 'a', text: '1', index: 0 }, { type: 'a', text: '2', index: 0 }];
    const reply = { choices: [{ index: 0, message: { content: 'a', reasoning_details: details }, finish_reason: 'stop' }] };
    expect(readWhole((writer) => new ChatReplyAssembler(writer, TERMS), JSON.stringify(reply)).blocks).toEqual([opaque('reasoning-details', details), text('a')]);
  });

  it('is omitted from a request if it is not JSON or has an unexpected shape', () => {
    expect([parseOpaque(null), parseOpaque('{'), parseOpaque('[1]')]).toEqual([null, null, [1]]);
    const thinking = (form: 'reasoning-details' | 'call-extra', signature: string) => ({ type: 'thinking', text: '', signature, form }) as const;
    const turns = [{ role: 'assistant', content: [thinking('reasoning-details', '{'), thinking('reasoning-details', '{}'), thinking('call-extra', 'x'), { type: 'tool-call', id: 'c', name: 'f', argumentsJson: '{}' }] }] as const;
    const terms = { reasoning: 'omitted', opaque: 'sent', needsSignatures: false, systemTurns: 'in-place' } as const;
    expect(encodeMessages({ system: [], turns }, terms)).toEqual([{ role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] }]);
  });
});
