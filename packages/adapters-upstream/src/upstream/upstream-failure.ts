import { ProviderFailure, type ProviderFailureDetails, type ProviderFailureKind } from '@tollgate/core';

/** What went wrong with an upstream, for logs, metrics and circuits. */
export type UpstreamFailureReason =
  /** Refused or timed-out connections, TLS, DNS. */
  | 'connect-failed'
  /** The connection was reset or closed after the request was sent, before any byte of the reply. */
  | 'hung-up'
  /** No first byte in time, or silence in the middle of a reply. */
  | 'timed-out'
  /** Other calls held all connections, where their number is bounded. */
  | 'no-free-connection'
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
  'too-long-running': 'out-of-time',
};

const NEEDS_OPERATOR: ReadonlySet<UpstreamFailureReason> = new Set(['bad-credentials', 'payment-required', 'model-unknown', 'redirected', 'not-configured']);

/** A provider failure that says why. The message names no host and no key; what the upstream said is in `cause`. */
export class UpstreamFailure extends ProviderFailure {
  /** The setting of the catalogue that would keep the upstream from it; `null` where that is not known. */
  setting: string | null = null;

  constructor(readonly reason: UpstreamFailureReason, message: string, cause?: unknown) {
    super(KIND_BY_REASON[reason] ?? 'unavailable', message, cause === undefined ? {} : { cause, ...waitIn(cause) });
  }

  /** Whether it stays until an operator changes something, and so is worth an alert. */
  get needsOperator(): boolean {
    return NEEDS_OPERATOR.has(this.reason);
  }
}

/** The upstream keeps failing and takes no call for so long. */
export class CircuitOpenFailure extends UpstreamFailure {
  constructor(upstreamId: string, override readonly retryAfterSeconds: number) {
    super('circuit-open', `upstream ${upstreamId} keeps failing, so its circuit is open`);
  }
}

/** What the upstream said, cut to a length a log can take. */
export interface UpstreamReply {
  readonly status: number;
  readonly body: string;
  /** What its `retry-after` asks to wait; none if it has none that can be read. */
  readonly retryAfterSeconds?: number | null;
}

function waitIn(cause: unknown): Pick<ProviderFailureDetails, 'retryAfterSeconds'> {
  const seconds = isUpstreamReply(cause) ? cause.retryAfterSeconds ?? null : null;
  return seconds === null ? {} : { retryAfterSeconds: seconds };
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

/** A server that misses the gateway's certificate says so after the handshake of TLS 1.3. */
function isAboutTls({ code = '' }: Error & { readonly code?: string }): boolean {
  return code.startsWith('ERR_SSL_');
}

/** What an error before the head of a reply stands for; `isSent`: the request was written to a connection. */
export function failureBeforeReply(error: Error, isSent: boolean): UpstreamFailure {
  if (!isAboutConnection(error)) return new UpstreamFailure('malformed-reply', 'the upstream sent a response that is not HTTP', error);
  if (isSent && !isAboutTls(error)) return new UpstreamFailure('hung-up', 'the upstream closed the connection before its reply', error);
  return new UpstreamFailure('connect-failed', 'the upstream could not be reached', error);
}
