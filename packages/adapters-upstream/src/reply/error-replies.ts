import { isNativeError } from 'node:util/types';
import { type JsonObject, type JsonValue, printable, type UpstreamDefinition } from '@tollgate/core';
import { errorIn } from './empty-events.js';
import { asList, asNumber, asObject, asText, parseObject } from './json-values.js';
import { isUpstreamReply, UpstreamFailure, type UpstreamFailureReason, type UpstreamReply } from '../upstream/upstream-failure.js';

/** In lower case, for a prompt that exceeds the context. */
const OVERFLOW_PHRASES = [
  'context_length_exceeded', 'context length', 'context window', 'context size', 'exceed_context', 'max_model_len',
  'context limit', 'prompt is too long', 'input is too long', 'prompt too long', 'too many tokens', 'maximum number of tokens',
];

/** In lower case, for our unpaid account at the upstream, with a status that blames the request. */
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

/** Throws the failure that an object reports. Ignores an `error` without word and code. */
export function refuseError(chunk: JsonObject): void {
  const error = errorIn(chunk);
  if (error === null) return;
  const details = asObject(error);
  const status = asNumber(details?.['code']) ?? asNumber(details?.['status']) ?? asNumber(chunk['status_code']) ?? statusOfType(details);
  throw failureOfReply({ status, body: JSON.stringify(error) });
}

/** For errors without a status; unknown types are the server's own. */
const STATUS_BY_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  context_length_exceeded: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  invalid_prompt: 400,
  insufficient_quota: 402,
  timeout_error: 408,
  overloaded_error: 529,
};

function statusOfType(details: JsonObject | null): number {
  for (const said of [asText(details?.['code']), asText(details?.['type'])]) {
    if (said !== null && Object.hasOwn(STATUS_BY_TYPE, said)) return STATUS_BY_TYPE[said] ?? 500;
  }
  return 500;
}

/** The error object; `null` for none. Google's servers send a list of one. */
export function errorObjectIn(body: string): JsonObject | null {
  const object = parseObject(body, (text) => {
    const value = JSON.parse(text) as JsonValue;
    return Array.isArray(value) ? (value as readonly JsonValue[])[0] : value;
  });
  return object === null ? null : asObject(object['error']) ?? object;
}

/** In lower case, without quoted parts of the request. */
function wordsOf(body: string): string {
  const error = errorObjectIn(body);
  if (error === null) return body.toLowerCase();
  const details = asList(error['detail']).flatMap((detail) => [...asList(asObject(detail)?.['loc']), asObject(detail)?.['msg']]);
  return [error['code'], error['type'], error['message'], error['error'], error['detail'], ...details].filter((part) => typeof part === 'string').join(' ').toLowerCase();
}

/** In lower case, for data that servers get back: thinking, signatures, encrypted reasoning. */
const CONTINUATION_PHRASES = [
  'thinking', 'thought', 'signature', 'encrypted', 'reasoning_content', 'reasoning_details', 'extra_content', 'reasoning item', "'reasoning' item", 'reasoning block', "type 'reasoning'",
];

/** True if a refusal is about the reasoning of earlier turns. */
export function speaksOfContinuation({ body }: UpstreamReply): boolean {
  return includesAny(wordsOf(body), CONTINUATION_PHRASES);
}

/** True if a call's thought signature is missing or wrong. */
export function speaksOfThoughtSignature({ body }: UpstreamReply): boolean {
  return includesAny(wordsOf(body), ['thought_signature', 'thought signature', 'thoughtsignature']);
}

function includesAny(said: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => said.includes(phrase));
}

/** In a log line. */
const MAX_CHARACTERS = 500;
/** Shorter values are placeholders, whose redaction would remove ordinary words. */
const MIN_SECRET_CHARACTERS = 8;
const REDACTED = '[redacted]';

/** Common forms of secrets. The first group is kept. */
const SECRET_FORMS: readonly RegExp[] = [
  /(\bbearer\s+)[^\s"',;}]+/gi,
  /(\b(?:api[-_ ]?key|x-api-key|authorization|access[-_]?token|password|secret)["']?\s?[:=]\s?["']?)[^\s"',;}]{4,}/gi,
  /()\b(?:sk|pk|rk|key|hf|gsk)[-_][\w*.-]{6,}/gi,
];

const WHITE_SPACE = /\s+/g;

/** An upstream may repeat them. */
export function secretsOf(definition: UpstreamDefinition): readonly string[] {
  if (definition.kind === 'sandbox') return [];
  const { username, password, searchParams } = new URL(definition.baseUrl);
  const secrets = [definition.apiKey ?? '', username, password, decodeURIComponent(password), ...searchParams.values()];
  return secrets.filter((secret) => secret.length >= MIN_SECRET_CHARACTERS);
}

/** The upstream's or connection's message for the log: one line, at most 500 characters, without secrets. `null` for none. */
export function saidByUpstream({ cause }: UpstreamFailure, secrets: readonly string[]): string | null {
  const line = printable(redact(textOf(cause), secrets).replace(WHITE_SPACE, ' ').trim());
  if (line === '') return null;
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS - 1)}…` : line;
}

function textOf(cause: unknown): string {
  if (typeof cause === 'string') return cause;
  if (isUpstreamReply(cause)) return messageIn(cause.body);
  if (!isNativeError(cause)) return '';
  // Connection attempts to several addresses of a host fail with one AggregateError without a message.
  return 'errors' in cause && Array.isArray(cause.errors) ? cause.errors.map(textOf).join('; ') : cause.message;
}

/** Servers use `error.message`, `error`, `message` or `detail`; otherwise the whole body. */
function messageIn(body: string): string {
  const error = errorObjectIn(body);
  return (error === null ? null : sentenceIn(error)) ?? body;
}

export function sentenceIn(error: JsonObject): string | null {
  return asText(error['message']) ?? asText(error['error']) ?? detailIn(error['detail']);
}

function detailIn(detail: JsonValue | undefined): string | null {
  return detail === undefined ? null : asText(detail) ?? JSON.stringify(detail);
}

function redact(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) redacted = redacted.replaceAll(secret, REDACTED);
  for (const form of SECRET_FORMS) redacted = redacted.replace(form, `$1${REDACTED}`);
  return redacted;
}
