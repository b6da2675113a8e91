import { type Clock, GatewayError, type Instant, KeyClaimed, type MachineAnswer, type MachineClaim, type MachineClaims } from '@tollgate/core';
import type { Logger } from 'pino';
import type { AdminCall, AdminEndpoint } from './admin-endpoint.js';

interface RepeatableChangesPorts {
  readonly claims: MachineClaims;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Answered extends MachineAnswer {
  readonly isReplay: boolean;
}

/** After this time, the answer to a committed change counts as lost. */
const IN_FLIGHT_MILLISECONDS = 10_000;
const KEY_HEADER = 'Idempotency-Key';
const SECRET = 'secret';
const OK = 200;

/** Performs changes for machines: one effect and one answer per `Idempotency-Key`. */
export class RepeatableChanges {
  constructor(private readonly ports: RepeatableChangesPorts) {}

  /**
   * Performs the change, or replays the answer of an earlier request with the same key. Throws `idempotency_conflict` while the earlier
   * request runs, and if the key was used for a different request.
   */
  async perform(endpoint: AdminEndpoint, call: AdminCall): Promise<Answered> {
    const { actor: { claim } } = call;
    if (claim === undefined) return answerOf(endpoint, await endpoint.handle(call));
    const earlier = await this.replay(endpoint, call, claim);
    if (earlier !== null) return earlier;
    try {
      const reply = await endpoint.handle(call);
      if (await this.store(claim, { ...answerOf(endpoint, withoutSecret(endpoint, reply)), accountId: call.accountId })) return answerOf(endpoint, reply);
    } catch (thrown) {
      return await this.replayAfter(thrown, endpoint, call);
    }
    return this.replayAfter(new KeyClaimed(), endpoint, call);
  }

  /**
   * Replays the answer of a concurrent request with the same key, because its change may have made this one fail. Rethrows if there is no such
   * request.
   */
  private async replayAfter(thrown: unknown, endpoint: AdminEndpoint, call: AdminCall): Promise<Answered> {
    const { actor: { claim } } = call;
    const isLost = claim !== undefined && (thrown instanceof KeyClaimed || thrown instanceof GatewayError);
    const winner = isLost ? await this.replay(endpoint, call, claim) : null;
    if (winner === null) throw thrown;
    return winner;
  }

  /** `null` for a key that no other request has claimed. */
  private async replay(endpoint: AdminEndpoint, call: AdminCall, claim: MachineClaim): Promise<Answered | null> {
    const { claims, clock } = this.ports;
    const earlier = await claims.find(claim, clock.now());
    if (earlier === null || earlier.requestId === claim.requestId) return null;
    const { fingerprint, answer, subject, claimedAt } = earlier;
    if (fingerprint !== claim.fingerprint) throw conflict(`This ${KEY_HEADER} was used for another request.`, { isPermanent: true });
    if (answer !== null) return { ...answer, isReplay: true };
    if (isInFlight(claimedAt, clock.now())) throw conflict(`The request with this ${KEY_HEADER} is still running.`, { retryAfterSeconds: 1 });
    return { ...answerOf(endpoint, withoutSecret(endpoint, await endpoint.recover?.(call, { subject: subject ?? '', claimedAt }))), isReplay: true };
  }

  /**
   * Stores the answer. False if another request has claimed the key. A failure must not reach the client, because the change is committed; a repeated
   * request is then answered from the present state.
   */
  private async store(claim: MachineClaim, answer: Parameters<MachineClaims['storeAnswer']>[1]): Promise<boolean> {
    const { claims, clock, log } = this.ports;
    try {
      return await claims.storeAnswer(claim, answer, clock.now());
    } catch (err) {
      log.warn({ err, machineId: claim.machineId }, 'the answer to a change by a machine could not be stored');
      return true;
    }
  }
}

function isInFlight(claimedAt: Instant, now: Instant): boolean {
  return now - claimedAt < IN_FLIGHT_MILLISECONDS;
}

function conflict(message: string, details: { readonly isPermanent?: boolean; readonly retryAfterSeconds?: number }): GatewayError {
  return new GatewayError('idempotency_conflict', message, { param: KEY_HEADER, ...details });
}

function answerOf({ route }: AdminEndpoint, reply: unknown): Answered {
  return { status: route.status ?? OK, body: reply === undefined ? '' : JSON.stringify(reply), isReplay: false };
}

/** Secrets are never stored. */
function withoutSecret({ route: { secret = SECRET } }: AdminEndpoint, reply: unknown): unknown {
  return typeof reply === 'object' && reply !== null && secret in reply ? { ...reply, [secret]: null } : reply;
}
