import type { ProviderCall, ProviderStream, Reasoning } from '@tollgate/core';
import type { JsonPieces } from '@tollgate/json-text';
import { BlockWriter, type ReplyAssembler, type ReplyReader, StreamedReplyReader, WholeReplyReader } from '../reply/reply-reader.js';
import { type CallHealth, mayRefuseReasoning, type ReasoningRefusals, type UpstreamProvider } from '../upstream/upstream-provider.js';
import { asUpstreamFailure } from '../upstream/upstream-failure.js';
import type { ReplyHead } from './upstream-call.js';
import { requestBody } from './request-body.js';
import type { Answer, UpstreamConnection } from './connection.js';
import { UpstreamStream } from './upstream-stream.js';

/** A whole reply's first byte comes after its last token, so it is waited for this many times as long. */
const WHOLE_REPLY_PATIENCE = 5;

const STREAMED = { accept: 'text/event-stream', patience: 1 } as const;
const WHOLE = { accept: 'application/json', patience: WHOLE_REPLY_PATIENCE } as const;

/** What a provider over HTTP is made of. */
export interface HttpProviderParts {
  readonly connection: UpstreamConnection;
  readonly dialect: Dialect;
  readonly reasoningRefusals: ReasoningRefusals;
}

/** Generates with a model server over HTTP. */
export class HttpProvider implements UpstreamProvider {
  constructor(private readonly parts: HttpProviderParts) {}

  async open(call: ProviderCall, health: CallHealth): Promise<ProviderStream> {
    try {
      const { call: upstreamCall, head } = await this.#ask(call);
      return new UpstreamStream(upstreamCall, readerFor(call, head, this.parts.dialect), health);
    } catch (thrown) {
      throw asUpstreamFailure(thrown);
    }
  }

  close(): Promise<void> {
    return this.parts.connection.close();
  }

  /** A request that is refused with a reasoning field is sent once more without it. */
  async #ask(call: ProviderCall): Promise<Answer> {
    const { dialect, reasoningRefusals } = this.parts;
    const reasoning = reasoningRefusals.reasoningFor(call);
    try {
      return await this.#send(call, reasoning);
    } catch (failure) {
      if (!mayRefuseReasoning(failure) || !dialect.hasReasoningField(call, reasoning)) throw failure;
      const answer = await this.#send(call, 'model-default');
      reasoningRefusals.add(call);
      return answer;
    }
  }

  #send(call: ProviderCall, reasoning: Reasoning): Promise<Answer> {
    const { connection, dialect } = this.parts;
    return connection.ask({
      endpoint: dialect.endpoint,
      body: requestBody(dialect.encodeRequest(call, reasoning), connection.transport),
      ...(call.delivery === 'stream' ? STREAMED : WHOLE),
      signal: call.signal,
      requestId: call.requestId,
    });
  }
}

/** Servers do not always answer in the way they were asked, nor always say which way it is. */
function readerFor(call: ProviderCall, { contentType }: ReplyHead, dialect: Dialect): ReplyReader {
  const writer = new BlockWriter();
  const assembler = dialect.assemblerFor(call, writer);
  const isStream = contentType === 'text/event-stream' || (call.delivery === 'stream' && !contentType.endsWith('json'));
  return isStream ? new StreamedReplyReader(writer, assembler) : new WholeReplyReader(writer, assembler);
}

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
