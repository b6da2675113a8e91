import type { JsonObject } from '@tollgate/core';
import { asNumber, asObject, asText, parseObject } from '../json-access.js';
import { UpstreamFailure, type UpstreamFailureReason, type UpstreamReply } from '../upstream-failure.js';

/** What servers say, in lower case, of a prompt that does not fit their context. */
const OVERFLOW_PHRASES = [
  'context_length_exceeded', 'context length', 'context window', 'context size', 'exceed_context', 'max_model_len',
  'prompt is too long', 'input is too long', 'prompt too long', 'too many tokens', 'maximum number of tokens',
];

const REFUSED_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

const REASON_BY_STATUS: Readonly<Record<number, UpstreamFailureReason>> = {
  401: 'bad-credentials',
  402: 'payment-required',
  403: 'bad-credentials',
  404: 'model-unknown',
  408: 'timed-out',
  429: 'rate-limited',
};

/** The failure that an error status stands for. */
export function failureOfReply(reply: UpstreamReply): UpstreamFailure {
  const { status, body } = reply;
  if (REFUSED_STATUSES.has(status)) {
    return isOverflow(body)
      ? new UpstreamFailure('context-too-long', 'the upstream says that the request does not fit the context', reply)
      : new UpstreamFailure('refused', `the upstream refused the request with status ${status}`, reply);
  }
  if (status >= 300 && status < 400) return new UpstreamFailure('redirected', `the upstream answered with a redirect, status ${status}`, reply);
  return new UpstreamFailure(REASON_BY_STATUS[status] ?? 'server-error', `the upstream answered with status ${status}`, reply);
}

/** The failure that an object tells of in place of a chunk or a completion; `null` when it tells of none. */
export function failureOfErrorObject(chunk: JsonObject): UpstreamFailure | null {
  const error = chunk['error'] ?? (chunk['object'] === 'error' ? chunk : null);
  if (error === null || error === false || error === '') return null;
  const details = asObject(error);
  const status = asNumber(details?.['code']) ?? asNumber(details?.['status']) ?? asNumber(chunk['status_code']) ?? statusOfType(details);
  return failureOfReply({ status, body: JSON.stringify(error) });
}

/** An error without a number is the server's own, unless its type says that the request is at fault. */
function statusOfType(details: JsonObject | null): number {
  const type = asText(details?.['type']);
  const code = asText(details?.['code']);
  return type === 'invalid_request_error' || code === 'context_length_exceeded' ? 400 : 500;
}

/** Only the words of the error count, not what it may quote of the request. */
function isOverflow(body: string): boolean {
  const error = asObject(parseObject(body)?.['error']) ?? parseObject(body);
  const said = error === null ? body : [error['code'], error['type'], error['message'], error['detail']].filter((part) => typeof part === 'string').join(' ');
  const lowerCase = said.toLowerCase();
  return OVERFLOW_PHRASES.some((phrase) => lowerCase.includes(phrase));
}
