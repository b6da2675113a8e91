import { type RequestId, type UsageRecord, explainCharge, rfc3339 } from '@tollgate/core';
import { encodeCharge } from '../../encoding/encode-booked-request.js';
import { encodeOwnedUsageRecord } from '../../encoding/encode-owned-usage-record.js';
import { CommandFailure } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { list, table } from '../../program/table.js';
import { findAccount } from '../../values/find-account.js';

/** One record, with its charge worked out from its own counts and prices. */
export async function showUsage(session: OperatorSession, idOrEmail: string, requestId: string): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  const record = await session.store.usage.find(id, requestId as RequestId);
  if (record === null) throw new CommandFailure(`the account has no request ${requestId}`);
  return { json: { usage: encodeOwnedUsageRecord(record), charge: encodeCharge(record) }, lines: linesOf(record) };
}

function linesOf(record: UsageRecord): readonly string[] {
  const { lines, rounding } = explainCharge(record);
  return [
    ...list({
      Request: record.requestId,
      Model: record.service?.servedBy ?? 'none',
      Ended: `${rfc3339(record.endedAt)}, ${record.reason}`,
      Tokens: record.usage.source,
    }),
    '',
    ...table(['CLASS', 'TOKENS', 'RATE', 'AMOUNT'], lines.map(({ tokenClass, count, rate, amount }) => [tokenClass, count, rate, amount])),
    '',
    ...list({
      Rounding: rounding,
      'Written off': record.writeOff.toString(),
      Charged: `${record.charge.amount.toString()} service tokens`,
      USD: record.charge.usd.toString(),
    }),
  ];
}
