create function tollgate_book_endings_1(bodies jsonb[], known_facts jsonb[], charges bigint[], write_offs bigint[]) returns void
language plpgsql 
  set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  ended bigint;
begin
  update reservations r set state = e.body->>'state' from unnest(bodies, known_facts, charges, write_offs) as e(body, facts, charge, write_off) where r.id = e.body->>'id' and r.state is not distinct from 'held';
  get diagnostics ended = row_count;
  if ended <> cardinality(bodies) then raise exception 'only a held reservation is ended'; end if;

  insert into usage_records (request_id, reservation_id, account_id, key_id, format, streamed, requested_model, attribution, usd_rate, started_at,
    end_reason, served_by, fallback_used, price_prompt, price_cached_prompt, price_cache_creation, price_output, uncached_prompt_tokens, cached_prompt_tokens, cache_creation_tokens, reasoning_tokens, visible_output_tokens, usage_source, first_output_at, ended_at, reasoning_withheld, upstream_id, omitted, price_list, price_version, settled_at, day, charge, write_off)
  select e.facts->>'requestId', e.body->>'id', e.facts->>'accountId', e.facts->>'keyId', e.facts->>'format',
    (e.facts->>'streamed')::boolean::int, e.facts->>'requestedModel', e.facts->>'attribution', e.facts->>'usdPerServiceToken',
    (e.facts->>'startedAt')::bigint, e.body->>'end_reason', e.body->>'served_by', (e.body->>'fallback_used')::smallint, e.body->>'price_prompt', e.body->>'price_cached_prompt', e.body->>'price_cache_creation', e.body->>'price_output', (e.body->>'uncached_prompt_tokens')::bigint, (e.body->>'cached_prompt_tokens')::bigint, (e.body->>'cache_creation_tokens')::bigint, (e.body->>'reasoning_tokens')::bigint, (e.body->>'visible_output_tokens')::bigint, e.body->>'usage_source', (e.body->>'first_output_at')::bigint, (e.body->>'ended_at')::bigint, (e.body->>'reasoning_withheld')::smallint, e.body->>'upstream_id', e.body->>'omitted', e.body->>'price_list', e.body->>'price_version', (e.body->>'settled_at')::bigint, e.body->>'day', e.charge, e.write_off
  from unnest(bodies, known_facts, charges, write_offs) as e(body, facts, charge, write_off);

  -- With the late settlement below, the place where settlements enter the ledger: what must not be lost about one is a row written here.
  insert into ledger_entries (kind, debit_account, credit_account, amount, request_id, reservation_id, at, day)
  select t.kind, t.debit, 'system:revenue', t.amount, e.facts->>'requestId', e.body->>'id', (e.body->>'ended_at')::bigint, e.body->>'day'
  from unnest(bodies, known_facts, charges, write_offs) as e(body, facts, charge, write_off),
    lateral (values ('charge', e.facts->>'accountId', e.charge), ('write-off', 'system:write-offs', e.write_off)) as t(kind, debit, amount)
  where t.amount > 0;

  insert into usage_daily (account_id, day, model, key_id, usd_rate, requests, uncached_prompt_tokens, cached_prompt_tokens, cache_creation_tokens, reasoning_tokens, visible_output_tokens, charge) 
    select e.facts->>'accountId', e.body->>'day', coalesce(e.body->>'served_by', ''), coalesce(e.facts->>'keyId', ''), e.facts->>'usdPerServiceToken', count(*), sum((e.body->>'uncached_prompt_tokens')::bigint), sum((e.body->>'cached_prompt_tokens')::bigint), sum((e.body->>'cache_creation_tokens')::bigint), sum((e.body->>'reasoning_tokens')::bigint), sum((e.body->>'visible_output_tokens')::bigint), sum(e.charge)
    from unnest(bodies, known_facts, charges, write_offs) as e(body, facts, charge, write_off) group by 1, 2, 3, 4, 5 on conflict (account_id, day, model, key_id, usd_rate) do update set requests = usage_daily.requests + excluded.requests, uncached_prompt_tokens = usage_daily.uncached_prompt_tokens + excluded.uncached_prompt_tokens, cached_prompt_tokens = usage_daily.cached_prompt_tokens + excluded.cached_prompt_tokens, cache_creation_tokens = usage_daily.cache_creation_tokens + excluded.cache_creation_tokens, reasoning_tokens = usage_daily.reasoning_tokens + excluded.reasoning_tokens, visible_output_tokens = usage_daily.visible_output_tokens + excluded.visible_output_tokens, charge = usage_daily.charge + excluded.charge;
  insert into usage_daily_users (account_id, day, attribution, usd_rate, requests, uncached_prompt_tokens, cached_prompt_tokens, cache_creation_tokens, reasoning_tokens, visible_output_tokens, charge) 
    select e.facts->>'accountId', e.body->>'day', e.facts->>'attribution', e.facts->>'usdPerServiceToken', count(*), sum((e.body->>'uncached_prompt_tokens')::bigint), sum((e.body->>'cached_prompt_tokens')::bigint), sum((e.body->>'cache_creation_tokens')::bigint), sum((e.body->>'reasoning_tokens')::bigint), sum((e.body->>'visible_output_tokens')::bigint), sum(e.charge)
    from unnest(bodies, known_facts, charges, write_offs) as e(body, facts, charge, write_off) where e.facts->>'attribution' is not null group by 1, 2, 3, 4 on conflict (account_id, day, attribution, usd_rate) do update set requests = usage_daily_users.requests + excluded.requests, uncached_prompt_tokens = usage_daily_users.uncached_prompt_tokens + excluded.uncached_prompt_tokens, cached_prompt_tokens = usage_daily_users.cached_prompt_tokens + excluded.cached_prompt_tokens, cache_creation_tokens = usage_daily_users.cache_creation_tokens + excluded.cache_creation_tokens, reasoning_tokens = usage_daily_users.reasoning_tokens + excluded.reasoning_tokens, visible_output_tokens = usage_daily_users.visible_output_tokens + excluded.visible_output_tokens, charge = usage_daily_users.charge + excluded.charge;

  -- To the minute, to spare writes; and a key that somebody else is changing is left to them.
  update api_keys k set last_used_at = used.at
  from (select e.facts->>'keyId' as id, max((e.facts->>'startedAt')::bigint) as at from unnest(bodies, known_facts, charges, write_offs) as e(body, facts, charge, write_off) group by 1) as used
  where k.id = used.id and k.id in (
    select noted.id from api_keys noted
    where noted.id = used.id and (noted.last_used_at is null or noted.last_used_at <= used.at - 60000)
    for no key update skip locked);
