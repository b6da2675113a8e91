import { describe, expect, it } from '@jest/globals';
import { collectGeneration, type GenerationEventBatch } from '@tollgate/core';
import { aCompletedGeneration, arbitraryReply, checkGenerationEvents, eventsOf } from '@tollgate/testkit';
import * as fc from 'fast-check';

async function* arriving(batches: readonly GenerationEventBatch[]): AsyncGenerator<GenerationEventBatch> {
  yield* batches;
}

describe('collecting a generation', () => {
  it('gives the same reply, however its text is split and its events are batched', async () => {
    await fc.assert(fc.asyncProperty(arbitraryReply, async ({ generation, batches }) => {
      expect(checkGenerationEvents(batches)).toBe('ended');
      expect(await collectGeneration(arriving(batches))).toEqual(generation);
    }));
  });

  it('rejects a generation without an end event', async () => {
    const events = eventsOf(aCompletedGeneration(), (text) => [text]).slice(0, -1);
    await expect(collectGeneration(arriving([events]))).rejects.toThrow('without its end');
  });
});
