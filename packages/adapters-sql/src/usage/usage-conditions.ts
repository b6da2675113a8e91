import { ALL_ACCOUNTS, type UsageQuery } from '@tollgate/core';
import { type RawBuilder, sql, type SqlBool } from 'kysely';

/** What a record must have that the index it is found by does not know. */
export type UsageCondition = RawBuilder<SqlBool>;

type LateColumn = 'end_reason' | 'served_by' | 'charge';

/** What the late settlement of a record says; `null` where there is none. */
function late(column: LateColumn): RawBuilder<unknown> {
  return sql`(select ${sql.ref(`late.${column}`)} from late_settlements as late where late.reservation_id = usage_records.reservation_id)`;
}

/** Those of the filters, each on the record as its readers see it, with its late settlement. */
export function conditionsOf({ accountId, model, keyId, attribution, endReason, leastCharge }: UsageQuery): readonly UsageCondition[] {
  return [
    keyId === null ? null : sql<SqlBool>`key_id = ${keyId}`,
    // The users of one account are in an index.
    attribution === null || accountId !== ALL_ACCOUNTS ? null : sql<SqlBool>`attribution = ${attribution}`,
    model === null ? null : sql<SqlBool>`case when ${late('end_reason')} is null then served_by else ${late('served_by')} end = ${model}`,
    endReason === null ? null : sql<SqlBool>`coalesce(${late('end_reason')}, end_reason) = ${endReason}`,
    leastCharge === null ? null : sql<SqlBool>`charge + coalesce(${late('charge')}, 0) >= ${leastCharge.toUnits()}`,
  ].filter((condition) => condition !== null);
}