end $$;

create function tollgate_settle_late_1(operation jsonb, available bigint, paid bigint, covered_before bigint,
  out debited bigint, out wrote_off bigint, out covered bigint, out total_charged bigint, out total_written_off bigint, out rate text)
language plpgsql 
  set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  recorded record;
  late record;
  body jsonb := operation;
  beyond bigint;
  due bigint;
  charged bigint := 0;
  written_off bigint := 0;
begin
  select u.reservation_id, u.request_id, u.account_id, u.key_id, u.attribution, u.usd_rate, u.end_reason, u.served_by, u.fallback_used, u.price_prompt, u.price_cached_prompt, u.price_cache_creation, u.price_output, u.uncached_prompt_tokens, u.cached_prompt_tokens, u.cache_creation_tokens, u.reasoning_tokens, u.visible_output_tokens, u.usage_source, u.first_output_at, u.ended_at, u.reasoning_withheld, u.upstream_id, u.omitted, u.price_list, u.price_version, u.settled_at, u.day, u.charge, u.write_off
  into strict recorded from usage_records u where u.reservation_id = operation->>'id';
  select l.reservation_id, l.charge, l.write_off into late from late_settlements l where l.reservation_id = operation->>'id';
  rate := recorded.usd_rate;
  debited := 0;
  wrote_off := 0;
  covered := 0;
  total_charged := recorded.charge + coalesce(late.charge, 0);
  total_written_off := recorded.write_off + coalesce(late.write_off, 0);
  if late.reservation_id is not null or recorded.end_reason <> 'crashed' or operation->>'end_reason' = 'crashed' then return; end if;

  -- What the record states was charged, written off, or charged with other requests of its purchase; `paid` is null where there are none.
  beyond := greatest(0, (operation->>'cost')::bigint - recorded.charge - recorded.write_off - covered_before);
  due := least(beyond, greatest(0, (operation->>'cost')::bigint - coalesce(paid, recorded.charge)));
  covered := beyond - due;
  charged := least(due, available);
  if operation ? 'at_most' then charged := least(charged, greatest(0, (operation->>'at_most')::bigint - recorded.charge)); end if;
  written_off := least(due - charged, 1000000000000000000);
  -- A checkpoint that covered everything is repeated, so that no later attempt is charged.
  if beyond = 0 then body := to_jsonb(recorded); end if;
  insert into late_settlements (reservation_id, account_id, end_reason, served_by, fallback_used, price_prompt, price_cached_prompt, price_cache_creation, price_output, uncached_prompt_tokens, cached_prompt_tokens, cache_creation_tokens, reasoning_tokens, visible_output_tokens, usage_source, first_output_at, ended_at, reasoning_withheld, upstream_id, omitted, price_list, price_version, settled_at, day, charge, write_off)
  values (recorded.reservation_id, recorded.account_id, body->>'end_reason', body->>'served_by', (body->>'fallback_used')::smallint, body->>'price_prompt', body->>'price_cached_prompt', body->>'price_cache_creation', body->>'price_output', (body->>'uncached_prompt_tokens')::bigint, (body->>'cached_prompt_tokens')::bigint, (body->>'cache_creation_tokens')::bigint, (body->>'reasoning_tokens')::bigint, (body->>'visible_output_tokens')::bigint, body->>'usage_source', (body->>'first_output_at')::bigint, (body->>'ended_at')::bigint, (body->>'reasoning_withheld')::smallint, body->>'upstream_id', body->>'omitted', body->>'price_list', body->>'price_version', (body->>'settled_at')::bigint, recorded.day, charged, written_off);
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
      select recorded.attribution as place, -1 as requests, -recorded.uncached_prompt_tokens as uncached_prompt_tokens, -recorded.cached_prompt_tokens as cached_prompt_tokens, -recorded.cache_creation_tokens as cache_creation_tokens, -recorded.reasoning_tokens as reasoning_tokens, -recorded.visible_output_tokens as visible_output_tokens, -recorded.charge as charge
      union all
      select recorded.attribution, 1, (body->>'uncached_prompt_tokens')::bigint, (body->>'cached_prompt_tokens')::bigint, (body->>'cache_creation_tokens')::bigint, (body->>'reasoning_tokens')::bigint, (body->>'visible_output_tokens')::bigint, recorded.charge + charged) as part
    where recorded.attribution is not null group by part.place on conflict (account_id, day, attribution, usd_rate) do update set requests = usage_daily_users.requests + excluded.requests, uncached_prompt_tokens = usage_daily_users.uncached_prompt_tokens + excluded.uncached_prompt_tokens, cached_prompt_tokens = usage_daily_users.cached_prompt_tokens + excluded.cached_prompt_tokens, cache_creation_tokens = usage_daily_users.cache_creation_tokens + excluded.cache_creation_tokens, reasoning_tokens = usage_daily_users.reasoning_tokens + excluded.reasoning_tokens, visible_output_tokens = usage_daily_users.visible_output_tokens + excluded.visible_output_tokens, charge = usage_daily_users.charge + excluded.charge;
  debited := charged;
  wrote_off := written_off;
  total_charged := total_charged + charged;
  total_written_off := total_written_off + written_off;
