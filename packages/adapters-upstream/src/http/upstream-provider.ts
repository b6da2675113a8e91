import {
  GatewayError, hasContinuation, hasToolCalls, type IdGenerator, type ProviderCall, type ProviderStream, type Reasoning, type RequestId, tokenCount,
} from '@tollgate/core';
import { speaksOfContinuation, speaksOfThoughtSignature } from '../reply/refusal-words.js';
import { BlockWriter } from '../reply/block-writer.js';
import type { CallHealth } from '../reply/call-health.js';
import type { ReplyAssembler } from '../reply/reply-assembler.js';
import type { ReplyReader } from '../reply/reply-reader.js';
import { UpstreamStream } from '../reply/upstream-stream.js';
import { UpstreamFailure, type UpstreamReply } from '../upstream/upstream-failure.js';
import { StreamedReplyReader } from '../reply/streamed-reply-reader.js';
import { WholeReplyReader } from '../reply/whole-reply-reader.js';
import type { ReplyHead } from './reply-head.js';
import { helpfulSetting, type RefusedRequest } from './helpful-setting.js';
import type { EncodedRequest } from '../request/encode-body.js';
import { isRuled } from '../request/parameter-rules.js';
import { type RequestBody, requestBody } from './request-body.js';
import { sendableRequest } from '../request/sendable-request.js';
import type { SocketPorts } from './upstream-sockets.js';
import type { Answer, UpstreamConnection } from './connection.js';
import { contentFreeCall } from './content-free-call.js';
import type { OwnAnswer, ReasoningRefusals } from './reasoning-refusals.js';

export interface UpstreamPorts extends SocketPorts {
  readonly ids: Pick<IdGenerator, 'responseId'>;
}

export interface ProviderPorts extends UpstreamPorts {
  readonly reasoningRefusals: ReasoningRefusals;
}

export interface UpstreamProvider {
  /**
   * Resolves once the upstream has accepted the request. Throws `UpstreamFailure`, and `server_busy` if no socket may be opened. Later events of the
   * call are reported to `health`.
   */
  open(call: ProviderCall, health: CallHealth): Promise<ProviderStream>;
  /** Waits for running calls, then closes the connections. */
  close(): Promise<void>;
}

/** Factor of the first-byte timeout for whole replies, whose first byte comes after the last token. */
const WHOLE_REPLY_FACTOR = 5;

const STREAMED = { accept: 'text/event-stream', firstByteFactor: 1 } as const;
const WHOLE = { accept: 'application/json', firstByteFactor: WHOLE_REPLY_FACTOR } as const;

export interface HttpProviderParts {
  readonly connection: UpstreamConnection;
  readonly dialect: Dialect;
  readonly ports: ProviderPorts;
}

/** Timeout of the gateway's own calls, unless the upstream's is shorter. */
const PROBE_MILLISECONDS = 30_000;
/** Output limit of a probe: a thinking budget needs room within it. The gateway does not read the reply. */
const PROBE_OUTPUT = tokenCount(4_096);
/** Name of omitted reasoning in usage records, whatever the server's field is called. */
const REASONING = 'reasoning';
const REASONING_FIELDS: readonly string[] = ['reasoning_effort', 'thinking', 'reasoning', 'chat_template_kwargs', 'output_config'];

interface Asked {
  readonly answer: Answer;
  readonly terms: RequestTerms;
  /** Parameters that the model's rules omit or change. */
  readonly ruledOut: readonly string[];
}

export class HttpProvider implements UpstreamProvider {
  readonly #probes = new Set<AbortController>();
  /**
   * Number of calls that `open` has not answered yet. A set of their promises would keep each call in memory until a full garbage collection, as
   * `TransientMap` explains.
   */
  #opening = 0;
  #isClosing = false;
  #whenNoneOpens: (() => void)[] = [];

  constructor(private readonly parts: HttpProviderParts) {}

