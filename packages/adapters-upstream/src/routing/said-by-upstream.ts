import { isNativeError } from 'node:util/types';
import { type JsonObject, type JsonValue, printable } from '@tollgate/core';
import { asObject, asText, parseObject } from '../json-access.js';
import type { UpstreamDefinition } from '../upstream-definition.js';
import { isUpstreamReply, type UpstreamFailure } from '../upstream-failure.js';

/** Longest text of an upstream in a log line. */
const MOST_CHARACTERS = 500;
/** Shorter values are placeholders, which would redact ordinary words. */
const LEAST_SECRET_CHARACTERS = 8;
const REDACTED = '[redacted]';

/** Secrets in the usual forms, of any owner. The group before them stays. */
const SECRET_FORMS: readonly RegExp[] = [
  /(\bbearer\s+)[^\s"',;}]+/gi,
  /(\b(?:api[-_ ]?key|x-api-key|authorization|access[-_]?token|password|secret)["']?\s?[:=]\s?["']?)[^\s"',;}]{4,}/gi,
  /()\b(?:sk|pk|rk|key|hf|gsk)[-_][\w*.-]{6,}/gi,
];

const WHITE_SPACE = /\s+/g;
/** The secrets that an upstream is told, and so may repeat. */
export function secretsOf(definition: UpstreamDefinition): readonly string[] {
  if (definition.kind === 'sandbox') return [];
  const { username, password, searchParams } = new URL(definition.baseUrl);
  const secrets = [definition.apiKey ?? '', username, password, decodeURIComponent(password), ...searchParams.values()];
  return secrets.filter((secret) => secret.length >= LEAST_SECRET_CHARACTERS);
}

/** What the upstream, or the connection to it, said of a failure: one line of at most 500 characters that is safe to print, without secrets. `null` where it said nothing. */
export function saidByUpstream({ cause }: UpstreamFailure, secrets: readonly string[]): string | null {
  const line = printable(redact(textOf(cause), secrets).replace(WHITE_SPACE, ' ').trim());
  if (line === '') return null;
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line;
}

function textOf(cause: unknown): string {
  if (typeof cause === 'string') return cause;
  if (isUpstreamReply(cause)) return messageIn(cause.body);
  if (!isNativeError(cause)) return '';
  // Attempts over several addresses of a host fail together, without a message of their own.
  return 'errors' in cause && Array.isArray(cause.errors) ? cause.errors.map(textOf).join('; ') : cause.message;
}

/** Servers put their sentence in `error.message`, `error`, `message` or `detail`; of another body all is taken. */
function messageIn(body: string): string {
  const object = parseObject(body);
  if (object === null) return body;
  return sentenceIn(asObject(object['error']) ?? object) ?? body;
}

function sentenceIn(error: JsonObject): string | null {
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
