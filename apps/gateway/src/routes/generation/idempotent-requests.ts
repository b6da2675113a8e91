import type { IncomingHttpHeaders } from 'node:http';
import { createHash } from 'node:crypto';
import {
  assertNever, type ClaimOutcome, type Clock, GatewayError, type GatewayErrorDetails, type IdempotencyClaimName, type IdempotencyStore,
  later, MILLISECONDS_PER_DAY, type ProcessId, type RequestId, type StoredReply,
} from '@tollgate/core';
import type { Logger } from 'pino';

/** Name of the header in error messages. */
const IDEMPOTENCY_HEADER = 'Idempotency-Key';
const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;

const KEY_PATTERN = /^[\x20-\x7e]+$/;

/** `null` without the header. Throws `invalid_request` for an invalid key. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && key.length <= MAX_IDEMPOTENCY_KEY_CHARACTERS && KEY_PATTERN.test(key)) return key;
  const message = `The header ${IDEMPOTENCY_HEADER} must be 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} printable ASCII characters.`;
  throw new GatewayError('invalid_request', message, { param: IDEMPOTENCY_HEADER });
}

/** Retention of a key after the end of its request. */
export const IDEMPOTENCY_KEPT_MILLISECONDS = MILLISECONDS_PER_DAY;

interface IdempotentRequestsPorts {
  readonly idempotency: IdempotencyStore;
  readonly processId: ProcessId;
  readonly clock: Clock;
  readonly log: Logger;
}

interface IdempotentRequestsSettings {
  /** Time after which the key of a request expires, unless it is prolonged or the request has ended. */
  readonly claimLifetimeMilliseconds: number;
}

/** An earlier reply without its text. */
export interface EarlierReply extends IdempotencyClaimName {
  readonly bytes: number;
}

/** The earlier reply to replay, or a new request to serve. */
type BegunRequest =
  | { readonly earlier: EarlierReply }
  /** `purchaseOf`: the first request of the purchase; `null` for a new one. */
  | { readonly earlier: null; readonly purchaseOf: RequestId | null };

/** Serves requests with an idempotency key once, and replays their replies. */
export class IdempotentRequests {
  constructor(private readonly ports: IdempotentRequestsPorts, private readonly settings: IdempotentRequestsSettings) {}

  /**
   * Claims the key, or returns the earlier reply. Throws `idempotency_conflict` if the earlier request is running or has no stored reply, and
   * `invalid_request` if the key was used for another request.
   */
  async begin(claim: IdempotencyClaimName, fingerprint: string): Promise<BegunRequest> {
    const { idempotency, processId, clock } = this.ports;
    const at = clock.now();
    const expiresAt = later(at, this.settings.claimLifetimeMilliseconds);
    return begunBy(claim, await idempotency.claim({ ...claim, fingerprint, ownerId: processId, at, expiresAt }));
  }

  /** Rejects with `idempotency_conflict` if the reply is no longer stored. */
  async read({ bytes: _bytes, ...name }: EarlierReply): Promise<StoredReply> {
    const reply = await this.ports.idempotency.reply(name);
    if (reply === null) throw notKept(name);
    return reply;
  }

  /** Stores the reply. Never rejects: the client gets it whether or not it can be replayed. */
  async finish(claim: IdempotencyClaimName, reply: StoredReply | null): Promise<void> {
    const { idempotency, clock } = this.ports;
    const at = clock.now();
    await this.reporting(claim, idempotency.finish({ ...claim, reply, at, expiresAt: later(at, IDEMPOTENCY_KEPT_MILLISECONDS) }));
  }

  /** Frees the key. Never rejects. */
  async release(claim: IdempotencyClaimName): Promise<void> {
    const { idempotency, clock } = this.ports;
    const at = clock.now();
    await this.reporting(claim, idempotency.release({ ...claim, at, keptUntil: later(at, IDEMPOTENCY_KEPT_MILLISECONDS) }));
  }

  private async reporting({ requestId }: IdempotencyClaimName, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (err) {
      this.ports.log.error({ requestId, err }, 'the result of a request with an idempotency key could not be stored; its key stays taken until it expires');
    }
  }
}

function begunBy(name: IdempotencyClaimName, claimed: ClaimOutcome): BegunRequest {
  switch (claimed.outcome) {
    case 'claimed': return { earlier: null, purchaseOf: claimed.predecessor };
    case 'running': throw conflict(`The request with this ${IDEMPOTENCY_HEADER} is still running: ${claimed.requestId}.`);
    case 'other-request':
      throw new GatewayError('invalid_request', `This ${IDEMPOTENCY_HEADER} was used for another request: ${claimed.requestId}.`, { param: IDEMPOTENCY_HEADER });
    case 'finished':
      if (claimed.replyBytes === null) throw notKept(claimed);
      return { earlier: { ...name, requestId: claimed.requestId, bytes: claimed.replyBytes } };
    default: return assertNever(claimed);
  }
}

function notKept({ requestId }: Pick<IdempotencyClaimName, 'requestId'>): GatewayError {
  return conflict(`The reply to the request with this ${IDEMPOTENCY_HEADER} cannot be sent again: ${requestId}.`, { isPermanent: true });
}

function conflict(message: string, details: Pick<GatewayErrorDetails, 'isPermanent'> = {}): GatewayError {
  return new GatewayError('idempotency_conflict', message, { param: IDEMPOTENCY_HEADER, ...details });
}

/** Hash that is equal only for the same bytes at the same path. */
export function requestFingerprint(path: string, body: Uint8Array): string {
  return createHash('sha256').update(path).update('\n').update(body).digest('base64url');
}
