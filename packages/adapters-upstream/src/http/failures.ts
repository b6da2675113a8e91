import type { JsonObject, ProviderCall, Reasoning } from '@tollgate/core';
import { asNumber, asObject, asText, parseObject } from '../json-access.js';
import { UpstreamFailure, type UpstreamFailureReason, type UpstreamReply } from '../upstream-failure.js';
import type { UpstreamCall } from './upstream-call.js';

/** What servers say, in lower case, of a prompt that does not fit their context. */
const OVERFLOW_PHRASES = [
  'context_length_exceeded', 'context length', 'context window', 'context size', 'exceed_context', 'max_model_len',
  'context limit', 'prompt is too long', 'input is too long', 'prompt too long', 'too many tokens', 'maximum number of tokens',
];

/** What servers say of an account of ours that cannot pay, with a status as if the request were at fault. */
const UNPAID_PHRASES = ['credit balance is too low'];

const REFUSED_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

const REASON_BY_STATUS: Readonly<Record<number, UpstreamFailureReason>> = {
  401: 'bad-credentials',
  402: 'payment-required',
  403: 'bad-credentials',
  404: 'model-unknown',
  429: 'rate-limited',
  502: 'server-unavailable',
  503: 'server-unavailable',
  504: 'server-unavailable',
};

/** The failure that an error status stands for. */
export function failureOfReply(reply: UpstreamReply): UpstreamFailure {
  const { status } = reply;
  if (REFUSED_STATUSES.has(status)) return failureOfRefusal(reply);
  if (status >= 300 && status < 400) return new UpstreamFailure('redirected', `the upstream answered with a redirect, status ${status}`, reply);
  return new UpstreamFailure(REASON_BY_STATUS[status] ?? 'server-error', `the upstream answered with status ${status}`, reply);
}

function failureOfRefusal(reply: UpstreamReply): UpstreamFailure {
  const said = wordsOf(reply.body);
  if (includesAny(said, OVERFLOW_PHRASES)) return new UpstreamFailure('context-too-long', 'the upstream says that the request does not fit the context', reply);
  if (includesAny(said, UNPAID_PHRASES)) return new UpstreamFailure('payment-required', 'the upstream says that its account cannot pay', reply);
  return new UpstreamFailure('refused', `the upstream refused the request with status ${reply.status}`, reply);
}

/** The failure that an object tells of in place of a chunk or a completion; `null` when it tells of none. */
export function failureOfErrorObject(chunk: JsonObject): UpstreamFailure | null {
  const error = chunk['error'] ?? (chunk['object'] === 'error' ? chunk : null);
  if (error === null || error === false || error === '') return null;
  const details = asObject(error);
  const status = asNumber(details?.['code']) ?? asNumber(details?.['status']) ?? asNumber(chunk['status_code']) ?? statusOfType(details);
  return failureOfReply({ status, body: JSON.stringify(error) });
}

/** The status that an error without a number would have had; an error of no known type is the server's own. */
const STATUS_BY_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  context_length_exceeded: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 408,
  overloaded_error: 529,
};

function statusOfType(details: JsonObject | null): number {
  for (const said of [asText(details?.['code']), asText(details?.['type'])]) {
    if (said !== null && Object.hasOwn(STATUS_BY_TYPE, said)) return STATUS_BY_TYPE[said] ?? 500;
  }
  return 500;
}

/** The words of an error in lower case, without what it may quote of the request. */
function wordsOf(body: string): string {
  const error = asObject(parseObject(body)?.['error']) ?? parseObject(body);
  const said = error === null ? body : [error['code'], error['type'], error['message'], error['detail']].filter((part) => typeof part === 'string').join(' ');
  return said.toLowerCase();
}

function includesAny(said: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => said.includes(phrase));
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
export function mayRefuseReasoning(failure: unknown): boolean {
  if (!(failure instanceof UpstreamFailure) || failure.reason !== 'refused') return false;
  return REFUSAL_STATUSES.has((failure.cause as UpstreamReply).status);
}

function keyOf({ target, request }: ProviderCall): string {
  return JSON.stringify([target.upstreamId, target.upstreamModel, request.reasoning]);
}

/** The whole reply as text. Throws `UpstreamFailure`. */
export async function readText(call: UpstreamCall): Promise<string> {
  const pieces: Uint8Array[] = [];
  for (let read = await call.read(); read !== null; read = await call.read()) pieces.push(...read);
  return Buffer.concat(pieces).toString('utf8');
}

/** Enough of an error to tell what it is, and for a log. */
const EXCERPT_BYTES = 64 * 1024;

/** The beginning of a reply as text; the rest is left unread. What breaks off while it is read ends there. */
export async function readExcerpt(call: UpstreamCall): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < EXCERPT_BYTES) {
    const read = await call.read().catch(() => null);
    if (read === null) break;
    for (const piece of read) length += piece.length;
    pieces.push(...read);
  }
  return Buffer.concat(pieces).subarray(0, EXCERPT_BYTES).toString('utf8');
}
