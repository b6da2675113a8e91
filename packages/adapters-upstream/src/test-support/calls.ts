import {
  type AccountId, type AssistantBlock, BlockCollector, type GenerationRequest, type Model, type ModelProvider, type ProviderCall,
  type ProviderEnd, type ProviderEvent, type ProviderEventBatch, type ProviderStream, type RequestId, tokenCount, type Turn,
} from '@tollgate/core';
import { aGenerationRequest, aModel, checkProviderEvents } from '@tollgate/testkit';
import { BlockWriter } from '../reply/block-writer.js';
import type { ReplyAssembler } from '../reply/reply-assembler.js';
import { StreamedReplyReader } from '../reply/streamed-reply-reader.js';
import { WholeReplyReader } from '../reply/whole-reply-reader.js';
import type { UpstreamProvider } from '../http/upstream-provider.js';
import { asUpstreamFailure } from '../upstream/upstream-failure.js';

export interface CallChanges extends Partial<Omit<ProviderCall, 'request' | 'model'>> {
  readonly request?: Partial<GenerationRequest>;
  readonly model?: Partial<Model>;
}

/** A streamed call with at most 1,000 output tokens to `scripted-model` at `main`. */
export function aCall({ request, model, ...changes }: CallChanges = {}): ProviderCall {
  return {
    requestId: 'req_1' as RequestId,
    accountId: 'acct_1' as AccountId,
    model: aModel(model),
    target: { upstreamId: 'main', upstreamModel: 'scripted-model' },
    request: aGenerationRequest(request),
    maxOutputTokens: tokenCount(1_000),
    delivery: 'stream',
    signal: new AbortController().signal,
    ...changes,
  };
}

export function says(text: string): Turn {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** A conversation of these turns, without instructions. */
export function turns(...all: readonly Turn[]): Pick<GenerationRequest, 'conversation'> {
  return { conversation: { system: [], turns: all } };
}

export interface ReadReply {
  readonly batches: readonly ProviderEventBatch[];
  readonly blocks: readonly AssistantBlock[];
  readonly end: Omit<ProviderEnd, 'type'> | null;
}

/** Reads the stream to its end, and checks the grammar of its events. */
export async function readStream(stream: ProviderStream): Promise<ReadReply> {
  const batches: ProviderEventBatch[] = [];
  for (let step = await stream.next(); step.done !== true; step = await stream.next()) batches.push(step.value);
  return replyOf(batches);
}

/** Collects the blocks and the end, and checks the grammar of the events. */
function replyOf(batches: readonly ProviderEventBatch[]): ReadReply {
  checkProviderEvents(batches);
  const collector = new BlockCollector();
  let end: ReadReply['end'] = null;
  for (const event of batches.flat() as readonly ProviderEvent[]) {
    if (event.type === 'provider-end') end = { stopReason: event.stopReason, usage: event.usage };
    else if (event.type !== 'provider-report') collector.add(event);
  }
  return { batches, blocks: collector.blocks, end };
}

/** Resolves to the promise's failure; `null` if it is fulfilled. For promises that may fail before they are awaited. */
export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(() => null, (failure: unknown) => failure);
}

export type NewAssembler = (writer: BlockWriter) => ReplyAssembler;

/** Reads the pieces; the events after each piece form a batch. */
export function readPieces(newAssembler: NewAssembler, pieces: readonly Uint8Array[]): ReadReply {
  const writer = new BlockWriter();
  const reader = new StreamedReplyReader(writer, newAssembler(writer));
  const batches: ProviderEventBatch[] = [];
  const take = (): void => {
    const events = writer.take();
    if (events.length > 0) batches.push(events);
  };
  for (const piece of pieces) {
    reader.read(piece);
    take();
  }
  reader.end();
  take();
  return replyOf(batches);
}

export function readWhole(newAssembler: NewAssembler, body: string): ReadReply {
  const writer = new BlockWriter();
  const reader = new WholeReplyReader(writer, newAssembler(writer));
  reader.read(Buffer.from(body));
  reader.end();
  return replyOf([writer.take()]);
}

export function piecesOf(bytes: Uint8Array, lengths: Iterator<number>): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; from += pieces.at(-1)?.length ?? 0) {
    pieces.push(bytes.subarray(from, from + (lengths.next().value as number)));
  }
  return pieces;
}

/** A provider that tells whether each call was `answered`, or its failure's reason. */
export class ToldProvider implements ModelProvider {
  constructor(private readonly provider: UpstreamProvider, private readonly tell: (word: string) => void = () => undefined) {}

  async open(call: ProviderCall): Promise<ProviderStream> {
    const { tell } = this;
    try {
      return await this.provider.open(call, { answered: () => tell('answered'), failed: ({ reason }) => tell(reason) });
    } catch (thrown) {
      tell(asUpstreamFailure(thrown).reason);
      throw thrown;
    }
  }

  close(): Promise<void> {
    return this.provider.close();
  }
}
