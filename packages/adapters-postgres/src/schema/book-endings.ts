import { MAXIMUM_UNITS, REVENUE, SWEPT, WRITE_OFFS } from '@tollgate/sql-common';

interface EndingColumn {
  readonly name: string;
  readonly type: 'text' | 'bigint' | 'smallint';
}

/** What an operation says of how a request ended, as columns of usage records and late settlements; charge and write-off are decided here. */
const ENDING_1: readonly EndingColumn[] = [
  { name: 'end_reason', type: 'text' },
  { name: 'served_by', type: 'text' },
  { name: 'fallback_used', type: 'smallint' },
  { name: 'price_prompt', type: 'text' },
  { name: 'price_cached_prompt', type: 'text' },
  { name: 'price_cache_creation', type: 'text' },
  { name: 'price_output', type: 'text' },
  { name: 'uncached_prompt_tokens', type: 'bigint' },
  { name: 'cached_prompt_tokens', type: 'bigint' },
  { name: 'cache_creation_tokens', type: 'bigint' },
  { name: 'reasoning_tokens', type: 'bigint' },
  { name: 'visible_output_tokens', type: 'bigint' },
  { name: 'usage_source', type: 'text' },
  { name: 'first_output_at', type: 'bigint' },
  { name: 'ended_at', type: 'bigint' },
];
const ENDING_2: readonly EndingColumn[] = [...ENDING_1, { name: 'reasoning_withheld', type: 'smallint' }];
const ENDING_3: readonly EndingColumn[] = [...ENDING_2, { name: 'upstream_id', type: 'text' }, { name: 'settled_at', type: 'bigint' }];

/** Released versions of the functions for endings; each one writes the columns of its time. */
export type FunctionVersion = 1 | 2 | 3;

const COLUMNS_OF: Readonly<Record<FunctionVersion, readonly EndingColumn[]>> = { 1: ENDING_1, 2: ENDING_2, 3: ENDING_3 };

const TOKEN_COLUMNS = [
  'uncached_prompt_tokens', 'cached_prompt_tokens', 'cache_creation_tokens', 'reasoning_tokens', 'visible_output_tokens',
] as const;

/** The columns by name, for the head of an insertion. */
function endingNames(version: FunctionVersion): string {
  return COLUMNS_OF[version].map(({ name }) => name).join(', ');
}

/** The same columns out of a JSON object. */
function endingFrom(object: string, version: FunctionVersion): string {
  return COLUMNS_OF[version].map(({ name, type }) => (type === 'text' ? `${object}->>'${name}'` : `(${object}->>'${name}')::${type}`)).join(', ');
}

/** Token counts out of a JSON object, each with something around it. */
function tokensFrom(object: string, around: (count: string) => string): string {
  return TOKEN_COLUMNS.map((name) => around(`(${object}->>'${name}')::bigint`)).join(', ');
}

const SUMMED = ['requests', ...TOKEN_COLUMNS, 'charge'];

/** Adds the rows of a query to a table of sums; the query gives one row per key at most, its columns in the order of the table's. */
function addToRollUp(table: string, groups: readonly string[], query: string): string {
  const keys = ['account_id', 'day', ...groups, 'usd_rate'].join(', ');
  const sums = SUMMED.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');
  return `insert into ${table} (${keys}, ${SUMMED.join(', ')}) ${query} on conflict (${keys}) do update set ${sums};`;
}

/**
 * How the statements inside the money functions are planned: once, and as look-ups by index. They meet few rows of tables that grow without end,
 * and a plan made while a table was small would otherwise read it from end to end for as long as the connection lives.
 */
export const INDEXED_PLANS = `
  set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off`;

/** As a plain equation this would be met by the index of all held reservations, which is read whole, instead of by the reservation's id. */
export const HELD = "r.state is not distinct from 'held'";

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
