import { ProviderFailure, type ProviderFailureDetails, type ProviderFailureKind } from '@tollgate/core';

/** Why a call failed; for logs, metrics and circuits. */
export type UpstreamFailureReason =
  /** The connection was refused or timed out, or TLS or DNS failed. */
  | 'connect-failed'
  /** The server closed the connection after the request was sent, before the reply's headers were complete. */
  | 'hung-up'
  /** The reply's headers or its first output did not arrive in time, or the reply fell silent. */
  | 'timed-out'
  /** No connection within `max_connections` that the caller may take became free in time. */
  | 'no-free-connection'
  /** The server answered with status 502, 503 or 504, or stated it in its reply. */
  | 'server-unavailable'
  /** The server answered with another error status, such as 500 or 408, or reported a failure in its reply. */
  | 'server-error'
  /** The whole generation exceeded its timeout. */
  | 'too-long-running'
  | 'cut-off' | 'malformed-reply' | 'redirected' | 'rate-limited'
  | 'bad-credentials' | 'payment-required' | 'model-unknown' | 'refused' | 'context-too-long' | 'circuit-open'
  /** The gateway failed to encode the request. */
  | 'not-sent'
  | 'not-configured' | 'cancelled';

const KIND_BY_REASON: Partial<Record<UpstreamFailureReason, ProviderFailureKind>> = {
  'refused': 'rejected',
  'context-too-long': 'too-long',
  'too-long-running': 'out-of-time',
};

const NEEDS_OPERATOR: ReadonlySet<UpstreamFailureReason> = new Set(['bad-credentials', 'payment-required', 'model-unknown', 'redirected', 'not-configured']);

/** A failed call to an upstream. The message names no host or key; the upstream's words are in `cause`. */
export class UpstreamFailure extends ProviderFailure {
  /** The catalogue setting that may prevent the failure; `null` if unknown. */
  setting: string | null = null;

  constructor(readonly reason: UpstreamFailureReason, message: string, cause?: unknown) {
    super(KIND_BY_REASON[reason] ?? 'unavailable', message, cause === undefined ? {} : { cause, ...waitIn(cause) });
  }

  /** True if only an operator can remedy the failure, so that it is worth an alert. */
  get needsOperator(): boolean {
    return NEEDS_OPERATOR.has(this.reason);
  }
}

/** Refuses a call because the model's circuit is open. */
export class CircuitOpenFailure extends UpstreamFailure {
  constructor(upstreamId: string, override readonly retryAfterSeconds: number) {
    super('circuit-open', `upstream ${upstreamId} keeps failing, so its circuit is open`);
  }
}

/** An error status, of a reply or of an error within a reply. The body is the beginning of the reply, or the error. */
export interface UpstreamReply {
  readonly status: number;
  readonly body: string;
  /** Absent or `null` if `retry-after` is missing or invalid. */
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

/** undici's codes of connection failures; its other codes are about the exchanged data. */
const CONNECTION_CODES: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET']);

/** False if the error is about the exchanged data. */
function isAboutConnection({ name, code = '' }: Error & { readonly code?: string }): boolean {
  return CONNECTION_CODES.has(code) || (!code.startsWith('UND_ERR_') && name !== 'HTTPParserError');
}

/** True if the error is about TLS. With TLS 1.3, a missing client certificate is reported after the handshake. */
function isAboutTls({ code = '' }: Error & { readonly code?: string }): boolean {
  return code.startsWith('ERR_SSL_');
}

/** The failure of a call without a reply. `isSent`: the request was written to a connection. */
export function failureBeforeReply(error: Error, isSent: boolean): UpstreamFailure {
  if (!isAboutConnection(error)) return new UpstreamFailure('malformed-reply', 'the upstream sent a response that is not HTTP', error);
  if (isSent && !isAboutTls(error)) return new UpstreamFailure('hung-up', 'the upstream closed the connection before its reply', error);
  return new UpstreamFailure('connect-failed', 'the upstream could not be reached', error);
}
