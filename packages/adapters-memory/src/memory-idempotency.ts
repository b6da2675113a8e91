import {
  type AccountId, type ClaimOutcome, type ClaimProlongation, type FinishCommand, type IdempotencyClaim, type IdempotencyClaimName, type IdempotencyStore,
  type Instant, type ReleaseCommand, REPLY_SWEEP_BYTES, type RequestId, type StoredReply, wasPaidToItsEnd,
} from '@tollgate/core';
import type { MemoryLedger } from './memory-ledger.js';
import type { UsageJournal } from './usage-journal.js';

interface FinishedReply {
  readonly reply: StoredReply | null;
  readonly replyBytes: number | null;
}

interface Entry {
  readonly claim: IdempotencyClaim;
  readonly expiresAt: Instant;
  /** `null` while the request runs, and after its claim became void. */
  readonly finished: FinishedReply | null;
  readonly isVoid: boolean;
  readonly predecessor: RequestId | null;
}

export interface MemoryIdempotencyPorts {
  readonly ledger: MemoryLedger;
  readonly usage: UsageJournal;
}

/** Maximum number of entries that one sweep changes or removes. */
const MAX_SWEEP = 500;

/** Idempotency keys in a map. Every operation is one synchronous step, and therefore atomic. */
export class MemoryIdempotency implements IdempotencyStore {
  readonly #entries = new Map<string, Entry>();
  /** Accounts whose replies were erased; none is stored for them afterwards. Never pruned: deleted accounts stay in memory too. */
  readonly #erased = new Set<AccountId>();

  constructor(private readonly ports: MemoryIdempotencyPorts) {}

  async claim(claim: IdempotencyClaim): Promise<ClaimOutcome> {
    const name = nameOf(claim);
    const entry = this.#entries.get(name);
    if (entry === undefined || entry.expiresAt <= claim.at || entry.isVoid) {
      const predecessor = entry === undefined ? null : predecessorOf(entry, claim);
      this.#entries.set(name, { claim, expiresAt: claim.expiresAt, finished: null, isVoid: false, predecessor });
      return { outcome: 'claimed', predecessor };
    }
    const { requestId, fingerprint } = entry.claim;
    if (requestId === claim.requestId) return { outcome: 'claimed', predecessor: entry.predecessor };
    if (fingerprint !== claim.fingerprint) return { outcome: 'other-request', requestId };
    return entry.finished === null ? { outcome: 'running', requestId } : { outcome: 'finished', requestId, replyBytes: entry.finished.replyBytes };
  }

  async prolong({ ownerId, requests, expiresAt }: ClaimProlongation): Promise<void> {
    for (const [name, entry] of this.#entries) {
      const isRunning = entry.finished === null && !entry.isVoid && entry.claim.ownerId === ownerId && requests.includes(entry.claim.requestId);
      if (isRunning && entry.expiresAt < expiresAt) this.#entries.set(name, { ...entry, expiresAt });
    }
  }

  async reply(name: IdempotencyClaimName): Promise<StoredReply | null> {
    const entry = this.#entries.get(nameOf(name));
    return entry?.claim.requestId === name.requestId ? entry.finished?.reply ?? null : null;
  }

  async finish(command: FinishCommand): Promise<void> {
    const entry = this.#unfinished(command);
    if (entry === null) return;
    const reply = this.#erased.has(command.accountId) ? null : command.reply;
    this.#entries.set(nameOf(command), { ...entry, expiresAt: command.expiresAt, finished: finishedWith(reply), isVoid: false });
  }

  async release(command: ReleaseCommand): Promise<void> {
    const entry = this.#unfinished(command);
    if (entry === null) return;
    if (entry.predecessor === null) this.#entries.delete(nameOf(command));
    else this.#entries.set(nameOf(command), { ...entry, claim: { ...entry.claim, requestId: entry.predecessor }, expiresAt: command.keptUntil, isVoid: true, predecessor: null });
  }

  async sweep(now: Instant, keptUntil: Instant): Promise<number> {
    const due = [...this.#entries.values()].filter((entry) => entry.expiresAt <= now || this.#isOrphaned(entry, now)).slice(0, MAX_SWEEP);
    let [swept, bytes] = [0, 0];
    for (const entry of due) {
      if (bytes >= REPLY_SWEEP_BYTES) return swept;
      swept += 1;
      bytes += entry.finished?.replyBytes ?? 0;
      const { accountId, requestId } = entry.claim;
      const record = entry.finished === null && !entry.isVoid ? this.ports.usage.find(accountId, requestId) : null;
      const isCharged = record !== null && wasPaidToItsEnd(record);
      if (isCharged) this.#entries.set(nameOf(entry.claim), { ...entry, expiresAt: keptUntil, finished: finishedWith(null) });
      else if (entry.finished !== null || entry.isVoid) this.#entries.delete(nameOf(entry.claim));
      else this.#entries.set(nameOf(entry.claim), { ...entry, expiresAt: keptUntil, isVoid: true });
    }
    return swept;
  }

  eraseAll(accountId: AccountId): void {
    this.#erased.add(accountId);
    for (const [name, { claim }] of this.#entries) if (claim.accountId === accountId) this.#entries.delete(name);
  }

  #isOrphaned({ finished, isVoid, claim }: Entry, now: Instant): boolean {
    return finished === null && !isVoid && !this.ports.ledger.isAlive(claim.ownerId, now);
  }

  #unfinished(claim: IdempotencyClaimName): Entry | null {
    const entry = this.#entries.get(nameOf(claim));
    return entry === undefined || entry.finished !== null || entry.claim.requestId !== claim.requestId ? null : entry;
  }
}

/** The first request that used the key with this fingerprint, if that request's end is unknown; otherwise `null`. */
function predecessorOf({ claim, finished, isVoid, expiresAt, predecessor }: Entry, { fingerprint, at }: IdempotencyClaim): RequestId | null {
  const isOpen = finished === null && (!isVoid || expiresAt > at);
  return isOpen && claim.fingerprint === fingerprint ? predecessor ?? claim.requestId : null;
}

function finishedWith(reply: StoredReply | null): FinishedReply {
  return { reply, replyBytes: reply === null ? null : Buffer.byteLength(JSON.stringify(reply)) };
}

function nameOf({ accountId, key }: IdempotencyClaimName): string {
  return JSON.stringify([accountId, key]);
}
