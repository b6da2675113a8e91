import { setTimeout as pause } from 'node:timers/promises';
import type { SqlStore } from '@tollgate/sql-common';
import type { DatabaseView } from '../books/database-view.js';
import { openBeside } from '../books/open-beside.js';
import { BALANCE_QUERIES, unbalanced } from '../checks/balance-queries.js';
import { BILLED_QUERY, billedFrom, mostPrice, wrongOutput } from '../checks/billed-output.js';
import { BOOKED_QUERIES, bookedFrom, brokenReceipts, lostCredits } from '../checks/acknowledged-money.js';
import { ENTRIES_QUERY, SeenEntries } from '../checks/seen-entries.js';
import { HELD_QUERY } from '../checks/dead-processes.js';
import { SeenSlots, type SlotCount } from '../checks/slots.js';
import { compareWithReceipts, readPaid } from '../customers/paid-by-receipts.js';
import { slotsOf } from '../gateways/fleet.js';
import type { World } from './world.js';

export class Inspector {
  readonly slots = new SeenSlots();
  readonly #entries = new SeenEntries();
  #receiptsChecked = 0;
  #creditsChecked = 0;
  #requestsCompared = 0;

  private constructor(private readonly world: World, private store: SqlStore | null, private view: DatabaseView) {}

  static async open(world: World): Promise<Inspector> {
    return new Inspector(world, await openBeside(world.ground.database), world.ground.openView());
  }

  /** Opens the database again; earlier observations are kept. */
  async reopen(): Promise<void> {
    if (this.store !== null) return;
    this.store = await openBeside(this.world.ground.database);
    this.view = this.world.ground.openView();
  }

  get requestsCompared(): number {
    return this.#requestsCompared;
  }

