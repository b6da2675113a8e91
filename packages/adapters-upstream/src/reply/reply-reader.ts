import type { BlockWriter } from './block-writer.js';
import type { ReplyAssembler } from './reply-assembler.js';

/** Decodes one reply's bytes to provider events, which `writer` holds. */
export abstract class ReplyReader {
  constructor(readonly writer: BlockWriter, readonly assembler: ReplyAssembler) {}

  /** Reads bytes, which may be split anywhere. Throws for invalid data; the writer keeps the events before it. */
  abstract read(bytes: Uint8Array): void;

  /** Throws if the reply is incomplete. */
  abstract end(): void;
}
