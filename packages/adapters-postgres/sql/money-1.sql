create function tollgate_money_1(operations jsonb)
returns table (outcome text, balance bigint, reserved bigint, charged bigint, written_off bigint, usd_rate text)
language plpgsql 
  set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  op record;
  late record;
  account_ids text[]; balances bigint[]; reserveds bigint[];
  granted jsonb[] := '{}'; extended jsonb[] := '{}';
  bodies jsonb[] := '{}'; known_facts jsonb[] := '{}'; charges bigint[] := '{}'; write_offs bigint[] := '{}';
begin
  perform 1 from reservations r
  where r.id in (select o->>'id' from jsonb_array_elements(operations) o where o->>'kind' <> 'reserve')
  order by r.id for no key update;

  with locked as materialized (
    select a.id, a.balance, a.reserved from accounts a
    where a.id in (
      select o->>'account' from jsonb_array_elements(operations) o where o->>'kind' = 'reserve'
      union select r.account_id from jsonb_array_elements(operations) o join reservations r on r.id = o->>'id')
    order by a.id for no key update)
  select array_agg(locked.id), array_agg(locked.balance), array_agg(locked.reserved) into account_ids, balances, reserveds from locked;

  for op in
    select o.body, o.body->>'kind' as kind, (o.body->>'amount')::bigint as amount, (o.body->>'cost')::bigint as cost,
      r.id as found, r.state, r.amount as held, r.facts, r.extender, r.extension,
      array_position(account_ids, coalesce(r.account_id, o.body->>'account')) as at
    from jsonb_array_elements(operations) with ordinality as o(body, place) left join reservations r on r.id = o.body->>'id'
    order by o.place
  loop
    charged := 0;
    written_off := 0;
    usd_rate := null;
    if op.kind = 'reserve' then
      if op.found is not null then
        outcome := 'reserved';
      elsif op.at is null or balances[op.at] - reserveds[op.at] < op.amount then
        outcome := 'insufficient';
      else
        outcome := 'reserved';
        reserveds[op.at] := reserveds[op.at] + op.amount;
        granted := array_append(granted, op.body);
      end if;
    elsif op.kind = 'extend' then
      if op.found is null or op.state <> 'held' then
        outcome := 'not-held';
      elsif op.extender = op.body->>'extender' and op.extension >= (op.body->>'extension')::bigint then
        outcome := 'reserved';
      elsif balances[op.at] - reserveds[op.at] < op.amount then
        outcome := 'insufficient';
      else
        outcome := 'reserved';
        reserveds[op.at] := reserveds[op.at] + op.amount;
        extended := array_append(extended, op.body);
      end if;
    elsif op.found is null then
      outcome := 'unknown';
    elsif op.state = 'held' then
      outcome := 'settled';
      charged := least(op.cost, balances[op.at] - reserveds[op.at] + op.held);
      written_off := least(op.cost - charged, 1000000000000000000);
      balances[op.at] := balances[op.at] - charged;
      reserveds[op.at] := reserveds[op.at] - op.held;
      usd_rate := op.facts::jsonb->>'usdPerServiceToken';
      bodies := array_append(bodies, op.body);
      known_facts := array_append(known_facts, op.facts::jsonb);
      charges := array_append(charges, charged);
      write_offs := array_append(write_offs, written_off);
    else
      outcome := 'settled';
      late := tollgate_settle_late_1(op.body, balances[op.at] - reserveds[op.at]);
      balances[op.at] := balances[op.at] - late.debited;
      charged := late.total_charged;
      written_off := late.total_written_off;
      usd_rate := late.rate;
    end if;
    balance := coalesce(balances[op.at], 0);
    reserved := coalesce(reserveds[op.at], 0);
    return next;
  end loop;

  if cardinality(granted) > 0 then
    insert into reservations (id, account_id, owner_id, amount, state, facts, created_at, expires_at)
    select g->>'id', g->>'account', g->>'owner', (g->>'amount')::bigint, 'held', g->>'facts', (g->>'created_at')::bigint, (g->>'expires_at')::bigint
    from unnest(granted) g;
  end if;
  if cardinality(extended) > 0 then
    update reservations r
    set amount = r.amount + (x->>'amount')::bigint, extender = x->>'extender', extension = (x->>'extension')::bigint
    from unnest(extended) x where r.id = x->>'id' and r.state is not distinct from 'held';
  end if;
  if cardinality(bodies) > 0 then perform tollgate_book_endings_1(bodies, known_facts, charges, write_offs); end if;
  update accounts a set balance = left_over.balance, reserved = left_over.reserved
  from unnest(account_ids, balances, reserveds) as left_over(id, balance, reserved)
  where a.id = left_over.id and (a.balance <> left_over.balance or a.reserved <> left_over.reserved);
end $$
