import { describe, expect, it } from '@jest/globals';
import { arbitraryReply, checkMessagesStream, type StreamedBlock } from '@tollgate/testkit';
import { parseArguments } from '@tollgate/wire-kit';
import * as fc from 'fast-check';
import { messagesFormat } from './messages-format.js';
import { aContext } from './test-support/a-context.js';

/** What a client makes of a streamed block: the form the block has in a whole reply. */
function collected(block: StreamedBlock): object {
  if (block.type !== 'tool_use') return block;
  const { inputJson, ...call } = block;
  return { ...call, input: parseArguments(inputJson) };
}

describe('any messages stream', () => {
  it('adds up to the whole reply, however its pieces and batches are cut', () => {
    fc.assert(fc.property(arbitraryReply, ({ generation, batches }) => {
      const encoder = messagesFormat.streamEncoder(aContext());
      const streamed = checkMessagesStream(batches.map((batch) => encoder.encode(batch)).join(''));
      const whole = messagesFormat.encodeResponse(generation, aContext());
      expect(streamed.blocks.map(collected)).toEqual(whole['content']);
      expect(streamed.stopReason).toBe(whole['stop_reason']);
      expect(streamed.usage).toMatchObject(whole['usage'] as object);
    }), { numRuns: 500 });
  });
});
