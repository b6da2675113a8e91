create function tollgate_settle_late_1(operation jsonb, available bigint,
  out debited bigint, out total_charged bigint, out total_written_off bigint, out rate text)
language plpgsql 
  set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
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
  if late.reservation_id is not null or recorded.end_reason <> 'crashed' or operation->>'end_reason' = 'crashed' then return; end if;

  due := greatest(0, (operation->>'cost')::bigint - recorded.charge - recorded.write_off);
  charged := least(due, available);
  written_off := least(due - charged, 1000000000000000000);
  -- A checkpoint that covered everything is repeated, so that no later attempt is charged.
  if due = 0 then body := to_jsonb(recorded); end if;
  insert into late_settlements (reservation_id, account_id, end_reason, served_by, fallback_used, price_prompt, price_cached_prompt, price_cache_creation, price_output, uncached_prompt_tokens, cached_prompt_tokens, cache_creation_tokens, reasoning_tokens, visible_output_tokens, usage_source, first_output_at, ended_at, day, charge, write_off)
  values (recorded.reservation_id, recorded.account_id, body->>'end_reason', body->>'served_by', (body->>'fallback_used')::smallint, body->>'price_prompt', body->>'price_cached_prompt', body->>'price_cache_creation', body->>'price_output', (body->>'uncached_prompt_tokens')::bigint, (body->>'cached_prompt_tokens')::bigint, (body->>'cache_creation_tokens')::bigint, (body->>'reasoning_tokens')::bigint, (body->>'visible_output_tokens')::bigint, body->>'usage_source', (body->>'first_output_at')::bigint, (body->>'ended_at')::bigint, recorded.day, charged, written_off);
  insert into ledger_entries (kind, debit_account, credit_account, amount, request_id, reservation_id, at, day)
  select t.kind, t.debit, 'system:revenue', t.amount, recorded.request_id, recorded.reservation_id, (body->>'ended_at')::bigint, recorded.day
  from (values ('late-charge', recorded.account_id, charged), ('late-write-off', 'system:write-offs', written_off)) as t(kind, debit, amount)
  where t.amount > 0;
  insert into usage_daily (account_id, day, model, key_id, usd_rate, requests, uncached_prompt_tokens, cached_prompt_tokens, cache_creation_tokens, reasoning_tokens, visible_output_tokens, charge) 
    select recorded.account_id, recorded.day, part.place, coalesce(recorded.key_id, ''), recorded.usd_rate, sum(part.requests), sum(part.uncached_prompt_tokens), sum(part.cached_prompt_tokens), sum(part.cache_creation_tokens), sum(part.reasoning_tokens), sum(part.visible_output_tokens), sum(part.charge) from (
      select coalesce(recorded.served_by, '') as place, -1 as requests, -recorded.uncached_prompt_tokens as uncached_prompt_tokens, -recorded.cached_prompt_tokens as cached_prompt_tokens, -recorded.cache_creation_tokens as cache_creation_tokens, -recorded.reasoning_tokens as reasoning_tokens, -recorded.visible_output_tokens as visible_output_tokens, -recorded.charge as charge
      union all
      select coalesce(body->>'served_by', ''), 1, (body->>'uncached_prompt_tokens')::bigint, (body->>'cached_prompt_tokens')::bigint, (body->>'cache_creation_tokens')::bigint, (body->>'reasoning_tokens')::bigint, (body->>'visible_output_tokens')::bigint, recorded.charge + charged) as part
    group by part.place on conflict (account_id, day, model, key_id, usd_rate) do update set requests = usage_daily.requests + excluded.requests, uncached_prompt_tokens = usage_daily.uncached_prompt_tokens + excluded.uncached_prompt_tokens, cached_prompt_tokens = usage_daily.cached_prompt_tokens + excluded.cached_prompt_tokens, cache_creation_tokens = usage_daily.cache_creation_tokens + excluded.cache_creation_tokens, reasoning_tokens = usage_daily.reasoning_tokens + excluded.reasoning_tokens, visible_output_tokens = usage_daily.visible_output_tokens + excluded.visible_output_tokens, charge = usage_daily.charge + excluded.charge;
  insert into usage_daily_users (account_id, day, attribution, usd_rate, requests, uncached_prompt_tokens, cached_prompt_tokens, cache_creation_tokens, reasoning_tokens, visible_output_tokens, charge) 
    select recorded.account_id, recorded.day, part.place, recorded.usd_rate, sum(part.requests), sum(part.uncached_prompt_tokens), sum(part.cached_prompt_tokens), sum(part.cache_creation_tokens), sum(part.reasoning_tokens), sum(part.visible_output_tokens), sum(part.charge) from (
      select coalesce(recorded.attribution, '') as place, -1 as requests, -recorded.uncached_prompt_tokens as uncached_prompt_tokens, -recorded.cached_prompt_tokens as cached_prompt_tokens, -recorded.cache_creation_tokens as cache_creation_tokens, -recorded.reasoning_tokens as reasoning_tokens, -recorded.visible_output_tokens as visible_output_tokens, -recorded.charge as charge
      union all
      select coalesce(recorded.attribution, ''), 1, (body->>'uncached_prompt_tokens')::bigint, (body->>'cached_prompt_tokens')::bigint, (body->>'cache_creation_tokens')::bigint, (body->>'reasoning_tokens')::bigint, (body->>'visible_output_tokens')::bigint, recorded.charge + charged) as part
    group by part.place on conflict (account_id, day, attribution, usd_rate) do update set requests = usage_daily_users.requests + excluded.requests, uncached_prompt_tokens = usage_daily_users.uncached_prompt_tokens + excluded.uncached_prompt_tokens, cached_prompt_tokens = usage_daily_users.cached_prompt_tokens + excluded.cached_prompt_tokens, cache_creation_tokens = usage_daily_users.cache_creation_tokens + excluded.cache_creation_tokens, reasoning_tokens = usage_daily_users.reasoning_tokens + excluded.reasoning_tokens, visible_output_tokens = usage_daily_users.visible_output_tokens + excluded.visible_output_tokens, charge = usage_daily_users.charge + excluded.charge;
  debited := charged;
  total_charged := total_charged + charged;
  total_written_off := total_written_off + written_off;
end $$
