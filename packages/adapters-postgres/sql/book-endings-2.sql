create function tollgate_book_endings_2(bodies jsonb[], known_facts jsonb[], charges bigint[], write_offs bigint[]) returns void
language plpgsql 
  set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  ended bigint;
begin
  update reservations r set state = e.body->>'state' from unnest(bodies, known_facts, charges, write_offs) as e(body, facts, charge, write_off) where r.id = e.body->>'id' and r.state is not distinct from 'held';
  get diagnostics ended = row_count;
  if ended <> cardinality(bodies) then raise exception 'only a held reservation is ended'; end if;

  insert into usage_records (request_id, reservation_id, account_id, key_id, format, streamed, requested_model, attribution, usd_rate, started_at,
    end_reason, served_by, fallback_used, price_prompt, price_cached_prompt, price_cache_creation, price_output, uncached_prompt_tokens, cached_prompt_tokens, cache_creation_tokens, reasoning_tokens, visible_output_tokens, usage_source, first_output_at, ended_at, reasoning_withheld, day, charge, write_off)
  select e.facts->>'requestId', e.body->>'id', e.facts->>'accountId', e.facts->>'keyId', e.facts->>'format',
    (e.facts->>'streamed')::boolean::int, e.facts->>'requestedModel', e.facts->>'attribution', e.facts->>'usdPerServiceToken',
    (e.facts->>'startedAt')::bigint, e.body->>'end_reason', e.body->>'served_by', (e.body->>'fallback_used')::smallint, e.body->>'price_prompt', e.body->>'price_cached_prompt', e.body->>'price_cache_creation', e.body->>'price_output', (e.body->>'uncached_prompt_tokens')::bigint, (e.body->>'cached_prompt_tokens')::bigint, (e.body->>'cache_creation_tokens')::bigint, (e.body->>'reasoning_tokens')::bigint, (e.body->>'visible_output_tokens')::bigint, e.body->>'usage_source', (e.body->>'first_output_at')::bigint, (e.body->>'ended_at')::bigint, (e.body->>'reasoning_withheld')::smallint, e.body->>'day', e.charge, e.write_off
  from unnest(bodies, known_facts, charges, write_offs) as e(body, facts, charge, write_off);

  insert into ledger_entries (kind, debit_account, credit_account, amount, request_id, reservation_id, at, day)
  select t.kind, t.debit, 'system:revenue', t.amount, e.facts->>'requestId', e.body->>'id', (e.body->>'ended_at')::bigint, e.body->>'day'
  from unnest(bodies, known_facts, charges, write_offs) as e(body, facts, charge, write_off),
    lateral (values ('charge', e.facts->>'accountId', e.charge), ('write-off', 'system:write-offs', e.write_off)) as t(kind, debit, amount)
  where t.amount > 0;

  insert into usage_daily (account_id, day, model, key_id, usd_rate, requests, uncached_prompt_tokens, cached_prompt_tokens, cache_creation_tokens, reasoning_tokens, visible_output_tokens, charge) 
    select e.facts->>'accountId', e.body->>'day', coalesce(e.body->>'served_by', ''), coalesce(e.facts->>'keyId', ''), e.facts->>'usdPerServiceToken', count(*), sum((e.body->>'uncached_prompt_tokens')::bigint), sum((e.body->>'cached_prompt_tokens')::bigint), sum((e.body->>'cache_creation_tokens')::bigint), sum((e.body->>'reasoning_tokens')::bigint), sum((e.body->>'visible_output_tokens')::bigint), sum(e.charge)
    from unnest(bodies, known_facts, charges, write_offs) as e(body, facts, charge, write_off) group by 1, 2, 3, 4, 5 on conflict (account_id, day, model, key_id, usd_rate) do update set requests = usage_daily.requests + excluded.requests, uncached_prompt_tokens = usage_daily.uncached_prompt_tokens + excluded.uncached_prompt_tokens, cached_prompt_tokens = usage_daily.cached_prompt_tokens + excluded.cached_prompt_tokens, cache_creation_tokens = usage_daily.cache_creation_tokens + excluded.cache_creation_tokens, reasoning_tokens = usage_daily.reasoning_tokens + excluded.reasoning_tokens, visible_output_tokens = usage_daily.visible_output_tokens + excluded.visible_output_tokens, charge = usage_daily.charge + excluded.charge;
  insert into usage_daily_users (account_id, day, attribution, usd_rate, requests, uncached_prompt_tokens, cached_prompt_tokens, cache_creation_tokens, reasoning_tokens, visible_output_tokens, charge) 
    select e.facts->>'accountId', e.body->>'day', coalesce(e.facts->>'attribution', ''), e.facts->>'usdPerServiceToken', count(*), sum((e.body->>'uncached_prompt_tokens')::bigint), sum((e.body->>'cached_prompt_tokens')::bigint), sum((e.body->>'cache_creation_tokens')::bigint), sum((e.body->>'reasoning_tokens')::bigint), sum((e.body->>'visible_output_tokens')::bigint), sum(e.charge)
    from unnest(bodies, known_facts, charges, write_offs) as e(body, facts, charge, write_off) group by 1, 2, 3, 4 on conflict (account_id, day, attribution, usd_rate) do update set requests = usage_daily_users.requests + excluded.requests, uncached_prompt_tokens = usage_daily_users.uncached_prompt_tokens + excluded.uncached_prompt_tokens, cached_prompt_tokens = usage_daily_users.cached_prompt_tokens + excluded.cached_prompt_tokens, cache_creation_tokens = usage_daily_users.cache_creation_tokens + excluded.cache_creation_tokens, reasoning_tokens = usage_daily_users.reasoning_tokens + excluded.reasoning_tokens, visible_output_tokens = usage_daily_users.visible_output_tokens + excluded.visible_output_tokens, charge = usage_daily_users.charge + excluded.charge;

  -- To the minute, to spare writes; and a key that somebody else is changing is left to them.
  update api_keys k set last_used_at = used.at
  from (select e.facts->>'keyId' as id, max((e.facts->>'startedAt')::bigint) as at from unnest(bodies, known_facts, charges, write_offs) as e(body, facts, charge, write_off) group by 1) as used
  where k.id = used.id and k.id in (
    select noted.id from api_keys noted
    where noted.id = used.id and (noted.last_used_at is null or noted.last_used_at <= used.at - 60000)
    for no key update skip locked);
end $$
