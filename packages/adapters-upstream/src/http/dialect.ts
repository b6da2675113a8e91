import type { ProviderCall, Reasoning } from '@tollgate/core';
import type { JsonPieces } from '@tollgate/json-text';
import type { BlockWriter } from '../reply/block-writer.js';
import type { ReplyAssembler } from '../reply/reply-assembler.js';

/** How one kind of model server is asked and how it answers. Everything else about calls over HTTP is the same for all kinds. */
export interface Dialect {
  /** The path that generates, after the base address. */
  readonly endpoint: string;
  /** The body of the request. The reasoning to ask for is the call's own unless the server has refused that. */
  encodeRequest(call: ProviderCall, reasoning: Reasoning): JsonPieces;
  /** Whether that body has a field about reasoning. */
  hasReasoningField(call: ProviderCall, reasoning: Reasoning): boolean;
  /** Reads the reply to this call, streamed or whole, into the writer. */
  assemblerFor(call: ProviderCall, writer: BlockWriter): ReplyAssembler;
}
