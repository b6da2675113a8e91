import type { ProviderCall, ProviderStream } from '@tollgate/core';
import type { ExchangeHead } from '../http/exchange.js';
import type { ReplyReader } from '../http/reply-reader.js';
import { WHOLE_REPLY_PATIENCE } from '../http/timeouts.js';
import { UpstreamStream } from '../http/upstream-stream.js';
import type { ProviderSurroundings, UpstreamProvider } from '../routing/upstream-provider.js';
import type { OpenaiUpstream } from '../upstream-definition.js';
import { asUpstreamFailure } from '../upstream-failure.js';
import type { ReplyTerms } from './chat-reply-assembler.js';
import { StreamedChatReader, WholeChatReader } from './chat-reply-readers.js';
import { encodeChatRequest, localStopSequences } from './encode-chat-request.js';
import { OpenaiConnection } from './openai-connection.js';

const STREAMED = { accept: 'text/event-stream', patience: 1 } as const;
const WHOLE = { accept: 'application/json', patience: WHOLE_REPLY_PATIENCE } as const;

/** Generates with a server that speaks chat completions. */
export class OpenaiProvider implements UpstreamProvider {
  readonly #connection: OpenaiConnection;

  constructor(definition: OpenaiUpstream, private readonly surroundings: ProviderSurroundings) {
    this.#connection = new OpenaiConnection(definition, surroundings.clock);
  }

  async open(call: ProviderCall): Promise<ProviderStream> {
    const { health, ids } = this.surroundings;
    const { options } = this.#connection;
    const terms = { newToolCallId: () => ids.responseId('call_'), localStopSequences: localStopSequences(call, options) };
    try {
      const { exchange, head } = await this.#connection.ask({
        endpoint: '/chat/completions',
        body: encodeChatRequest(call, options),
        ...(call.delivery === 'stream' ? STREAMED : WHOLE),
        signal: call.signal,
        requestId: call.requestId,
      });
      return new UpstreamStream(exchange, readerFor(head, call.delivery, terms), health);
    } catch (thrown) {
      const failure = asUpstreamFailure(thrown);
      health.failed(failure);
      throw failure;
    }
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

/** Servers do not always answer in the way they were asked, nor always say which way it is. */
function readerFor({ contentType }: ExchangeHead, delivery: ProviderCall['delivery'], terms: ReplyTerms): ReplyReader {
  if (contentType === 'text/event-stream') return new StreamedChatReader(terms);
  if (contentType.endsWith('json')) return new WholeChatReader(terms);
  return delivery === 'stream' ? new StreamedChatReader(terms) : new WholeChatReader(terms);
}
