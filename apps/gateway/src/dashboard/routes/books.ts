import { MILLISECONDS_PER_SECOND, rfc3339 } from '@tollgate/core';
import { contract, type ReplyOf } from '@tollgate/api-contract';
import { timeOrNull } from '@tollgate/wire-kit';
import type { Reconciliation } from '../../background/reconciler.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';

export function booksEndpoints({ operations: { reconciler, outbox } }: DashboardPorts): readonly DashboardEndpoint[] {
  const state = (): Checks => {
    const { last, runningSince, failures, intervalMilliseconds } = reconciler;
    return {
      object: 'ledger_checks', running_since: timeOrNull(runningSince), last: last === null ? null : encodeCheck(last), failures,
      interval_seconds: intervalMilliseconds === null ? null : intervalMilliseconds / MILLISECONDS_PER_SECOND, settlements_waiting: outbox.waiting,
    };
  };
  return [
    endpoint(contract.ledgerChecks)(async () => state()),
    endpoint(contract.checkLedger)(async () => {
      void reconciler.check();
      return state();
    }),
  ];
}

type Checks = ReplyOf<typeof contract.ledgerChecks>;

function encodeCheck({ startedAt, at, accounts, entries, usageRecords, differences, named }: Reconciliation): NonNullable<Checks['last']> {
  return {
    started_at: rfc3339(startedAt), ended_at: rfc3339(at), accounts, entries, usage_records: usageRecords, differences,
    named_differences: named.map(({ invariant, accountId, expected, found }) => ({ invariant, account_id: accountId, expected, found })),
  };
}
