import type { Session } from '../connection/session.js';
import type { MoneyAnswer, MoneyOperation } from './money-operation.js';

const STATEMENT = {
  name: 'tollgate-money',
  text: 'select outcome, balance, reserved, charged, written_off, usd_rate, set_aside, key_left, booked, booked_charge, booked_write_off, account, request, key, format from tollgate_money_1($1::jsonb)',
};

export async function performOperations(session: Session, operations: readonly MoneyOperation[]): Promise<readonly MoneyAnswer[]> {
  const { rows } = await session.query({ ...STATEMENT, values: [JSON.stringify(operations)] });
  // The SQL function returns one row with these columns for each operation.
  return rows as readonly MoneyAnswer[];
}
