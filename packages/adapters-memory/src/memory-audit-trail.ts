import { createHash, randomBytes } from 'node:crypto';
import {
  ACCOUNT_VIEWED, type AccountId, MAX_AUDIT_PAGE, auditCursorOf, type AuditedAct, type AuditedBy, type AuditPage, type AuditQuery,
  type AuditRecord, type AuditTrail, type AuditTrailVerification, invariant, type PersonalText, personalTextsOf, readAuditCursor,
  startOfNextUtcDay, startOfUtcDay,
} from '@tollgate/core';

/** An audited act; `hash` covers the act, the digests of its personal texts and the previous entry. */
export interface AuditEntry extends Omit<AuditedAct, 'texts'> {
  readonly number: number;
  readonly digests: readonly string[];
  readonly hash: string;
}

interface SaltedText extends PersonalText {
  readonly salt: string;
}

const BEFORE_THE_FIRST = '';
const SALT_BYTES = 16;

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function digestOf({ field, owner, salt, text }: SaltedText): string {
  return JSON.stringify([field, owner, sha256(salt + text)]);
}

function hashOf({ actor, action, subject, accountId, details, at, digests }: Omit<AuditEntry, 'number' | 'hash'>, before: string): string {
  return sha256(JSON.stringify([before, actor.kind, actor.id, actor.origin.place, actor.origin.via, action, subject, accountId, details, at, digests]));
}

/** Audit log in memory. Entries are append-only; personal texts are stored separately and can be erased. */
export class MemoryAuditTrail implements AuditTrail {
  readonly #entries: AuditEntry[] = [];
  readonly #texts = new Map<number, readonly SaltedText[]>();

  get entries(): readonly AuditEntry[] {
    return this.#entries;
  }

  record(act: AuditedAct): void {
    const number = this.#entries.length + 1;
    const texts = personalTextsOf(act).map((text) => ({ ...text, salt: randomBytes(SALT_BYTES).toString('hex') }));
    const { actor, action, subject, accountId, details, at } = act;
    const origin = { ...actor.origin, user: null, address: null };
    const entry = { actor: { ...actor, origin }, action, subject, accountId, details, at, digests: texts.map(digestOf) };
    this.#entries.push({ ...entry, number, hash: hashOf(entry, this.#entries.at(-1)?.hash ?? BEFORE_THE_FIRST) });
    this.#texts.set(number, texts);
  }

  /** Erases the texts that belong to these people and accounts; the entries and their hashes are unchanged. */
  eraseTexts(owners: readonly string[]): void {
    for (const [number, texts] of this.#texts) this.#texts.set(number, texts.filter(({ owner }) => !owners.includes(owner)));
  }

  verifyAuditTrail(): Promise<AuditTrailVerification> {
    const broken = this.#entries.find((entry, position) => !this.#isSound(entry, this.#entries[position - 1]?.hash ?? BEFORE_THE_FIRST));
    return Promise.resolve({ entries: this.#entries.length, firstBrokenEntry: broken?.number ?? null, fault: broken === undefined ? null : 'altered' });
  }

  async list({ cursor, limit, ...filters }: AuditQuery): Promise<AuditPage | null> {
    invariant(limit >= 1 && limit <= MAX_AUDIT_PAGE, 'pages of the audit log are bounded');
    const after = cursor === null ? null : readAuditCursor(cursor);
    if (cursor !== null && after === null) return null;
    const found = this.#entries.filter((entry) => matches(entry, filters) && (after === null || compare(entry, after) < 0)).toSorted((one, other) => compare(other, one));
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { records: found.slice(0, limit).map((entry) => this.#recordOf(entry)), nextCursor: last === undefined ? null : auditCursorOf(last) };
  }

  append(act: AuditedAct): Promise<void> {
    this.record(act);
    return Promise.resolve();
  }

  async recordView(accountId: AccountId, { actor, at }: AuditedBy): Promise<boolean> {
    const today = { accountId, actorKind: null, actorId: actor.id, action: ACCOUNT_VIEWED, from: startOfUtcDay(at), to: startOfNextUtcDay(at) };
    if (this.#entries.some((entry) => matches(entry, today))) return false;
    this.record({ actor, at, action: ACCOUNT_VIEWED, subject: accountId, accountId, details: {} });
    return true;
  }

  #isSound(entry: AuditEntry, before: string): boolean {
    return entry.hash === hashOf(entry, before) && (this.#texts.get(entry.number) ?? []).every((text) => entry.digests.includes(digestOf(text)));
  }

  #recordOf({ actor: { kind, id, origin: { place, via } }, number, at, action, subject, accountId, details }: AuditEntry): AuditRecord {
    const { user = null, address = null, ...texts } = Object.fromEntries((this.#texts.get(number) ?? []).map(({ field, text }) => [field, text]));
    return { number, at, actor: { kind, id }, origin: { place, user, address, via }, action, subject, accountId, details, texts };
  }
}

function matches({ accountId, actor, action, at }: AuditEntry, filters: Omit<AuditQuery, 'cursor' | 'limit'>): boolean {
  return [[filters.accountId, accountId], [filters.actorKind, actor.kind], [filters.actorId, actor.id], [filters.action, action]]
    .every(([wanted, found]) => wanted === null || wanted === found)
    && (filters.from === null || at >= filters.from) && (filters.to === null || at < filters.to);
}

function compare(first: Pick<AuditEntry, 'at' | 'number'>, second: Pick<AuditEntry, 'at' | 'number'>): number {
  return first.at - second.at || first.number - second.number;
}
