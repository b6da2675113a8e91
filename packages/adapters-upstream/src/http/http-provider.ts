import type { ProviderCall, ProviderStream } from '@tollgate/core';
import { BlockWriter } from '../reply/block-writer.js';
import type { ReplyReader } from '../reply/reply-reader.js';
import { StreamedReplyReader, WholeReplyReader } from '../reply/reply-readers.js';
import type { UpstreamHealth } from '../routing/circuit-breaker.js';
import type { UpstreamProvider } from '../routing/upstream-provider.js';
import { asUpstreamFailure } from '../upstream-failure.js';
import type { Dialect } from './dialect.js';
import type { ExchangeHead } from './exchange.js';
import { requestBody } from './request-body.js';
import { WHOLE_REPLY_PATIENCE } from './timeouts.js';
import type { UpstreamConnection } from './upstream-connection.js';
import { UpstreamStream } from './upstream-stream.js';

const STREAMED = { accept: 'text/event-stream', patience: 1 } as const;
const WHOLE = { accept: 'application/json', patience: WHOLE_REPLY_PATIENCE } as const;

/** What a provider over HTTP is made of. */
export interface HttpProviderParts {
  readonly connection: UpstreamConnection;
  readonly dialect: Dialect;
  readonly health: UpstreamHealth;
}

/** Generates with a model server over HTTP. */
export class HttpProvider implements UpstreamProvider {
  constructor(private readonly parts: HttpProviderParts) {}

  async open(call: ProviderCall): Promise<ProviderStream> {
    const { connection, dialect, health } = this.parts;
    try {
      const { exchange, head } = await connection.ask({
        endpoint: dialect.endpoint,
        body: requestBody(dialect.encodeRequest(call), connection.transport),
        ...(call.delivery === 'stream' ? STREAMED : WHOLE),
        signal: call.signal,
        requestId: call.requestId,
      });
      return new UpstreamStream(exchange, readerFor(call, head, dialect), health);
    } catch (thrown) {
      const failure = asUpstreamFailure(thrown);
      health.failed(failure);
      throw failure;
    }
  }

  close(): Promise<void> {
    return this.parts.connection.close();
  }
}

/** Servers do not always answer in the way they were asked, nor always say which way it is. */
function readerFor(call: ProviderCall, { contentType }: ExchangeHead, dialect: Dialect): ReplyReader {
  const writer = new BlockWriter();
  const assembler = dialect.assemblerFor(call, writer);
  const isStream = contentType === 'text/event-stream' || (call.delivery === 'stream' && !contentType.endsWith('json'));
  return isStream ? new StreamedReplyReader(writer, assembler) : new WholeReplyReader(writer, assembler);
}
