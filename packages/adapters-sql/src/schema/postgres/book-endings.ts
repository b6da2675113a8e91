import { REVENUE, WRITE_OFFS } from '../../ledger/system-accounts.js';
import { addToRollUp } from './add-to-roll-up.js';
import { endingFrom, endingNames, type FunctionVersion, tokensFrom } from './ending-columns.js';
import { HELD, INDEXED_PLANS } from './function-settings.js';

const ENDINGS = 'unnest(bodies, known_facts, charges, write_offs) as e(body, facts, charge, write_off)';

/** Sums of the endings of one call, one row per key of the roll-up. */
function sumsBy(...groups: readonly string[]): string {
  const keys = ["e.facts->>'accountId'", "e.body->>'day'", ...groups, "e.facts->>'usdPerServiceToken'"];
  return `
    select ${keys.join(', ')}, count(*), ${tokensFrom('e.body', (count) => `sum(${count})`)}, sum(e.charge)
    from ${ENDINGS} group by ${keys.map((_, index) => index + 1).join(', ')}`;
}

/**
 * Ends held reservations whose charges are decided: state, entries, usage records, sums and the date of last use of keys.
 * The caller holds the locks of the reservations and their accounts. Arrays have one element per reservation.
 */
export const bookEndings = (version: FunctionVersion): string => `
create function tollgate_book_endings_${version}(bodies jsonb[], known_facts jsonb[], charges bigint[], write_offs bigint[]) returns void
language plpgsql ${INDEXED_PLANS} as $$
declare
  ended bigint;
begin
  update reservations r set state = e.body->>'state' from ${ENDINGS} where r.id = e.body->>'id' and ${HELD};
  get diagnostics ended = row_count;
  if ended <> cardinality(bodies) then raise exception 'only a held reservation is ended'; end if;

  insert into usage_records (request_id, reservation_id, account_id, key_id, format, streamed, requested_model, attribution, usd_rate, started_at,
    ${endingNames(version)}, day, charge, write_off)
  select e.facts->>'requestId', e.body->>'id', e.facts->>'accountId', e.facts->>'keyId', e.facts->>'format',
    (e.facts->>'streamed')::boolean::int, e.facts->>'requestedModel', e.facts->>'attribution', e.facts->>'usdPerServiceToken',
    (e.facts->>'startedAt')::bigint, ${endingFrom('e.body', version)}, e.body->>'day', e.charge, e.write_off
  from ${ENDINGS};

  insert into ledger_entries (kind, debit_account, credit_account, amount, request_id, reservation_id, at, day)
  select t.kind, t.debit, '${REVENUE}', t.amount, e.facts->>'requestId', e.body->>'id', (e.body->>'ended_at')::bigint, e.body->>'day'
  from ${ENDINGS},
    lateral (values ('charge', e.facts->>'accountId', e.charge), ('write-off', '${WRITE_OFFS}', e.write_off)) as t(kind, debit, amount)
  where t.amount > 0;

  ${addToRollUp('usage_daily', ['model', 'key_id'], sumsBy("coalesce(e.body->>'served_by', '')", "coalesce(e.facts->>'keyId', '')"))}
  ${addToRollUp('usage_daily_users', ['attribution'], sumsBy("coalesce(e.facts->>'attribution', '')"))}

  -- To the minute, to spare writes; and a key that somebody else is changing is left to them.
  update api_keys k set last_used_at = used.at
  from (select e.facts->>'keyId' as id, max((e.facts->>'startedAt')::bigint) as at from ${ENDINGS} group by 1) as used
  where k.id = used.id and k.id in (
    select noted.id from api_keys noted
    where noted.id = used.id and (noted.last_used_at is null or noted.last_used_at <= used.at - 60000)
    for no key update skip locked);
end $$`;
