import { expect, it } from '@jest/globals';
import type { AccountId, ApiKeyId, ModelSlug, NamedStatement, RequestId, UtcDay, UtcMonth } from '@tollgate/core';
import { statementCsv } from './statement-csv.js';

const DAY = '2026-03-02' as UtcDay;

const STATEMENT: NamedStatement = {
  object: 'statement', version: 1, number: 17, account_id: 'acct_1' as AccountId, month: '2026-03' as UtcMonth, made_at: '2026-04-01T01:00:00.000Z',
  issuer: { name: 'Example Ltd', address: null, tax_number: null }, opening_balance: '0', closing_balance: '81.5',
  totals: [{ kind: 'charge', entries: 3, svc_tokens: '-18.5' }, { kind: 'top-up', entries: 1, svc_tokens: '100' }],
  charges: [
    { day: DAY, model: 'small' as ModelSlug, key_id: 'key_1' as ApiKeyId, entries: 2, svc_tokens: '-18' },
    { day: DAY, model: null, key_id: null, entries: 1, svc_tokens: '-0.5' },
  ],
  entries: [{ entry: '7', day: DAY, kind: 'top-up', svc_tokens: '100', request_id: null as RequestId | null }],
  entries_not_listed: 0,
  names: { account: { name: 'Alice', email: 'alice@example.test' }, keys: { key_1: '=SUM(A1), "prod"' }, references: { 7: 'invoice 7' } },
};

const HEAD = '\uFEFFstatement,account_id,month,line,day,kind,model,key_id,key_name,entry,request_id,reference,entries,svc_tokens';

function linesOf(statement: NamedStatement): readonly string[] {
  return statementCsv(statement).split('\r\n');
}

it('a statement as CSV has lines for balances, totals, entries and daily charges, and no formulas', () => {
  expect(linesOf(STATEMENT)).toEqual([
    HEAD,
    '17,acct_1,2026-03,opening_balance,,,,,,,,,,0',
    '17,acct_1,2026-03,total,,charge,,,,,,,3,-18.5',
    '17,acct_1,2026-03,total,,top-up,,,,,,,1,100',
    `17,acct_1,2026-03,charges,2026-03-02,,small,key_1,"'=SUM(A1), ""prod""",,,,2,-18`,
    '17,acct_1,2026-03,charges,2026-03-02,,,,,,,,1,-0.5',
    '17,acct_1,2026-03,entry,2026-03-02,top-up,,,,7,,invoice 7,,100',
    '17,acct_1,2026-03,closing_balance,,,,,,,,,,81.5',
    '',
  ]);
});

it('a statement as CSV has no names after the account’s data was erased', () => {
  const text = linesOf({ ...STATEMENT, names: null }).join('\n');
  expect(text).toContain('charges,2026-03-02,,small,key_1,,,,,2');
  expect(text).not.toMatch(/SUM|invoice/);
});
