import { currencyDecimal, type Instant, rfc3339, type TopUpOverview } from '@tollgate/core';
import { encodeAutomaticTopUp } from '@tollgate/wire-kit';
import { findAccount } from '../program/find-account.js';
import type { OperatorSession } from '../program/operator-session.js';
import { list, type Report, type ReportPart } from '../program/report.js';

/** Shows the owner's settings of automatic top-up, the last charge, and what the next charge waits for. */
export async function showAutomaticTopUp(session: OperatorSession, idOrEmail: string): Promise<Report> {
  const account = await findAccount(session, idOrEmail);
  const { provider } = await session.paymentDesk();
  const overview = await session.store.topUps.overview(account.id, { provider: provider?.id ?? '', at: session.clock.now() });
  return { json: encodeAutomaticTopUp(account.id, overview, provider), lines: linesOf(overview) };
}

function triedAt(dueAt: Instant | null): string {
  return dueAt === null ? 'when the balance falls below the threshold' : rfc3339(dueAt);
}

function linesOf({ topUp, charges, lastCharge }: TopUpOverview): readonly ReportPart[] {
  if (topUp === null) return ['Automatic top-up was never switched on.'];
  const { settings: { threshold, packageId, amount, currency, maxPerDay, monthlyAmount }, isEnabled, stopped, waitsFor, dueAt, declines } = topUp;
  const money = (minor: bigint) => `${currencyDecimal({ amount: minor, currency })} ${currency}`;
  return list({
    status: isEnabled ? 'on' : 'off', ...(stopped === null ? {} : { 'switched off': `${stopped.reason}, ${rfc3339(stopped.at)}` }), 'below service tokens': threshold.toString(), package: packageId, charge: money(amount),
    today: `${charges.today} of at most ${maxPerDay} charges (UTC)`, 'this month': `${money(charges.thisMonth)} of at most ${money(monthlyAmount)} (UTC)`, 'declined in a row': declines, 'waits for': waitsFor,
    'next try': isEnabled ? triedAt(dueAt) : 'none', 'last charge': lastCharge === null ? 'none' : `${lastCharge.id} ${lastCharge.state}, ${rfc3339(lastCharge.createdAt)}`,
  });
}
