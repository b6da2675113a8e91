/**
 * How the statements inside the money functions are planned: once, and as look-ups by index. They meet few rows of tables that grow without end,
 * and a plan made while a table was small would otherwise read it from end to end for as long as the connection lives.
 */
export const INDEXED_PLANS = `
  set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off`;

/** As a plain equation this would be met by the index of all held reservations, which is read whole, instead of by the reservation's id. */
export const HELD = "r.state is not distinct from 'held'";
