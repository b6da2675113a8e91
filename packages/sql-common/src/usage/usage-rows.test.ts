import { describe, expect, it } from '@jest/globals';
import { TOKEN_RATES } from '@tollgate/core';
import { anEnding, aServedModel, distinctPrice, requestFacts } from '@tollgate/testkit';
import { rateColumn } from '../schema/token-columns.js';
import { endingToColumns, usageRecordFromRow, type UsageRecordRow } from './usage-rows.js';

describe('the row of a usage record', () => {
  it.each(TOKEN_RATES)('that was written before the rate $name existed is read with 0 as this rate', (rate) => {
    const { requestId, accountId, usdPerServiceToken, startedAt, ...facts } = requestFacts();
    const price = distinctPrice(1);
    const row = {
      ...endingToColumns(anEnding(1, { service: aServedModel({ price }) })), ...facts, request_id: requestId, account_id: accountId, usd_rate: usdPerServiceToken,
      started_at: startedAt, charge: 1n, write_off: 0n, settled_at: startedAt, [rateColumn(rate)]: null,
    } as unknown as UsageRecordRow;
    expect(usageRecordFromRow(row, null).service?.price).toEqual({ ...price, [rate.field]: '0' });
  });
});