  /**
   * Checks what must hold at every moment. Each acknowledgement is checked only once, because `SeenEntries` would notice later changes of its
   * entries.
   */
  async look(): Promise<void> {
    const { receipts, credits } = this.world.acknowledged;
    const [toldReceipts, toldCredits] = [receipts.slice(this.#receiptsChecked), credits.slice(this.#creditsChecked)];
    const at = performance.now();
    const found = await this.view.read([ENTRIES_QUERY, HELD_QUERY, ...BOOKED_QUERIES, ...BALANCE_QUERIES.map(([, query]) => query)]);
    const [entries = [], held = [], ...others] = found;
    const booked = bookedFrom(others.slice(0, BOOKED_QUERIES.length));
    this.report(unbalanced(others.slice(BOOKED_QUERIES.length)));
    this.report(this.#entries.look(entries));
    this.report(this.world.dead.look(held, at));
    this.report(brokenReceipts(toldReceipts, booked));
    this.report(lostCredits(toldCredits, booked));
    this.#receiptsChecked += toldReceipts.length;
    this.#creditsChecked += toldCredits.length;
    this.report(this.slots.look(await this.slotCounts()));
  }

  /** Runs the product's own audits of the books and the audit log, which compute every charge again. */
  async audit(): Promise<void> {
    const { store } = this;
    if (store === null) throw new Error('audit() requires an open database');
    const { differences } = await store.ledgerAudit.verify();
    const { firstBrokenEntry } = await store.auditTrail.verifyAuditTrail();
    this.report(differences.map(({ invariant, accountId, expected, found }) => `${invariant}: account ${accountId} has ${found} instead of ${expected}`));
    if (firstBrokenEntry !== null) this.world.violate(`I14: audit entry ${firstBrokenEntry} is not as it was written`);
  }

  /** Checks the reservations of dead processes. Returns the number of all held reservations. */
  async lookAtHeld(): Promise<number> {
    const at = performance.now();
    const [held = []] = await this.view.read([HELD_QUERY]);
    this.report(this.world.dead.look(held, at));
    return held.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** Checks what must hold at rest: what `look` checks, for all acknowledgements, and the billed output of each request. */
  async lookInQuiet(): Promise<void> {
    this.#receiptsChecked = 0;
    this.#creditsChecked = 0;
    await this.look();
    await this.audit();
    const [rows = []] = await this.view.read([BILLED_QUERY]);
    const billed = billedFrom(rows);
    const { outcomes } = this.world.acknowledged;
    for (const outcome of outcomes) {
      const wrong = wrongOutput({ ...outcome, sent: this.world.context.upstream.sentFor(outcome.number) }, billed.get(outcome.number));
      if (wrong !== null) this.world.violate(`I8: request ${outcome.number}: ${wrong}`);
    }
    const most = (number: number): bigint => mostPrice(this.world.context.upstream.sentFor(number));
    this.report(compareWithReceipts(outcomes.map(({ reply }) => reply), await readPaid(this.view), most).violations);
    this.#requestsCompared = outcomes.filter(({ number }) => billed.has(number)).length;
  }

  /** Numbers of slots by account if the limiter is shared, otherwise by gateway. */
  async slotCounts(): Promise<readonly SlotCount[]> {
    const { setup, accounts, fleet } = this.world;
    const own = await Promise.all(fleet.serving.map((gateway) => slotsOf(gateway, accounts.length)));
    return [...await setup.sharedSlots(accounts.map(({ id }) => id)), ...own.flat()];
  }

  async close(): Promise<void> {
    await this.store?.close();
    this.store = null;
    await this.view.close();
  }

  private report(violations: readonly string[]): void {
    for (const violation of violations) this.world.violate(violation);
  }
}

const LOOK_MILLISECONDS = 200;

export interface WatchFigures {
  readonly looks: number;
  /** Number of checks that failed because the database or Redis was away. */
  readonly missed: number;
  /** Duration of the watch; divided by the number of checks, it gives their interval. */
  readonly watchedMilliseconds: number;
  readonly longestGapMilliseconds: number;
  /** Number of runs of the product's own audit. */
  readonly audits: number;
}

/** Checks a world every 200 ms, and runs one audit after the other. */
export class Watch {
  #inspector: Inspector | null = null;
  #stopped = false;
  #watching: Promise<unknown> = Promise.resolve();
  #figures: WatchFigures = { looks: 0, missed: 0, watchedMilliseconds: 0, longestGapMilliseconds: 0, audits: 0 };

  constructor(private readonly world: World) {}

  get figures(): WatchFigures {
    return this.#figures;
  }

  get inspector(): Inspector {
    if (this.#inspector === null) throw new Error('the watch has not started, so it has no inspector');
    return this.#inspector;
  }

  async start(): Promise<void> {
    this.#inspector ??= await Inspector.open(this.world);
    await this.inspector.reopen();
    this.#stopped = false;
    this.#watching = Promise.all([this.lookOn(), this.auditOn()]);
  }

  /** Resolves when no program but gateways uses the database. */
  async pause(): Promise<void> {
    this.#stopped = true;
    await this.#watching;
    await this.inspector.close();
  }

  private async lookOn(): Promise<void> {
    let before = performance.now();
    while (!this.#stopped) {
      const beganAt = performance.now();
      const saw = await this.attempt(() => this.inspector.look());
      const now = performance.now();
      const { looks, missed, watchedMilliseconds, longestGapMilliseconds } = this.#figures;
      this.#figures = {
        ...this.#figures,
        looks: looks + 1,
        missed: missed + (saw ? 0 : 1),
        watchedMilliseconds: watchedMilliseconds + now - before,
        longestGapMilliseconds: saw ? Math.max(longestGapMilliseconds, now - before) : longestGapMilliseconds,
      };
      before = now;
      await pause(Math.max(0, LOOK_MILLISECONDS - (now - beganAt)));
    }
  }

  private async auditOn(): Promise<void> {
    while (!this.#stopped) {
      if (await this.attempt(() => this.inspector.audit())) this.#figures = { ...this.#figures, audits: this.#figures.audits + 1 };
      await pause(LOOK_MILLISECONDS);
    }
  }

  /** Runs the task. False if it failed while servers were away; any other failure is a violation. */
  private async attempt(task: () => Promise<void>): Promise<boolean> {
    try {
      await task();
      return true;
    } catch (thrown) {
      if (!this.world.setup.isTroubled()) this.world.violate(`the books could not be looked at: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      return false;
    }
  }
}
