import { type AssistantBlock, BlockCollector, type ProviderEnd, type ProviderEvent, type ProviderEventBatch, type ProviderStream } from '@tollgate/core';
import { checkProviderEvents } from '@tollgate/testkit';

export interface ReadReply {
  readonly batches: readonly ProviderEventBatch[];
  readonly blocks: readonly AssistantBlock[];
  readonly end: Omit<ProviderEnd, 'type'> | null;
}

/** Reads a stream to its end and holds its events against the grammar. */
export async function readStream(stream: ProviderStream): Promise<ReadReply> {
  const batches: ProviderEventBatch[] = [];
  for (let step = await stream.next(); step.done !== true; step = await stream.next()) batches.push(step.value);
  return replyOf(batches);
}

/** What events say, once they were held against the grammar. */
export function replyOf(batches: readonly ProviderEventBatch[]): ReadReply {
  checkProviderEvents(batches);
  const collector = new BlockCollector();
  let end: ReadReply['end'] = null;
  for (const event of batches.flat() as readonly ProviderEvent[]) {
    if (event.type === 'provider-end') end = { stopReason: event.stopReason, usage: event.usage };
    else collector.add(event);
  }
  return { batches, blocks: collector.blocks, end };
}

/** What a promise fails with, for promises that fail later than the test wants to wait; `null` when it does not fail. */
export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(() => null, (failure: unknown) => failure);
}
