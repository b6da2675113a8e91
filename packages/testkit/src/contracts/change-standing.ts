import type { AccountId, AccountRepository, AuditedBy, StandingFacts } from '@tollgate/core';

/** Puts an account into a state, whatever the rules say about ways there. */
export async function changeStanding(accounts: AccountRepository, id: AccountId, differences: Partial<StandingFacts>, by: AuditedBy): Promise<void> {
  const from = await accounts.findById(id);
  if (from === null) throw new Error(`there is no account ${id}`);
  const { status, emailVerified, blocked, deletion } = { ...from, ...differences };
  await accounts.moveStanding(id, { from, to: { status, emailVerified, blocked, deletion }, action: 'account.changed' }, by);
}
