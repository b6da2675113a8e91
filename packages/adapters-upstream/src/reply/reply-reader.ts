import type { BlockWriter } from './block-writer.js';
import type { ReplyAssembler } from './reply-assembler.js';

/** Decodes one reply's bytes to provider events, which the writer holds. */
export abstract class ReplyReader {
  constructor(readonly writer: BlockWriter, readonly assembler: ReplyAssembler) {}

  /** Bytes split anywhere. Throws for invalid data; earlier events can still be taken from the writer. */
  abstract read(bytes: Uint8Array): void;

  /** Throws if the reply is incomplete. */
  abstract end(): void;
}
