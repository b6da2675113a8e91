import { describe, expect, it } from '@jest/globals';
import { isAlwaysStored, TOKEN_RATES } from '@tollgate/core';
import { anEnding, aServedModel, distinctPrice, requestFacts } from '@tollgate/testkit';
import { rateColumn } from '../schema/token-columns.js';
import { endingToColumns, usageRecordFromRow, type UsageRecordRow } from './usage-rows.js';

const PRICE = distinctPrice(1);

function rowWithout(rate: (typeof TOKEN_RATES)[number]): UsageRecordRow {
  const { requestId, accountId, usdPerServiceToken, startedAt, ...facts } = requestFacts();
  return {
    ...endingToColumns(anEnding(1, { service: aServedModel({ price: PRICE }) })), ...facts, request_id: requestId, account_id: accountId, usd_rate: usdPerServiceToken,
    started_at: startedAt, charge: 1n, write_off: 0n, settled_at: startedAt, [rateColumn(rate)]: null,
  } as unknown as UsageRecordRow;
}

describe('the row of a usage record', () => {
  it.each(TOKEN_RATES.filter((rate) => !isAlwaysStored(rate)))('that was written before the rate $name existed is read with 0 as this rate', (rate) => {
    expect(usageRecordFromRow(rowWithout(rate), null).service?.price).toEqual({ ...PRICE, [rate.field]: '0' });
  });

  it.each(TOKEN_RATES.filter(isAlwaysStored))('is refused as damaged if the rate $name is missing', (rate) => {
    expect(() => usageRecordFromRow(rowWithout(rate), null)).toThrow('the rates of every release');
  });
});
