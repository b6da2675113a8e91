import { GatewayError, type IdGenerator, type ProviderCall, type ProviderStream, type Reasoning } from '@tollgate/core';
import type { JsonPieces } from '@tollgate/json-text';
import { BlockWriter, type CallHealth, type ReplyAssembler, type ReplyReader, UpstreamStream } from '../reply/reply-stream.js';
import { asUpstreamFailure, UpstreamFailure, type UpstreamReply } from '../upstream/upstream-failure.js';
import { StreamedReplyReader, WholeReplyReader } from '../reply/reply-reader.js';
import type { ReplyHead } from './upstream-call.js';
import { requestBody } from './request-body.js';
import type { SocketPorts } from './upstream-sockets.js';
import type { Answer, UpstreamConnection } from './connection.js';

/** What providers need from outside. */
export interface UpstreamPorts extends SocketPorts {
  readonly ids: Pick<IdGenerator, 'responseId'>;
}

export interface ProviderPorts extends UpstreamPorts {
  readonly reasoningRefusals: ReasoningRefusals;
}

/** A provider that holds connections. */
export interface UpstreamProvider {
  /** Resolves once the upstream has accepted the request; throws `UpstreamFailure`, and `server_busy` where no socket may be opened. Tells `health` of what comes after that. */
  open(call: ProviderCall, health: CallHealth): Promise<ProviderStream>;
  /** Lets running calls end, then closes the connections. */
  close(): Promise<void>;
}

/** A whole reply's first byte comes after its last token, so it is waited for this many times as long. */
const WHOLE_REPLY_FACTOR = 5;

const STREAMED = { accept: 'text/event-stream', firstByteFactor: 1 } as const;
const WHOLE = { accept: 'application/json', firstByteFactor: WHOLE_REPLY_FACTOR } as const;

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
      throw thrown instanceof GatewayError ? thrown : asUpstreamFailure(thrown);
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

/** A server refuses a request for its reasoning field and serves it without. */
export interface ReasoningRefusal {
  readonly upstream: string;
  /** The model's name at the upstream. */
  readonly model: string;
  readonly reasoning: Reasoning;
}

export type ReasoningRefusalListener = (refusal: ReasoningRefusal) => void;

const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 422]);

/**
 * Which reasoning each model at each upstream refuses, until the catalogue changes.
 * By value: a server may refuse levels and still take `off`, so one client's level must not undo another's `off`.
 */
export class ReasoningRefusals {
  readonly #refused = new Set<string>();

  constructor(private readonly listener: ReasoningRefusalListener) {}

  /** What to ask for in this call. */
  reasoningFor(call: ProviderCall): Reasoning {
    const { reasoning } = call.request;
    return this.#refused.size > 0 && this.#refused.has(keyOf(call)) ? 'model-default' : reasoning;
  }

  /** The upstream refused the call's reasoning and accepted the same request without it. Told to the listener once. */
  add(call: ProviderCall): void {
    const key = keyOf(call);
    if (this.#refused.has(key)) return;
    this.#refused.add(key);
    const { target, request } = call;
    this.listener({ upstream: target.upstreamId, model: target.upstreamModel, reasoning: request.reasoning });
  }

  clear(): void {
    this.#refused.clear();
  }
}

/** Whether a server refused the request itself, for what may be its reasoning field. */
function mayRefuseReasoning(failure: unknown): boolean {
  if (!(failure instanceof UpstreamFailure) || failure.reason !== 'refused') return false;
  return REFUSAL_STATUSES.has((failure.cause as UpstreamReply).status);
}

function keyOf({ target, request }: ProviderCall): string {
  return JSON.stringify([target.upstreamId, target.upstreamModel, request.reasoning]);
}
