import type { JsonObject, JsonValue } from '@tollgate/core';
import { UpstreamFailure, type UpstreamFailureReason, type UpstreamReply } from '../upstream/upstream-failure.js';
import { errorIn } from './empty-events.js';
import { asNumber, asObject, asText } from './json-values.js';
import { includesAny, wordsOf } from './refusal-words.js';

/** Phrases, in lower case, of servers whose context the prompt exceeds. */
const OVERFLOW_PHRASES = [
  'context_length_exceeded', 'context length', 'context window', 'context size', 'exceed_context', 'max_model_len',
  'context limit', 'prompt is too long', 'input is too long', 'prompt too long', 'too many tokens', 'maximum number of tokens',
];

/** Phrases, in lower case, of servers that the operator has not paid, and whose status blames the request. */
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
  if (includesAny(said, UNPAID_PHRASES)) return new UpstreamFailure('payment-required', 'the upstream says that the account of the configured key cannot pay', reply);
  return new UpstreamFailure('refused', `the upstream refused the request with status ${reply.status}`, reply);
}

/** Throws the failure that an object reports. Ignores an `error` without any word or code. */
export function refuseError(chunk: JsonObject): void {
  const error = errorIn(chunk);
  if (error === null) return;
  const details = asObject(error);
  const status = statusIn(details?.['code']) ?? statusIn(details?.['status']) ?? statusIn(chunk['status_code']) ?? statusOfType(details);
  throw failureOfReply({ status, body: JSON.stringify(error) });
}

const ERROR_STATUS = /^[45]\d\d$/;

/** A status as a number or, as Azure states it, as a text. */
function statusIn(value: JsonValue | undefined): number | null {
  return ERROR_STATUS.test(asText(value) ?? '') ? Number(value) : asNumber(value);
}

/** Codes of the responses format for a reply that failed because of its request. */
const REFUSED_CODES = [
  'invalid_prompt', 'bio_policy', 'misalignment_policy_violation', 'data_residency_mismatch', 'invalid_image', 'invalid_image_format', 'invalid_base64_image',
  'invalid_image_url', 'image_too_large', 'image_too_small', 'image_parse_error', 'image_content_policy_violation', 'invalid_image_mode', 'image_file_too_large',
  'unsupported_image_media_type', 'empty_image_file', 'failed_to_download_image', 'image_file_not_found',
];

/** Status of errors that state none. Unknown types are failures of the server. */
const STATUS_BY_TYPE: Readonly<Record<string, number>> = {
  ...Object.fromEntries(REFUSED_CODES.map((code) => [code, 400])),
  invalid_request_error: 400,
  context_length_exceeded: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
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