end $$;

create function tollgate_money_1(operations jsonb)
returns table (
  outcome text, balance bigint, reserved bigint, charged bigint, written_off bigint, usd_rate text, set_aside bigint, key_left bigint,
  booked text, booked_charge bigint, booked_write_off bigint, account text, request text, key text, format text)
language plpgsql 
  set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  op record;
  late record;
  account_ids text[]; balances bigint[]; reserveds bigint[]; alert_belows bigint[];
  has_limits boolean; drawable bigint; due bigint; covered bigint;
  key_names text[]; lineages text[]; periods text[]; key_spents bigint[]; key_reserveds bigint[];
  purchase_ids text[]; paids bigint[];
  covered_requests text[] := '{}'; covereds bigint[] := '{}'; covereds_late bigint[] := '{}';
  granted jsonb[] := '{}'; extended jsonb[] := '{}';
  bodies jsonb[] := '{}'; known_facts jsonb[] := '{}'; charges bigint[] := '{}'; write_offs bigint[] := '{}';
begin
  with locked as materialized (
    select r.key_lineage from reservations r
    where r.id in (select o->>'id' from jsonb_array_elements(operations) o where o->>'kind' <> 'reserve')
    order by r.id for no key update)
  select bool_or(locked.key_lineage is not null) into has_limits from locked;
  has_limits := coalesce(has_limits, false) or operations @? '$[*].key_lineage';

  with locked as materialized (
    select a.id, a.balance, a.reserved, a.alert_below from accounts a
    where a.id in (
      select o->>'account' from jsonb_array_elements(operations) o where o->>'kind' = 'reserve'
      union select r.account_id from jsonb_array_elements(operations) o join reservations r on r.id = o->>'id')
    order by a.id for no key update)
  select array_agg(locked.id), array_agg(locked.balance), array_agg(locked.reserved), array_agg(locked.alert_below)
  into account_ids, balances, reserveds, alert_belows from locked;

  if has_limits then
    insert into key_spending (lineage, period, spent, reserved)
    select distinct o->>'key_lineage', o->>'key_period', 0, 0 from jsonb_array_elements(operations) o where o ? 'key_lineage'
    order by 1, 2 on conflict do nothing;

    with named as materialized (
      select o->>'key_lineage' as lineage, o->>'key_period' as period from jsonb_array_elements(operations) o where o ? 'key_lineage'
      union select r.key_lineage, r.key_period from jsonb_array_elements(operations) o join reservations r on r.id = o->>'id'),
    locked as materialized (
      select s.lineage, s.period, s.spent, s.reserved from key_spending s join named on s.lineage = named.lineage and s.period = named.period
      order by s.lineage, s.period for no key update of s)
    select array_agg(locked.lineage || ' ' || locked.period), array_agg(locked.lineage), array_agg(locked.period),
      array_agg(locked.spent), array_agg(locked.reserved)
    into key_names, lineages, periods, key_spents, key_reserveds from locked;
  end if;

  -- Of the purchases that several requests make together, what was charged so far, less reversals; the locks on the accounts keep it as it is.
  if exists (select 1 from purchase_requests) then
    with asked as materialized (
      select distinct p.purchase_id from jsonb_array_elements(operations) o join reservations r on r.id = o->>'id'
        join purchase_requests p on p.request_id = r.facts::jsonb->>'requestId'
      where o->>'kind' = 'settle')
    select array_agg(asked.purchase_id), array_agg((
      select coalesce(sum(u.charge + coalesce(l.charge, 0) - coalesce((
        select sum(e.amount) from ledger_entries e where e.reference = 'reversal of ' || u.request_id and e.kind = 'refund' and e.request_id = u.request_id
      ), 0)), 0)::bigint from purchase_requests p join usage_records u on u.request_id = p.request_id
        left join late_settlements l on l.reservation_id = u.reservation_id
      where p.purchase_id = asked.purchase_id))
    into purchase_ids, paids from asked;
  end if;

  for op in
    select o.body, o.body->>'kind' as kind, (o.body->>'amount')::bigint as amount, (o.body->>'floor')::bigint as least_amount,
      (o.body->>'cost')::bigint as cost, r.id as found, r.state, r.amount as held, r.facts, r.extender, r.extension, (o.body->>'at_most')::bigint as at_most,
      p.request_id as joined, coalesce(p.covered, 0) as covered_before, array_position(purchase_ids, p.purchase_id) as purchase_at,
      array_position(account_ids, coalesce(r.account_id, o.body->>'account')) as at,
      case when r.id is null then (o.body->>'key_limit')::bigint else r.key_limit end as key_limit,
      array_position(key_names, case when r.id is null then (o.body->>'key_lineage') || ' ' || (o.body->>'key_period')
        else r.key_lineage || ' ' || r.key_period end) as key_at
    from jsonb_array_elements(operations) with ordinality as o(body, place) left join reservations r on r.id = o.body->>'id'
      left join purchase_requests p on cardinality(purchase_ids) > 0 and p.request_id = r.facts::jsonb->>'requestId'
    order by o.place
  loop
    charged := 0;
    written_off := 0;
    usd_rate := null;
    set_aside := 0;
    booked := null;
    -- Where the key has no limit, what is left of it is null and bounds nothing.
    key_left := case when op.key_limit is not null then greatest(0, op.key_limit - key_spents[op.key_at] - key_reserveds[op.key_at]) end;
    drawable := least(balances[op.at] - reserveds[op.at], key_left);
    if op.kind = 'reserve' then
      if op.found is not null then
        outcome := 'reserved';
        set_aside := op.held;
      elsif op.at is not null and key_left < op.least_amount then
        outcome := 'key-limit';
      elsif op.at is null or balances[op.at] - reserveds[op.at] < op.least_amount then
        outcome := 'insufficient';
      else
        outcome := 'reserved';
        set_aside := least(op.amount, drawable);
        reserveds[op.at] := reserveds[op.at] + set_aside;
        if op.key_at is not null then key_reserveds[op.key_at] := key_reserveds[op.key_at] + set_aside; end if;
        granted := array_append(granted, op.body || jsonb_build_object('amount', set_aside));
      end if;
    elsif op.kind = 'extend' then
      if op.found is null or op.state <> 'held' then
        outcome := 'not-held';
      elsif op.extender = op.body->>'extender' and op.extension >= (op.body->>'extension')::bigint then
        outcome := 'reserved';
      elsif key_left < op.amount then
        outcome := 'key-limit';
      elsif balances[op.at] - reserveds[op.at] < op.amount then
        outcome := 'insufficient';
      else
        outcome := 'reserved';
        reserveds[op.at] := reserveds[op.at] + op.amount;
        if op.key_at is not null then key_reserveds[op.key_at] := key_reserveds[op.key_at] + op.amount; end if;
        extended := array_append(extended, op.body);
      end if;
    elsif op.found is null then
      outcome := 'unknown';
    elsif op.state = 'held' then
      outcome := 'settled';
      booked := case when op.body->>'end_reason' = 'crashed' then 'sweep' else 'settlement' end;
      covered := case when op.purchase_at is null then 0 else least(op.cost, paids[op.purchase_at]) end;
      due := op.cost - covered;
      charged := least(due, drawable + op.held, op.at_most);
      written_off := least(due - charged, 1000000000000000000);
      if op.purchase_at is not null then
        paids[op.purchase_at] := paids[op.purchase_at] + charged;
        covered_requests := array_append(covered_requests, op.joined);
        covereds := array_append(covereds, least(covered, 1000000000000000000));
        covereds_late := array_append(covereds_late, null::bigint);
      end if;
      balances[op.at] := balances[op.at] - charged;
      reserveds[op.at] := reserveds[op.at] - op.held;
      if op.key_at is not null then
        key_spents[op.key_at] := key_spents[op.key_at] + charged;
        key_reserveds[op.key_at] := key_reserveds[op.key_at] - op.held;
      end if;
      booked_charge := charged;
      booked_write_off := written_off;
      usd_rate := op.facts::jsonb->>'usdPerServiceToken';
      bodies := array_append(bodies, op.body);
      known_facts := array_append(known_facts, op.facts::jsonb);
      charges := array_append(charges, charged);
      write_offs := array_append(write_offs, written_off);
    else
      outcome := 'settled';
      late := tollgate_settle_late_1(op.body, drawable, paids[op.purchase_at], op.covered_before);
      balances[op.at] := balances[op.at] - late.debited;
      if op.key_at is not null then key_spents[op.key_at] := key_spents[op.key_at] + late.debited; end if;
      if op.purchase_at is not null then
        paids[op.purchase_at] := paids[op.purchase_at] + late.debited;
        if late.covered > 0 then
          covered_requests := array_append(covered_requests, op.joined);
          covereds := array_append(covereds, null::bigint);
          covereds_late := array_append(covereds_late, least(late.covered, 1000000000000000000));
        end if;
      end if;
      -- A checkpoint that covered everything leaves nothing to book.
      if late.debited > 0 or late.wrote_off > 0 then booked := 'late-settlement'; end if;
      booked_charge := late.debited;
      booked_write_off := late.wrote_off;
      charged := late.total_charged;
      written_off := late.total_written_off;
      usd_rate := late.rate;
    end if;
    if booked is not null and booked_charge > 0 then
      -- A balance that stays at or above the highest threshold of its account crosses none.
      if balances[op.at] < alert_belows[op.at] then
        perform tollgate_cross_1(account_ids[op.at], balances[op.at] + booked_charge, balances[op.at], op.facts::jsonb->>'requestId', (op.body->>'settled_at')::bigint);
      end if;
      if op.key_at is not null then
        perform tollgate_cross_key_limit_1(account_ids[op.at], op.facts::jsonb->>'keyId', periods[op.key_at], op.key_limit,
          key_spents[op.key_at] - booked_charge, key_spents[op.key_at], op.facts::jsonb->>'requestId', (op.body->>'settled_at')::bigint);
      end if;
    end if;
    if booked is not null then
      account := op.facts::jsonb->>'accountId';
      request := op.facts::jsonb->>'requestId';
      key := op.facts::jsonb->>'keyId';
      format := op.facts::jsonb->>'format';
    end if;
    balance := coalesce(balances[op.at], 0);
    reserved := coalesce(reserveds[op.at], 0);
    return next;
  end loop;

  if cardinality(granted) > 0 then
    insert into reservations (id, account_id, owner_id, amount, state, facts, created_at, expires_at, key_lineage, key_period, key_limit)
    select g->>'id', g->>'account', g->>'owner', (g->>'amount')::bigint, 'held', g->>'facts', (g->>'created_at')::bigint,
      coalesce((g->>'expires_at')::bigint, floor(extract(epoch from statement_timestamp()) * 1000)::bigint + (g->>'lifetime')::bigint),
      g->>'key_lineage', g->>'key_period', (g->>'key_limit')::bigint
    from unnest(granted) g;
    insert into purchase_requests (request_id, purchase_id)
    select joined.request_id, g->>'purchase_of' from unnest(granted) g,
      lateral (values (g->>'purchase_of'), (g->'facts'->>'requestId')) as joined(request_id)
    where g ? 'purchase_of' on conflict do nothing;
  end if;
  if cardinality(extended) > 0 then
    update reservations r
    set amount = r.amount + (x->>'amount')::bigint, extender = x->>'extender', extension = (x->>'extension')::bigint
    from unnest(extended) x where r.id = x->>'id' and r.state is not distinct from 'held';
  end if;
  if cardinality(bodies) > 0 then perform tollgate_book_endings_1(bodies, known_facts, charges, write_offs); end if;
  if cardinality(covered_requests) > 0 then
    update purchase_requests p set covered = coalesce(c.covered, p.covered), covered_late = coalesce(c.covered_late, p.covered_late)
    from unnest(covered_requests, covereds, covereds_late) as c(request_id, covered, covered_late) where p.request_id = c.request_id;
  end if;
  update accounts a set balance = left_over.balance, reserved = left_over.reserved
  from unnest(account_ids, balances, reserveds) as left_over(id, balance, reserved)
  where a.id = left_over.id and (a.balance <> left_over.balance or a.reserved <> left_over.reserved);
  if has_limits then
    update key_spending s set spent = left_over.spent, reserved = left_over.reserved
    from unnest(lineages, periods, key_spents, key_reserveds) as left_over(lineage, period, spent, reserved)
    where s.lineage = left_over.lineage and s.period = left_over.period and (s.spent <> left_over.spent or s.reserved <> left_over.reserved);
  end if;
end $$
