-- A settlement draws its number before it is committed, so it can become visible after others with higher numbers. All up to `records_through`
-- have a position or were never committed; above it, those without one are looked for.
-- `records_through` moves in two steps. `pending_records` is a number that was visible before this transaction had an id. A settlement has an
-- id before it draws a number, by the lock of its account; so those with lower numbers have lower ids than `pending_transaction`, which is
-- this one. Once no transaction with a lower id is running, they are visible or were rolled back.
-- An id that this server has not given yet is of another one, from which the database was restored: the two steps begin again.
-- The row of the state is locked until the commit, so positions become visible in their order.
create function tollgate_position_usage_1(most bigint) returns bigint
language plpgsql
  set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  state record;
  seen record;
  is_proven boolean;
  is_foreign boolean;
  last_record bigint;
  positioned bigint;
begin
  select coalesce((select max(u.seq) from usage_records u), 0) as records, coalesce((select max(l.seq) from late_settlements l), 0) as late,
    pg_current_xact_id_if_assigned() is null as is_before_id
  into strict seen;
  select s.last_position, s.records_through, s.late_through, s.pending_records, s.pending_late, s.pending_transaction, s.open_from
  into strict state from usage_feed_state s where s.id = 1 for update;
  -- Each statement sees at least what the one before it saw.
  select seen.is_before_id and pg_snapshot_xmin(here)::text::bigint >= state.pending_transaction into strict is_proven from pg_current_snapshot() as here;
  select seen.is_before_id and pg_snapshot_xmax(here)::text::bigint <= state.pending_transaction into strict is_foreign from pg_current_snapshot() as here;

  with waiting as materialized (
    select w.late, w.seq, w.account_id, w.charge, w.booked_at from (
      (select 0 as late, u.seq, u.account_id, u.charge, coalesce(u.settled_at, u.ended_at) as booked_at from usage_records u
        where u.seq > state.records_through and not exists (select from usage_feed f where f.late = 0 and f.source = u.seq) order by u.seq limit most)
      union all
      (select 1, l.seq, l.account_id, l.charge, coalesce(l.settled_at, l.ended_at) from late_settlements l
        where l.seq > state.late_through and not exists (select from usage_feed f where f.late = 1 and f.source = l.seq) order by l.seq limit most)) as w
    order by w.late, w.seq limit most),
  numbered as materialized (
    select waiting.late, waiting.seq, waiting.account_id, waiting.charge, state.last_position + row_number() over (order by waiting.late, waiting.seq) as position,
      greatest(to_char(to_timestamp(waiting.booked_at / 1000) at time zone 'UTC', 'YYYY-MM-DD'), state.open_from) as day
    from waiting),
  stored as (
    insert into usage_feed (position, late, source, day) select numbered.position, numbered.late, numbered.seq, numbered.day from numbered),
  summed as (
    insert into usage_booked_days (day, account_id, settlements, late_settlements, charge)
    select numbered.day, numbered.account_id, sum(1 - numbered.late), sum(numbered.late), sum(numbered.charge) from numbered group by 1, 2
    on conflict (day, account_id) do update set settlements = usage_booked_days.settlements + excluded.settlements,
      late_settlements = usage_booked_days.late_settlements + excluded.late_settlements, charge = usage_booked_days.charge + excluded.charge)
  select count(*), max(numbered.seq) filter (where numbered.late = 0) into positioned, last_record from numbered;

  if is_proven then
    -- Where more may wait, all up to the last one that got a position have one.
    update usage_feed_state set last_position = last_position + positioned,
      records_through = greatest(records_through, case when positioned < most then pending_records else least(pending_records, coalesce(last_record, 0)) end),
      late_through = greatest(late_through, case when positioned < most then pending_late else 0 end),
      pending_records = seen.records, pending_late = seen.late, pending_transaction = pg_current_xact_id()::text::bigint
    where positioned > 0 or pending_records <> seen.records or pending_late <> seen.late or records_through < pending_records or late_through < pending_late;
  elsif is_foreign then
    update usage_feed_state set last_position = last_position + positioned,
      pending_records = seen.records, pending_late = seen.late, pending_transaction = pg_current_xact_id()::text::bigint;
  elsif positioned > 0 then
    update usage_feed_state set last_position = last_position + positioned;
  end if;
  return positioned;
end $$;
