import { describe, expect, it } from '@jest/globals';
import type { CompletedGeneration } from '@tollgate/core';
import { arbitraryReply, checkChatStream } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { chatFormat } from './chat-format.js';
import { aContext } from './test-support/builders.js';

interface WholeReply {
  readonly choices: readonly [{ readonly message: Record<string, unknown>; readonly finish_reason: string }];
  readonly usage: object;
}

const wholeReplyOf = (generation: CompletedGeneration) => JSON.parse(chatFormat.encodeResponse(generation, aContext())) as WholeReply;

describe('any chat stream', () => {
  it('adds up to the whole reply, however its pieces and batches are cut', () => {
    fc.assert(fc.property(arbitraryReply, ({ generation, batches }) => {
      const encoder = chatFormat.streamEncoder(aContext());
      const frames = batches.map((batch) => encoder.encode(batch));
      const streamed = checkChatStream(frames.join(''));
      const { choices: [{ message, finish_reason }], usage } = wholeReplyOf(generation);
      const calls = streamed.toolCalls.map(({ id, name, arguments: args }) => ({ id, type: 'function', function: { name, arguments: args.trim() } }));
      const wholeCalls = ((message['tool_calls'] ?? []) as readonly { id: string; type: string; function: { name: string; arguments: string } }[])
        .map((call) => ({ ...call, function: { ...call.function, arguments: call.function.arguments.trim() } }));
      expect(streamed.text).toBe(message['content'] ?? '');
      expect(streamed.reasoning ?? '').toBe(message['reasoning_content'] ?? '');
      expect(calls).toEqual(wholeCalls);
      expect(streamed.finishReason).toBe(finish_reason);
      expect(streamed.last?.['usage']).toMatchObject(usage);
    }), { numRuns: 500 });
  });
});
