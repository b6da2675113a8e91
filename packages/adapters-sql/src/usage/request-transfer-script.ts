import { ALL_ACCOUNTS, type RequestId, type RequestTransfer, ServiceTokens, type UsageScope } from '@tollgate/core';
import { instantFromColumn } from '../schema/column-values.js';
import type { Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import { storableText } from '../text/storable-text.js';

const COLUMNS = ['seq', 'kind', 'amount', 'reference', 'at'] as const;

/** What the ledger holds of a request that has ended; each of its look-ups has an index. */
export function* requestTransfers(queries: Queries, scope: UsageScope, requestId: RequestId): Script<readonly RequestTransfer[]> {
  const id = storableText(requestId);
  const record = yield* firstOf(queries.selectFrom('usage_records').select(['account_id', 'reservation_id']).where('request_id', '=', id));
  if (record === null || (scope !== ALL_ACCOUNTS && record.account_id !== scope)) return [];
  const charges = yield* rowsOf(queries.selectFrom('ledger_entries').select(COLUMNS).where('reservation_id', '=', record.reservation_id).orderBy('seq'));
  const refunds = yield* rowsOf(queries.selectFrom('ledger_entries').select(COLUMNS).where('kind', '=', 'refund').where('request_id', '=', id).orderBy('seq'));
  return [...charges, ...refunds].toSorted((first, second) => (first.seq < second.seq ? -1 : 1)).map(({ kind, amount, reference, at }) => ({
    kind: kind as RequestTransfer['kind'], amount: ServiceTokens.fromUnits(amount), reference, at: instantFromColumn(at),
  }));
}