  async open(asked: ProviderCall, health: CallHealth): Promise<ProviderStream> {
    const { dialect } = this.parts;
    this.#opening += 1;
    try {
      const { request, clientNames } = sendableRequest(asked.request, dialect.callIdLimit);
      const call = request === asked.request ? asked : { ...asked, request };
      const { answer, terms, ruledOut } = await this.#ask(call);
      const omitted = omittedSettings(ruledOut, call, leavesOutReasoning(call, terms, dialect));
      const reader = readerFor(call, new BlockWriter(clientNames), { head: answer.head, dialect });
      return new UpstreamStream(answer.call, reader, { health, omitted, isEventStream: reader instanceof StreamedReplyReader });
    } catch (thrown) {
      throw thrown instanceof GatewayError || thrown instanceof UpstreamFailure ? thrown : new UpstreamFailure('not-sent', 'the gateway could not encode the request', thrown);
    } finally {
      this.#opening -= 1;
      if (this.#opening === 0) this.#wakeClosing();
    }
  }

  #wakeClosing(): void {
    for (const resolve of this.#whenNoneOpens.splice(0)) resolve();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const probe of this.#probes) probe.abort();
    if (this.#opening > 0) {
      await new Promise<void>((resolve) => {
        this.#whenNoneOpens.push(resolve);
      });
    }
    await this.parts.connection.close();
  }

  /**
   * Sends the call. If its reasoning fields, or the reasoning of earlier turns, may have caused a refusal, repeats it without them, or with the
   * vendor's placeholder for earlier reasoning. If only the fields were left out, a probe finds out whether the server refuses them, which the
   * success of the repetition does not show.
   */
  async #ask(call: ProviderCall): Promise<Asked> {
    const { dialect, ports: { reasoningRefusals } } = this.parts;
    const terms: RequestTerms = { reasoning: reasoningRefusals.has(call) ? 'model-default' : call.request.reasoning, continuation: 'sent' };
    try {
      return await this.#send(call, terms);
    } catch (failure) {
      const reduced = termsAfterRefusal(failure, call, { terms, dialect });
      if (reduced === null) throw failure;
      const sent = await this.#send(call, reduced);
      if (reduced.continuation === 'sent') void reasoningRefusals.suspect(call, (reasoning) => this.#probe(call, reasoning));
      return sent;
    }
  }

  #send(call: ProviderCall, terms: RequestTerms): Promise<Asked> {
    const { connection, dialect: { endpoint } } = this.parts;
    const { body, fields, omitted } = this.#encode(call, terms);
    const { accept, firstByteFactor } = call.delivery === 'stream' ? STREAMED : WHOLE;
    const { accountId, signal, requestId, model: { slug }, target } = call;
    const asking = connection.ask({ endpoint, body, accept, firstByteFactor, accountId, signal, requestId });
    return asking.then((answer) => ({ answer, terms, ruledOut: omitted }), (failure: unknown) => {
      noteSetting(failure, { fields, model: slug, target });
      throw failure;
    });
  }

  /** A method of its own, so that the text is not kept while the call waits. */
  #encode(call: ProviderCall, terms: RequestTerms): Pick<EncodedRequest, 'fields' | 'omitted'> & { readonly body: RequestBody } {
    const { connection, dialect } = this.parts;
    const encoded = dialect.encodeRequest(call, terms);
    return { body: requestBody(encoded, connection.transport), fields: encoded.fields, omitted: encoded.omitted };
  }

  /** Makes a call of the gateway itself with this reasoning setting. Does not wait for the reply's body. */
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

interface AnsweredBy {
  readonly head: ReplyHead;
  readonly dialect: Dialect;
}

/** Chooses the reader by the reply's content type, since servers may stream or not regardless of the request. */
function readerFor(call: ProviderCall, writer: BlockWriter, { head: { contentType }, dialect }: AnsweredBy): ReplyReader {
  const assembler = dialect.assemblerFor(call, writer);
  const isStream = contentType === 'text/event-stream' || (call.delivery === 'stream' && !contentType.endsWith('json'));
  return isStream ? new StreamedReplyReader(writer, assembler) : new WholeReplyReader(writer, assembler);
}

