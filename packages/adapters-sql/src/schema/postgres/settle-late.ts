import { REVENUE, SWEPT, WRITE_OFFS } from '../../ledger/system-accounts.js';
import { MAXIMUM_UNITS } from '../amount-bounds.js';
import { addToRollUp } from './add-to-roll-up.js';
import { endingFrom, endingNames, type FunctionVersion, TOKEN_COLUMNS, tokensFrom } from './ending-columns.js';
import { INDEXED_PLANS } from './function-settings.js';

/** What the day's sums have to give back and take on. The first group may differ between what was recorded and what really was; others cannot. */
function correctionBy(recordedGroup: string, actualGroup: string, ...others: readonly string[]): string {
  const back = TOKEN_COLUMNS.map((name) => `-recorded.${name} as ${name}`).join(', ');
  const sums = ['requests', ...TOKEN_COLUMNS, 'charge'].map((name) => `sum(part.${name})`).join(', ');
  return `
    select recorded.account_id, recorded.day, ${['part.place', ...others].join(', ')}, recorded.usd_rate, ${sums} from (
      select ${recordedGroup} as place, -1 as requests, ${back}, -recorded.charge as charge
      union all
      select ${actualGroup}, 1, ${tokensFrom('body', (count) => count)}, recorded.charge + charged) as part
    group by part.place`;
}

const KEY = "coalesce(recorded.key_id, '')";
const USER = "coalesce(recorded.attribution, '')";

/**
 * Answers for a reservation that has ended: with its settlement, or with one late settlement on top when the sweeper had ended it.
 * That is charged at most once, and bounded by what is available: nothing is set aside any more.
 * The caller holds the locks of the reservation and its account, and debits what comes out as \`debited\`.
 */
export const settleLate = (version: FunctionVersion): string => `
create function tollgate_settle_late_${version}(operation jsonb, available bigint,
  out debited bigint, out total_charged bigint, out total_written_off bigint, out rate text)
language plpgsql ${INDEXED_PLANS} as $$
declare
  recorded usage_records;
  late late_settlements;
  body jsonb := operation;
  due bigint;
  charged bigint := 0;
  written_off bigint := 0;
begin
  select * into strict recorded from usage_records u where u.reservation_id = operation->>'id';
  select * into late from late_settlements l where l.reservation_id = operation->>'id';
  rate := recorded.usd_rate;
  debited := 0;
  total_charged := recorded.charge + coalesce(late.charge, 0);
  total_written_off := recorded.write_off + coalesce(late.write_off, 0);
  if late.reservation_id is not null or recorded.end_reason <> '${SWEPT}' or operation->>'end_reason' = '${SWEPT}' then return; end if;

  due := greatest(0, (operation->>'cost')::bigint - recorded.charge - recorded.write_off);
  charged := least(due, available);
  written_off := least(due - charged, ${MAXIMUM_UNITS});
  -- A checkpoint that covered everything is repeated, so that no later attempt is charged.
  if due = 0 then body := to_jsonb(recorded); end if;
  insert into late_settlements (reservation_id, account_id, ${endingNames(version)}, day, charge, write_off)
  values (recorded.reservation_id, recorded.account_id, ${endingFrom('body', version)}, recorded.day, charged, written_off);
  insert into ledger_entries (kind, debit_account, credit_account, amount, request_id, reservation_id, at, day)
  select t.kind, t.debit, '${REVENUE}', t.amount, recorded.request_id, recorded.reservation_id, (body->>'ended_at')::bigint, recorded.day
  from (values ('late-charge', recorded.account_id, charged), ('late-write-off', '${WRITE_OFFS}', written_off)) as t(kind, debit, amount)
  where t.amount > 0;
  ${addToRollUp('usage_daily', ['model', 'key_id'],
    correctionBy("coalesce(recorded.served_by, '')", "coalesce(body->>'served_by', '')", KEY))}
  ${addToRollUp('usage_daily_users', ['attribution'], correctionBy(USER, USER))}
  debited := charged;
  total_charged := total_charged + charged;
  total_written_off := total_written_off + written_off;
end $$`;
