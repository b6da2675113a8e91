import { isNativeError } from 'node:util/types';
import { type JsonObject, type JsonValue, printable, ProviderFailure, type ProviderFailureKind, type UpstreamDefinition } from '@tollgate/core';
import { asObject, asText, parseObject } from './json-access.js';

/** What went wrong with an upstream, for logs, metrics and circuits. */
export type UpstreamFailureReason =
  /** Refused or timed-out connections, TLS, DNS, resets before any byte. */
  | 'connect-failed'
  /** No first byte in time, silence in the middle of a reply, or no free connection where their number is bounded. */
  | 'timed-out'
  /** Status 502, 503 or 504. */
  | 'server-unavailable'
  /** Status 408 and all of 500 and above but those. */
  | 'server-error'
  /** The whole generation took longer than it may. */
  | 'too-long-running'
  | 'cut-off' | 'malformed-reply' | 'redirected' | 'rate-limited'
  | 'bad-credentials' | 'payment-required' | 'model-unknown' | 'refused' | 'context-too-long' | 'circuit-open'
  | 'not-configured' | 'cancelled';

const KIND_BY_REASON: Partial<Record<UpstreamFailureReason, ProviderFailureKind>> = {
  'refused': 'rejected',
  'context-too-long': 'too-long',
};

const NEEDS_OPERATOR: ReadonlySet<UpstreamFailureReason> = new Set(['bad-credentials', 'payment-required', 'model-unknown', 'redirected', 'not-configured']);

/** A provider failure that says why. The message names no host and no key; what the upstream said is in `cause`. */
export class UpstreamFailure extends ProviderFailure {
  constructor(readonly reason: UpstreamFailureReason, message: string, cause?: unknown) {
    super(KIND_BY_REASON[reason] ?? 'unavailable', message, cause === undefined ? {} : { cause });
  }

  /** Whether it stays until an operator changes something, and so is worth an alert. */
  get needsOperator(): boolean {
    return NEEDS_OPERATOR.has(this.reason);
  }
}

/** The upstream keeps failing and takes no call for so long. */
export class CircuitOpenFailure extends UpstreamFailure {
  constructor(upstreamId: string, override readonly retryAfterSeconds: number) {
    super('circuit-open', `upstream ${upstreamId} keeps failing and is given a rest`);
  }
}

/** What the upstream said, cut to a length a log can take. */
export interface UpstreamReply {
  readonly status: number;
  readonly body: string;
}

export function isUpstreamReply(cause: unknown): cause is UpstreamReply {
  return typeof cause === 'object' && cause !== null && 'status' in cause && 'body' in cause;
}

export function asUpstreamFailure(thrown: unknown): UpstreamFailure {
  if (thrown instanceof UpstreamFailure) return thrown;
  return new UpstreamFailure('malformed-reply', 'the upstream sent a reply that could not be read', thrown);
}

/** What undici calls its own failures to connect; its other codes are about what was sent or read. */
const CONNECTION_CODES: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET']);

/** Whether it tells of the connection, or of what was sent or read over it. */
function isAboutConnection({ name, code = '' }: Error & { readonly code?: string }): boolean {
  return CONNECTION_CODES.has(code) || (!code.startsWith('UND_ERR_') && name !== 'HTTPParserError');
}

/** What an error before the head of a reply stands for. */
export function failureBeforeReply(error: Error): UpstreamFailure {
  if (!isAboutConnection(error)) return new UpstreamFailure('malformed-reply', 'the upstream did not answer in HTTP', error);
  return new UpstreamFailure('connect-failed', 'the upstream could not be reached or hung up before its reply', error);
}

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
