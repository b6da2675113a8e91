import {
  type AccountId, type BackgroundEvents, capEvent, type Condition, conditionEndEvent, conditionEvent, type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE,
  type ReachedCap, rfc3339,
} from '@tollgate/core';
import { sql } from 'kysely';
import { instantFromColumn } from '../schema/column-values.js';
import { type LeaseClock, presentBy } from '../script/lease-clock.js';
import { changesOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { appendEvent } from './append-event.js';

/** Maximum rows changed per transaction. */
const ROWS_PER_STEP = 20;
/** Longer than any period of a cap, of which the longest is a month. */
const CAPS_KEPT_MILLISECONDS = 62 * MILLISECONDS_PER_DAY;

/**
 * Time after its last report at which a condition ends. Shorter times would end it too early: a circuit closes briefly between two failed probes, and
 * only a request shows whether credentials are refused.
 */
const ENDS_AFTER_MILLISECONDS: Readonly<Record<Condition['kind'], number>> = {
  'upstream-down': MILLISECONDS_PER_MINUTE, 'credentials-refused': MILLISECONDS_PER_HOUR, 'ledger-disagreement': MILLISECONDS_PER_HOUR,
};

export class SqlBackgroundEvents implements BackgroundEvents {
  /** @param clock decides how long ago a condition was reported. */
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner, private readonly clock: LeaseClock) {}

  capReached(cap: ReachedCap, at: Instant): Promise<boolean> {
    return this.runner.write(() => this.insertCap(cap, at));
  }

  async keysExpired(at: Instant): Promise<number> {
    return (await this.runner.read(() => this.expired(at))).length === 0 ? 0 : this.runner.write(() => this.tellExpired(at));
  }

  async conditionsHold(conditions: readonly Condition[], at: Instant): Promise<void> {
    if (conditions.length > 0) await this.runner.write(() => this.hold(conditions, at));
  }

  async conditionsEnd(at: Instant): Promise<number> {
    return (await this.runner.read(() => this.unnamed(at))).length === 0 ? 0 : this.runner.write(() => this.end(at));
  }

  private* insertCap(cap: ReachedCap, at: Instant): Script<boolean> {
    const { accountId, period } = cap;
    const inserted = yield* changesOf(this.queries.insertInto('reached_caps').values({ account_id: accountId, period, reached_at: at }).onConflict((conflict) => conflict.doNothing()));
    if (inserted === 0) return false;
    yield* changesOf(this.queries.deleteFrom('reached_caps').where('account_id', '=', accountId).where('reached_at', '<', BigInt(later(at, -CAPS_KEPT_MILLISECONDS))));
    yield* appendEvent(this.queries, capEvent(cap, at));
    return true;
  }

  private* expired(at: Instant) {
    // The condition contains a literal, because SQLite would not use the partial index with a parameter.
    return yield* rowsOf(this.queries.selectFrom('api_keys').select(['id', 'account_id', 'expires_at']).where('expires_at', '<=', BigInt(at))
      .where('revoked_at', 'is', null).where('expiry_told', '=', sql.lit(0n)).orderBy('expires_at').limit(ROWS_PER_STEP));
  }

  private* tellExpired(at: Instant): Script<number> {
    const keys = yield* this.expired(at);
    for (const { id, account_id, expires_at } of keys) {
      const told = yield* changesOf(this.queries.updateTable('api_keys').set({ expiry_told: 1 }).where('id', '=', id).where('expiry_told', '=', 0n).where('revoked_at', 'is', null));
      if (told === 0) continue;
      yield* appendEvent(this.queries, { type: 'key.expired', accountId: account_id as AccountId, at, data: { key_id: id, expired_at: rfc3339(instantFromColumn(expires_at ?? 0n)) } });
    }
    return keys.length;
  }

  private* hold(conditions: readonly Condition[], at: Instant): Script<void> {
    const present = presentBy(this.clock, at);
    for (const condition of conditions) {
      const name = JSON.stringify(condition);
      const known = yield* changesOf(this.queries.updateTable('conditions').set({ named_at: present }).where('condition', '=', name));
      if (known > 0) continue;
      const begun = yield* changesOf(this.queries.insertInto('conditions')
        .values({ condition: name, named_at: present, ends_after: ENDS_AFTER_MILLISECONDS[condition.kind] }).onConflict((conflict) => conflict.doNothing()));
      if (begun > 0) yield* appendEvent(this.queries, conditionEvent(condition, at));
    }
  }

  private* unnamed(at: Instant): Script<readonly string[]> {
    const rows = yield* rowsOf(this.queries.selectFrom('conditions').select('condition').where(this.isUnnamed(at)).limit(ROWS_PER_STEP));
    return rows.map(({ condition }) => condition);
  }

  private isUnnamed(at: Instant) {
    return sql<boolean>`named_at + ends_after <= ${presentBy(this.clock, at)}`;
  }

  private* end(at: Instant): Script<number> {
    const names = yield* this.unnamed(at);
    for (const name of names) {
      const ended = yield* changesOf(this.queries.deleteFrom('conditions').where('condition', '=', name).where(this.isUnnamed(at)));
      const event = ended === 0 ? null : conditionEndEvent(JSON.parse(name) as Condition, at);
      if (event !== null) yield* appendEvent(this.queries, event);
    }
    return names.length;
  }
}
