import { encodeCredits } from '@tollgate/wire-kit';
import { findAccount } from '../program/find-account.js';
import type { OperatorSession } from '../program/operator-session.js';
import { type Report, tableOr, time } from '../program/report.js';

export async function listCredits(session: OperatorSession, idOrEmail: string): Promise<Report> {
  const account = await findAccount(session, idOrEmail);
  const credits = await session.store.credits.list(account.id);
  const rows = credits.map(({ entry, reference, amount, left, expiresAt }) => [String(entry), reference ?? '', amount.toString(), left.toString(), time(expiresAt, 'never')]);
  return { json: encodeCredits(credits), lines: tableOr('Nothing is left of any credit.', ['entry', 'reference', 'credited', 'left', 'expires'], rows) };
}
