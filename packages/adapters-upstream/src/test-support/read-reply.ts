import type { ProviderEventBatch } from '@tollgate/core';
import { BlockWriter } from '../reply/block-writer.js';
import type { ReplyAssembler } from '../reply/reply-assembler.js';
import { StreamedReplyReader, WholeReplyReader } from '../reply/reply-readers.js';
import { type ReadReply, replyOf } from './read-stream.js';

export type NewAssembler = (writer: BlockWriter) => ReplyAssembler;

/** Reads a stream that arrives in these pieces, taking what each has brought, until it is over. */
export function readPieces(newAssembler: NewAssembler, pieces: readonly Uint8Array[]): ReadReply {
  const writer = new BlockWriter();
  const reader = new StreamedReplyReader(writer, newAssembler(writer));
  const batches: ProviderEventBatch[] = [];
  const take = (): void => {
    const events = reader.take();
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

/** Reads a whole reply's body. */
export function readWhole(newAssembler: NewAssembler, body: string): ReadReply {
  const writer = new BlockWriter();
  const reader = new WholeReplyReader(writer, newAssembler(writer));
  reader.read(Buffer.from(body));
  reader.end();
  return replyOf([reader.take()]);
}

/** Cuts bytes into pieces of these lengths. */
export function piecesOf(bytes: Uint8Array, lengths: Iterator<number>): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; from += pieces.at(-1)?.length ?? 0) {
    pieces.push(bytes.subarray(from, from + (lengths.next().value as number)));
  }
  return pieces;
}
