import { describe, expect, it } from '@jest/globals';
import { argumentsObject, type JsonObject } from '@tollgate/core';
import { arbitraryReply, checkMessagesStream, type StreamedBlock } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { messagesFormat } from './messages-format.js';
import { aContext } from './test-support/a-context.js';

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
      const streamed = checkMessagesStream(frames.map(({ text }) => text).join(''));
      const whole = JSON.parse(messagesFormat.encodeResponse(generation, aContext())) as JsonObject;
      expect(streamed.blocks.map(collected)).toEqual(whole['content']);
      expect(streamed.stopReason).toBe(whole['stop_reason']);
      expect(streamed.usage).toMatchObject(whole['usage'] as object);
    }), { numRuns: 500 });
  });

  it('says of nothing that it is ASCII but of what has as many bytes as characters', () => {
    fc.assert(fc.property(arbitraryReply, ({ batches }) => {
      const encoder = messagesFormat.streamEncoder(aContext());
      const known = batches.map((batch) => encoder.encode(batch)).filter(({ isAscii }) => isAscii).map(({ text }) => text).join('');
      expect(Buffer.byteLength(known)).toBe(known.length);
    }), { numRuns: 500 });
  });
});
