import {
  GatewayError, hasContinuation, hasToolCalls, type IdGenerator, type ProviderCall, type ProviderStream, type Reasoning, type RequestId, tokenCount,
} from '@tollgate/core';
import { speaksOfContinuation, speaksOfThoughtSignature } from '../reply/error-replies.js';
import { BlockWriter } from '../reply/block-writer.js';
import { type CallHealth, type ReplyAssembler, type ReplyReader, UpstreamStream } from '../reply/reply-stream.js';
import { asUpstreamFailure, UpstreamFailure, type UpstreamReply } from '../upstream/upstream-failure.js';
import { StreamedReplyReader, WholeReplyReader } from '../reply/reply-reader.js';
import type { ReplyHead } from './reply-head.js';
import { helpfulSetting, type RefusedRequest } from './helpful-setting.js';
import { type EncodedRequest, isRuled, type RequestBody, requestBody } from './request-body.js';
import { sendableRequest } from './sendable-names.js';
import type { SocketPorts } from './upstream-sockets.js';
import type { Answer, UpstreamConnection } from './connection.js';
import { contentFreeCall } from './content-free-call.js';
import type { OwnAnswer, ReasoningRefusals } from './reasoning-refusals.js';

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
  readonly ports: ProviderPorts;
}

/** How long a call of the gateway's own may take, where the limits of the upstream are not shorter. */
const PROBE_MILLISECONDS = 30_000;
/** Room for the least that servers take as a budget for thinking. The reply is not read. */
const PROBE_OUTPUT = tokenCount(4_096);
/** What usage records call a setting of reasoning, whatever its server calls it. */
const REASONING = 'reasoning';
const REASONING_FIELDS: readonly string[] = ['reasoning_effort', 'thinking', 'reasoning', 'chat_template_kwargs', 'output_config'];

/** An answer, and what it was given to. */
interface Asked {
  readonly answer: Answer;
  readonly terms: RequestTerms;
  /** What an operator's rules took out of the request. */
  readonly ruledOut: readonly string[];
}

/** Generates with a model server over HTTP. */
export class HttpProvider implements UpstreamProvider {
  /** The gateway's own calls that still run. */
  readonly #probes = new Set<AbortController>();
  /** Calls without an answer yet, which may be sent once more. */
  readonly #opening = new Set<Promise<ProviderStream>>();
  #isClosing = false;

  constructor(private readonly parts: HttpProviderParts) {}

  async open(asked: ProviderCall, health: CallHealth): Promise<ProviderStream> {
    const opening = this.#open(asked, health);
    this.#opening.add(opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(opening);
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const probe of this.#probes) probe.abort();
    await Promise.allSettled(this.#opening);
    await this.parts.connection.close();
  }

  async #open(asked: ProviderCall, health: CallHealth): Promise<ProviderStream> {
    const { dialect } = this.parts;
    const { request, clientNames } = sendableRequest(asked.request, dialect.callIdLimit);
    const call = { ...asked, request };
    try {
      const { answer, terms, ruledOut } = await this.#ask(call);
      const omitted = omittedSettings(ruledOut, call, leavesOutReasoning(call, terms, dialect));
      const reader = readerFor(call, new BlockWriter(clientNames), { head: answer.head, dialect });
      return new UpstreamStream(answer.call, reader, { health, omitted, isEventStream: reader instanceof StreamedReplyReader });
    } catch (thrown) {
      throw thrown instanceof GatewayError ? thrown : asUpstreamFailure(thrown);
    }
  }

  /** A request that may be refused for what it says of reasoning is sent once more without it. Its success says nothing of other requests. */
  async #ask(call: ProviderCall): Promise<Asked> {
    const { dialect, ports: { reasoningRefusals } } = this.parts;
    const terms: RequestTerms = { reasoning: reasoningRefusals.has(call) ? 'model-default' : call.request.reasoning, continuation: 'sent' };
    try {
      return { ...await this.#send(call, terms), terms };
    } catch (failure) {
      const reduced = termsAfterRefusal(failure, call, { terms, dialect });
      if (reduced === null) throw failure;
      const sent = await this.#send(call, reduced);
      if (reduced.continuation === 'sent') void reasoningRefusals.suspect(call, (reasoning) => this.#probe(call, reasoning));
      return { ...sent, terms: reduced };
    }
  }

  async #send(call: ProviderCall, terms: RequestTerms): Promise<Omit<Asked, 'terms'>> {
    const { connection, dialect: { endpoint } } = this.parts;
    const { body, fields, omitted } = this.#encode(call, terms);
    try {
      const answer = await connection.ask({
        endpoint,
        body,
        ...(call.delivery === 'stream' ? STREAMED : WHOLE),
        accountId: call.accountId,
        signal: call.signal,
        requestId: call.requestId,
      });
      return { answer, ruledOut: omitted };
    } catch (failure) {
      noteSetting(failure, { fields, model: call.model.slug, target: call.target });
      throw failure;
    }
  }

