import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { argumentsObject } from '@tollgate/json-text';
import { arbitraryReply, checkMessagesStream, type StreamedBlock } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { messagesFormat } from './messages-format.js';
import { aContext } from './test-support/builders.js';

/** What a client makes of a streamed block: the form the block has in a whole reply. */
function collected(block: StreamedBlock): object {
  if (block.type !== 'tool_use') return block;
  const { inputJson, ...call } = block;
  return { ...call, input: JSON.parse(argumentsObject(inputJson).text) as object };
}

describe('any messages stream', () => {
  it('adds up to the whole reply, however its pieces and batches are cut', () => {
    fc.assert(fc.property(arbitraryReply, ({ generation, batches }) => {
      const encoder = messagesFormat.streamEncoder(aContext());
      const frames = batches.map((batch) => encoder.encode(batch));
      const streamed = checkMessagesStream(frames.join(''));
      const whole = JSON.parse(messagesFormat.encodeResponse(generation, aContext())) as JsonObject;
      expect(streamed.blocks.map(collected)).toEqual(whole['content']);
      expect(streamed.stopReason).toBe(whole['stop_reason']);
      expect(streamed.usage).toMatchObject(whole['usage'] as object);
    }), { numRuns: 500 });
  });
});
