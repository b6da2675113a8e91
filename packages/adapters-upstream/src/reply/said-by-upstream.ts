import { isNativeError } from 'node:util/types';
import { printable, type UpstreamDefinition } from '@tollgate/core';
import { isUpstreamReply, type UpstreamFailure } from '../upstream/upstream-failure.js';
import { errorObjectIn, sentenceIn } from './error-object.js';

/** Maximum length of the upstream's message in a log line. */
const MAX_CHARACTERS = 500;
/** Shorter values are placeholders; redacting them would remove ordinary words. */
const MIN_SECRET_CHARACTERS = 8;
const REDACTED = '[redacted]';

/** Patterns of common secrets; what the first group matches is not redacted. */
const SECRET_FORMS: readonly RegExp[] = [
  /(\bbearer\s+)[^\s"',;}]+/gi,
  /(\b(?:api[-_ ]?key|x-api-key|authorization|access[-_]?token|password|secret)["']?\s?[:=]\s?["']?)[^\s"',;}]{4,}/gi,
  /()\b(?:sk|pk|rk|key|hf|gsk)[-_][\w*.-]{6,}/gi,
];

const WHITE_SPACE = /\s+/g;

/** The secrets in a definition, because an upstream may repeat them. */
export function secretsOf(definition: UpstreamDefinition): readonly string[] {
  if (definition.kind === 'sandbox') return [];
  const { username, password, searchParams } = new URL(definition.baseUrl);
  const secrets = [definition.apiKey ?? '', username, password, decodeURIComponent(password), ...searchParams.values()];
  return secrets.filter((secret) => secret.length >= MIN_SECRET_CHARACTERS);
}

/** The message of an upstream or a connection, for the log: one line, at most 500 characters, without secrets. `null` if there is none. */
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

/** The message in a reply: servers use `error.message`, `error`, `message` or `detail`; otherwise the whole body. */
function messageIn(body: string): string {
  const error = errorObjectIn(body);
  return (error === null ? null : sentenceIn(error)) ?? body;
}

function redact(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) redacted = redacted.replaceAll(secret, REDACTED);
  for (const form of SECRET_FORMS) redacted = redacted.replace(form, `$1${REDACTED}`);
  return redacted;
}