export interface RequestTerms {
  /** The call's own setting, or `model-default` if the server refuses it. */
  readonly reasoning: Reasoning;
  /**
   * Treatment of reasoning and opaque data of earlier turns. `sent`: according to the upstream's options. `replaced`: by the vendor's placeholder.
   */
  readonly continuation: 'sent' | 'omitted' | 'replaced';
}

/** Requests and replies of one kind of model server. */
export interface Dialect {
  /** Path of the endpoint, relative to the base address. */
  readonly endpoint: string;
  /** Maximum length of a tool call's id, in characters. */
  readonly callIdLimit: number;
  encodeRequest(call: ProviderCall, terms: RequestTerms): EncodedRequest;
  /** True if the body has a reasoning field. */
  hasReasoningField(call: ProviderCall, reasoning: Reasoning): boolean;
  /** True if other fields of the request prevent reasoning. */
  foregoesReasoning?(call: ProviderCall, reasoning: Reasoning): boolean;
  assemblerFor(call: ProviderCall, writer: BlockWriter): ReplyAssembler;
}

const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 422]);

/** True if the server refused the request itself. */
function isRefusal(failure: unknown): failure is UpstreamFailure & { readonly cause: UpstreamReply } {
  if (!(failure instanceof UpstreamFailure) || failure.reason !== 'refused') return false;
  return REFUSAL_STATUSES.has((failure.cause as UpstreamReply).status);
}

/** Adds the catalogue setting that may prevent the refusal. */
function noteSetting(failure: unknown, request: RefusedRequest): void {
  if (isRefusal(failure)) failure.setting = helpfulSetting(failure.cause, request);
}

interface SentRequest {
  readonly terms: RequestTerms;
  readonly dialect: Dialect;
}

/** Terms for repeating a refused call; `null` if the failure is no refusal, or the request has no reasoning to leave out. */
function termsAfterRefusal(failure: unknown, call: ProviderCall, { terms: { reasoning }, dialect }: SentRequest): RequestTerms | null {
  if (!isRefusal(failure)) return null;
  const { conversation } = call.request;
  if (hasToolCalls(conversation) && speaksOfThoughtSignature(failure.cause)) return { reasoning, continuation: 'replaced' };
  const isAboutContinuation = hasContinuation(conversation) && speaksOfContinuation(failure.cause);
  if (!isAboutContinuation && (!dialect.hasReasoningField(call, reasoning) || isRuled(call, REASONING_FIELDS))) return null;
  return { reasoning: 'model-default', continuation: isAboutContinuation ? 'omitted' : 'sent' };
}

/** Names of the omitted settings for usage records, without duplicates. */
function omittedSettings(ruledOut: readonly string[], { request: { outputSchema } }: ProviderCall, omitsReasoning: boolean): readonly string[] {
  const isSchema = (name: string): boolean => name === 'output_config' && outputSchema !== null;
  const settings = ruledOut.map((name) => (REASONING_FIELDS.includes(name) && !isSchema(name) ? REASONING : name));
  const all = omitsReasoning ? [REASONING, ...settings] : settings;
  return all.filter((name, index) => all.indexOf(name) === index);
}

function leavesOutReasoning(call: ProviderCall, { reasoning, continuation }: RequestTerms, dialect: Dialect): boolean {
  if (continuation === 'omitted') return true;
  const asked = call.request.reasoning;
  // With `on`, which sets no amount of reasoning, the field that a model's rule omits may be the only reasoning field.
  if (asked === 'on' && isRuled(call, REASONING_FIELDS)) return true;
  if (reasoning !== asked) return dialect.hasReasoningField(call, asked);
  return dialect.foregoesReasoning?.(call, reasoning) ?? false;
}
