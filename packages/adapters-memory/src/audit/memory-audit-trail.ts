import { createHash } from 'node:crypto';
import type { Actor, AuditTrail, AuditTrailVerification, Instant } from '@tollgate/core';

/** What somebody did, to whom or what, and when. */
export interface AuditAct {
  readonly actor: Actor;
  /** A verb with its object, `account.created`. */
  readonly action: string;
  /** Id of what was changed. */
  readonly subject: string;
  readonly at: Instant;
}

/** An act as the trail keeps it; `hash` covers the act and the entry before. */
export interface AuditEntry extends AuditAct {
  readonly number: number;
  readonly hash: string;
}

const BEFORE_THE_FIRST = '';

/** The audit trail of the memory adapters: only ever appended to. */
export class MemoryAuditTrail implements AuditTrail {
  readonly #entries: AuditEntry[] = [];

  get entries(): readonly AuditEntry[] {
    return this.#entries;
  }

  record(act: AuditAct): void {
    const before = this.#entries.at(-1)?.hash ?? BEFORE_THE_FIRST;
    this.#entries.push({ ...act, number: this.#entries.length + 1, hash: hashOf(act, before) });
  }

  verifyAuditTrail(): Promise<AuditTrailVerification> {
    const broken = this.#entries.find((entry, position) =>
      entry.hash !== hashOf(entry, this.#entries[position - 1]?.hash ?? BEFORE_THE_FIRST));
    return Promise.resolve({ entries: this.#entries.length, firstBrokenEntry: broken?.number ?? null, fault: broken === undefined ? null : 'altered' });
  }
}

function hashOf({ actor, action, subject, at }: AuditAct, before: string): string {
  return createHash('sha256').update(JSON.stringify([before, actor.kind, actor.id, actor.origin.place, actor.origin.user, action, subject, at])).digest('hex');
}
