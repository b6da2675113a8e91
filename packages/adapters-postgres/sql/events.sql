-- The caller, or this statement, holds the lock of the account's row, which numbers its events in the order of commits.
create function tollgate_append_event_1(event_type text, event_account text, happened_at bigint, body json) returns void
language sql as $$
  with numbered as (
    update accounts set event_sequence = event_sequence + 1 where id = event_account returning event_sequence, external_id)
  insert into events (id, type, account_id, external_id, account_sequence, occurred_at, data)
  select 'evt_' || replace(gen_random_uuid()::text, '-', ''), event_type, event_account, numbered.external_id, numbered.event_sequence, happened_at, body::text
  from numbered
$$;

create function tollgate_decimal_1(units bigint) returns text
language sql immutable as $$ select trim_scale(units * 0.000001)::text $$;

-- The posted balance went down in a booking: one event for each threshold that it crossed, highest first, and then that of an exhausted balance. An automatic
-- top-up whose threshold it crossed is due, unless it already waits for something.
create function tollgate_cross_1(crossing_account text, balance_before bigint, balance_after bigint, request text, happened_at bigint) returns void
language plpgsql as $$
declare
  crossed record;
begin
  for crossed in
    select t.place, t.event_type, t.threshold from accounts a, lateral (
      select 1 as place, 'balance.low' as event_type, units::bigint as threshold from jsonb_array_elements_text(a.low_alerts::jsonb) as units
      union all select 2, 'balance.exhausted', a.exhausted_below) as t
    where a.id = crossing_account and balance_before >= t.threshold and balance_after < t.threshold
    order by t.place, t.threshold desc
  loop
    perform tollgate_append_event_1(crossed.event_type, crossing_account, happened_at, json_build_object(
      'threshold', tollgate_decimal_1(crossed.threshold), 'balance', tollgate_decimal_1(balance_after), 'request_id', request));
  end loop;
  update automatic_top_ups t set due_at = happened_at, waits_for = null from accounts a
  where a.id = crossing_account and balance_before >= a.top_up_below and balance_after < a.top_up_below
    and t.account_id = crossing_account and t.enabled = 1 and t.due_at is null;
end $$;

-- What a key has spent went up in a booking: an event where what is left of its limit crosses the smallest reservation.
create function tollgate_cross_key_limit_1(
  crossing_account text, key text, limit_period text, key_limit bigint, spent_before bigint, spent_after bigint, request text, happened_at bigint) returns void
language plpgsql as $$
declare
  least_left bigint;
begin
  select a.exhausted_below into strict least_left from accounts a where a.id = crossing_account;
  if key_limit - spent_before >= least_left and key_limit - spent_after < least_left then
    perform tollgate_append_event_1('key.limit_reached', crossing_account, happened_at, json_build_object(
      'key_id', key, 'period', limit_period, 'limit', tollgate_decimal_1(key_limit), 'spent', tollgate_decimal_1(spent_after), 'request_id', request));
  end if;
end $$;

-- One statement, so that a client that is paused cannot hold the lock. Each statement of the function sees what was committed before it began.
create function tollgate_position_events_1(most bigint) returns bigint
language plpgsql as $$
declare
  positioned bigint;
begin
  perform pg_advisory_xact_lock(7086190023);
  update events e set position = numbered.position
  from (
    select waiting.seq, (select last_position from event_feed) + row_number() over (order by waiting.seq) as position
    from (select w.seq from events w where w.position is null order by w.seq limit most) as waiting) as numbered
  where e.seq = numbered.seq;
  get diagnostics positioned = row_count;
  if positioned > 0 then update event_feed set last_position = last_position + positioned; end if;
  return positioned;
end $$;