  /** The text is a local of this method alone: that of one that waits would be kept as long. */
  #encode(call: ProviderCall, terms: RequestTerms): Pick<EncodedRequest, 'fields' | 'omitted'> & { readonly body: RequestBody } {
    const { connection, dialect } = this.parts;
    const encoded = dialect.encodeRequest(call, terms);
    return { body: requestBody(encoded, connection.transport), fields: encoded.fields, omitted: encoded.omitted };
  }

  /** How the server answers a call of the gateway's own with this reasoning, charged to no account. The reply is not waited for. */
  async #probe(facts: ProviderCall, reasoning: Reasoning): Promise<OwnAnswer> {
    if (this.#isClosing) return 'unknown';
    const { clock, ids } = this.parts.ports;
    const controller = new AbortController();
    this.#probes.add(controller);
    const stopTimer = clock.schedule(PROBE_MILLISECONDS, () => controller.abort());
    const maxOutputTokens = tokenCount(Math.min(PROBE_OUTPUT, facts.model.maxOutputTokens));
    const call = contentFreeCall(facts, { requestId: ids.responseId('probe_') as RequestId, signal: controller.signal, reasoning, maxOutputTokens });
    try {
      const { answer: { call: upstreamCall } } = await this.#send(call, { reasoning, continuation: 'sent' });
      upstreamCall.cancel();
      return 'served';
    } catch (failure) {
      return isRefusal(failure) ? 'refused' : 'unknown';
    } finally {
      stopTimer();
      this.#probes.delete(controller);
    }
  }
}

/** What answered, and how it speaks. */
interface AnsweredBy {
  readonly head: ReplyHead;
  readonly dialect: Dialect;
}

/** Servers do not always answer in the way they were asked, nor always say which way it is. */
function readerFor(call: ProviderCall, writer: BlockWriter, { head: { contentType }, dialect }: AnsweredBy): ReplyReader {
  const assembler = dialect.assemblerFor(call, writer);
  const isStream = contentType === 'text/event-stream' || (call.delivery === 'stream' && !contentType.endsWith('json'));
  return isStream ? new StreamedReplyReader(writer, assembler) : new WholeReplyReader(writer, assembler);
}

/** What a request says of reasoning. */
export interface RequestTerms {
  /** The call's own unless the server has refused that. */
  readonly reasoning: Reasoning;
  /** `sent`: the reasoning of earlier turns, and what servers gave to be brought back, as the upstream's options say. `replaced`: the vendor's placeholder for it. */
  readonly continuation: 'sent' | 'omitted' | 'replaced';
}

/** How one kind of model server is asked and how it answers. Everything else about calls over HTTP is the same for all kinds. */
export interface Dialect {
  /** The path that generates, after the base address. */
  readonly endpoint: string;
  /** The most characters of a call's id that the server accepts. */
  readonly callIdLimit: number;
  encodeRequest(call: ProviderCall, terms: RequestTerms): EncodedRequest;
  /** Whether that body has a field about reasoning. */
  hasReasoningField(call: ProviderCall, reasoning: Reasoning): boolean;
  /** Whether the request's other fields keep that body from asking for reasoning. */
  foregoesReasoning?(call: ProviderCall, reasoning: Reasoning): boolean;
  /** Reads the reply to this call, streamed or whole, into the writer. */
  assemblerFor(call: ProviderCall, writer: BlockWriter): ReplyAssembler;
}

const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 422]);

/** Whether a server refused the request itself. */
function isRefusal(failure: unknown): failure is UpstreamFailure & { readonly cause: UpstreamReply } {
  if (!(failure instanceof UpstreamFailure) || failure.reason !== 'refused') return false;
  return REFUSAL_STATUSES.has((failure.cause as UpstreamReply).status);
}

/** Notes on a refusal which setting would have helped. */
function noteSetting(failure: unknown, request: RefusedRequest): void {
  if (isRefusal(failure)) failure.setting = helpfulSetting(failure.cause, request);
}

interface SentRequest {
  readonly terms: RequestTerms;
  readonly dialect: Dialect;
}

/** What to ask once more with after a failure; `null` where that would change nothing. */
function termsAfterRefusal(failure: unknown, call: ProviderCall, { terms: { reasoning }, dialect }: SentRequest): RequestTerms | null {
  if (!isRefusal(failure)) return null;
  const { conversation } = call.request;
  if (hasToolCalls(conversation) && speaksOfThoughtSignature(failure.cause)) return { reasoning, continuation: 'replaced' };
  const isAboutContinuation = hasContinuation(conversation) && speaksOfContinuation(failure.cause);
  if (!isAboutContinuation && (!dialect.hasReasoningField(call, reasoning) || isRuled(call, REASONING_FIELDS))) return null;
  return { reasoning: 'model-default', continuation: isAboutContinuation ? 'omitted' : 'sent' };
}

/** What usage records say was not sent, each once. */
function omittedSettings(ruledOut: readonly string[], { request: { outputSchema } }: ProviderCall, omitsReasoning: boolean): readonly string[] {
  const isSchema = (name: string): boolean => name === 'output_config' && outputSchema !== null;
  const settings = ruledOut.map((name) => (REASONING_FIELDS.includes(name) && !isSchema(name) ? REASONING : name));
  return [...new Set(omitsReasoning ? [REASONING, ...settings] : settings)];
}

function leavesOutReasoning(call: ProviderCall, { reasoning, continuation }: RequestTerms, dialect: Dialect): boolean {
  if (continuation === 'omitted') return true;
  const asked = call.request.reasoning;
  // Some servers are told nothing where the amount is left to the model.
  if (asked === 'on' && isRuled(call, REASONING_FIELDS)) return true;
  if (reasoning !== asked) return dialect.hasReasoningField(call, asked);
  return dialect.foregoesReasoning?.(call, reasoning) ?? false;
}
