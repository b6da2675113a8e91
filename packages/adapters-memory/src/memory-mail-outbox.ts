import type { Instant } from '@tollgate/core';
import {
  type ClaimedMail, type ClaimMailsCommand, type ListedMail, MAIL_BOUNDS, MAIL_RANKS, type MailBounds, type MailClaim, mailDomainOf, type MailEnd,
  type MailOutbox, type MailOutboxStatus, type MailPause, mailRoomFor, type StoredMail, type WaitingMails,
} from '@tollgate/identity';

interface Entry {
  readonly reference: string;
  /** `null` once the message has ended. */
  readonly mail: StoredMail | null;
  readonly id: StoredMail['id'];
  readonly storedAt: Instant;
  readonly state: ListedMail['state'];
  readonly lastFailure: string | null;
  readonly attempts: number;
  readonly dueAt: Instant;
  readonly endedAt: Instant | null;
  /** Until when a process delivers it. */
  readonly leasedUntil: Instant | null;
}

interface Waiting extends Entry { readonly mail: StoredMail }

function isWaiting(entry: Entry): entry is Waiting {
  return entry.mail !== null;
}

function byAge(first: Pick<ListedMail, 'id' | 'storedAt'>, second: Pick<ListedMail, 'id' | 'storedAt'>): number {
  return second.storedAt - first.storedAt || (first.id < second.id ? 1 : -1);
}

function byRank(one: Waiting, other: Waiting): number {
  return MAIL_RANKS.indexOf(one.mail.rank) - MAIL_RANKS.indexOf(other.mail.rank) || one.dueAt - other.dueAt;
}

/** Mail in a plain map. Every operation is one synchronous step, so nothing comes between. */
export class MemoryMailOutbox implements MailOutbox {
  readonly #entries = new Map<string, Entry>();

  async store(mail: StoredMail, bounds: MailBounds = MAIL_BOUNDS): Promise<'stored' | 'repeated' | 'full' | 'dropped'> {
    const kept = this.#entries.get(mail.reference);
    if (kept !== undefined) return kept.mail?.id === mail.id ? 'stored' : 'repeated';
    const room = mailRoomFor(mail.rank, this.#countWaiting(mail), bounds);
    if (room !== 'room') return room;
    this.#entries.set(mail.reference, { reference: mail.reference, mail, id: mail.id, storedAt: mail.storedAt, state: 'waiting', lastFailure: null, attempts: 0, dueAt: mail.storedAt, endedAt: null, leasedUntil: null });
    return 'stored';
  }

  async claim({ at, leaseExpiresAt, most, ranks }: ClaimMailsCommand): Promise<readonly ClaimedMail[]> {
    const waiting = this.#waiting();
    const busy = new Set(waiting.filter(({ leasedUntil }) => leasedUntil !== null && leasedUntil > at).map(({ mail }) => mailDomainOf(mail)));
    const due = waiting.filter(({ attempts, dueAt, mail }) => (attempts === 0 || dueAt <= at) && ranks.includes(mail.rank)).toSorted(byRank);
    const claimed: ClaimedMail[] = [];
    for (const entry of due) {
      const domain = mailDomainOf(entry.mail);
      if (claimed.length === most || busy.has(domain)) continue;
      busy.add(domain);
      const attempt = entry.attempts + 1;
      this.#entries.set(entry.reference, { ...entry, attempts: attempt, dueAt: leaseExpiresAt, leasedUntil: leaseExpiresAt });
      claimed.push({ ...entry.mail, attempt });
    }
    return claimed;
  }

  async putOff(claim: MailClaim, { until }: MailPause, failure: string): Promise<void> {
    const entry = this.#claimed(claim);
    if (entry !== null) this.#entries.set(entry.reference, { ...entry, dueAt: until, leasedUntil: null, lastFailure: failure });
  }

  async finish(claim: MailClaim, end: MailEnd, at: Instant): Promise<void> {
    const entry = this.#claimed(claim);
    if (entry === null) return;
    const lastFailure = end.state === 'given-up' ? end.failure : entry.lastFailure;
    this.#entries.set(entry.reference, { ...entry, mail: null, state: end.state, lastFailure, endedAt: at, leasedUntil: null });
  }

  async forget(endedBefore: Instant): Promise<void> {
    for (const { reference, endedAt } of this.#entries.values()) {
      if (endedAt !== null && endedAt < endedBefore) this.#entries.delete(reference);
    }
  }

  /** Forgets what waits for this address. */
  removeTo(recipient: string): void {
    for (const { reference, mail } of this.#waiting()) if (mail.to === recipient) this.#entries.delete(reference);
  }

  /** Removes messages whose reference begins so. */
  removeAbout(prefix: string): void {
    for (const reference of this.#entries.keys()) if (reference.startsWith(prefix)) this.#entries.delete(reference);
  }

  async list({ limit, after }: { readonly limit: number; readonly after: ListedMail | null }): Promise<readonly ListedMail[]> {
    const newest = [...this.#entries.values()].toSorted(byAge);
    return (after === null ? newest : newest.filter((entry) => byAge(entry, after) > 0)).slice(0, limit).map(({ mail, id, storedAt, state, attempts, lastFailure, dueAt, endedAt }) => (
      { id, to: mail?.to ?? null, subject: mail?.subject ?? null, state, attempts, lastFailure, storedAt, dueAt: mail === null ? null : dueAt, endedAt }));
  }

  async status(at: Instant): Promise<MailOutboxStatus> {
    const waiting = this.#waiting();
    const [next] = waiting.map(({ attempts, dueAt }) => (attempts === 0 ? at : dueAt)).toSorted((one, other) => one - other);
    return { waiting: waiting.length, nextDueAt: next ?? null };
  }

  #countWaiting({ to }: StoredMail): WaitingMails {
    const waiting = this.#waiting().map(({ mail }) => mail);
    const domain = mailDomainOf({ to });
    const unverified = waiting.filter(({ rank }) => rank === 'unverified');
    return {
      operators: waiting.filter(({ rank }) => rank === 'operator').length,
      verified: waiting.filter(({ rank }) => rank === 'verified').length,
      unverified: unverified.length,
      ofRecipient: waiting.filter((mail) => mail.to === to).length,
      unverifiedOfDomain: unverified.filter((mail) => mailDomainOf(mail) === domain).length,
    };
  }

  #waiting(): readonly Waiting[] {
    return [...this.#entries.values()].filter(isWaiting);
  }

  #claimed({ id, attempt }: MailClaim): Entry | null {
    return this.#waiting().find((entry) => entry.mail.id === id && entry.attempts === attempt) ?? null;
  }
}
