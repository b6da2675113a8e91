import { type AccountId, type Actor, AUDIT_PAGE_MAXIMUM, type AuditQuery, type AuditRecord, type AuditTrail, type BookedMoneyAct, type Instant, later, NO_AUDIT_FILTERS } from '@tollgate/core';

export type Booker = Pick<Actor, 'kind' | 'id'>;

/** The act of the audit trail that an act of money is written with, in one transaction and at one instant. */
const ACTIONS: Readonly<Record<BookedMoneyAct['kind'], string>> = {
  'top-up': 'account.credited', 'signup-credit': 'account.signup-credit', refund: 'account.refund', correction: 'account.correction', forfeiture: 'account.deleted',
};

function nameOf(action: string, at: Instant, reference: unknown): string {
  return JSON.stringify([action, at, action === ACTIONS.forfeiture ? null : reference]);
}

/** All entries of these filters, newest first. */
async function allOf(auditTrail: AuditTrail, query: Omit<AuditQuery, 'limit' | 'cursor'>): Promise<readonly AuditRecord[]> {
  const records: AuditRecord[] = [];
  let cursor: string | null = null;
  do {
    const page = await auditTrail.list({ ...query, limit: AUDIT_PAGE_MAXIMUM, cursor });
    records.push(...page?.records ?? []);
    cursor = page?.nextCursor ?? null;
  } while (cursor !== null);
  return records;
}

/** Who booked each act of a page, as the audit trail has it; `null` where it has no entry. Reads about as many entries as there are acts. */
export async function bookersOf(accountId: AccountId, acts: readonly BookedMoneyAct[], auditTrail: AuditTrail): Promise<(act: BookedMoneyAct) => Booker | null> {
  const times = acts.map(({ at }) => at).toSorted((one, other) => one - other);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return () => null;
  const period = { ...NO_AUDIT_FILTERS, accountId, from: first, to: later(last, 1) };
  const actions = new Set(acts.map(({ kind }) => ACTIONS[kind]));
  const records = (await Promise.all([...actions].map((action) => allOf(auditTrail, { ...period, action })))).flat();
  const actors = new Map(records.map(({ action, at, details, actor }) => [nameOf(action, at, details['reference']), actor]));
  return ({ kind, at, reference }) => actors.get(nameOf(ACTIONS[kind], at, reference)) ?? null;
}
