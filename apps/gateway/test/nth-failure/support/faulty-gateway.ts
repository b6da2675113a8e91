import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@tollgate/adapters-memory';
import { OutboxLedger, SILENT_OUTBOX_REPORT } from '@tollgate/adapters-node';
import type { SqlStore } from '@tollgate/sql-common';
import { availableOf, invariant, later, type ModelProvider, type ProcessId, type RateLimiter, type RequestId, type ReservationId, ServiceTokens, SYSTEM_ACTOR, tokenCount, type UsageReader, type UsageRecord } from '@tollgate/core';
import { FaultPlan, requestFacts } from '@tollgate/testkit';
import type { Store } from '../../../src/adapters/store.js';
import { aPlan } from '../../../src/test-support/test-catalogue.js';
import { startTestGateway, TEST_SETTINGS, type TestCaller, type TestGateway } from '../../../src/test-support/start-test-gateway.js';
import { untilItHolds } from './until-it-holds.js';

/** How to open the store and the limiter; both use the given clock. */
export interface FaultyGatewayParts {
  readonly openStore: (clock: ManualClock) => Promise<SqlStore>;
  readonly makeLimiter: (clock: ManualClock, usage: Pick<UsageReader, 'tokensUsed'>) => Promise<RateLimiter>;
}

const LIMITS = {
  requestsPerMinute: 1000, tokensPerMinute: tokenCount(20_000), concurrentRequests: 1, tokensPerDay: tokenCount(1_000_000_000), tokensPerMonth: tokenCount(10_000_000_000),
};
const { reservationLifetimeMilliseconds } = TEST_SETTINGS;
/** Time in which every periodic service runs once. */
const TURN_MILLISECONDS = 5000;
/** Event loop turns that suffice for all work that does not wait for the hanging call. */
const TURNS_OF_A_HANG = 20;
const SLOT_LEASE_MILLISECONDS = 31_000;
/** Has no lease. */
const DEAD_PROCESS = 'process_dead' as ProcessId;
const ORPHANED = ServiceTokens.fromUnits(1n);

/** A real gateway over real adapters, one call of which can fail. Close it after the tests. */
export class FaultyGateway {
  #caller: TestCaller;

  private constructor(
    readonly plan: FaultPlan, readonly clock: ManualClock, readonly store: SqlStore, readonly limiter: RateLimiter, readonly outbox: OutboxLedger,
    readonly gateway: TestGateway, private readonly folder: string,
  ) {
    this.#caller = gateway.caller;
  }

  static async start({ openStore, makeLimiter }: FaultyGatewayParts): Promise<FaultyGateway> {
    const [clock, plan, folder] = [new ManualClock(), new FaultPlan(Infinity, 'before'), mkdtempSync(join(tmpdir(), 'tollgate-nth-'))];
    const store = await openStore(clock);
    const usage = plan.watch('usage', store.usage, ['tokensUsed']);
    const limiter = await makeLimiter(clock, usage);
    const outbox = await OutboxLedger.open({
      ledger: plan.watch('ledger', store.ledger, ['reserve', 'extend', 'settle', 'checkpoint', 'sweep']), file: join(folder, 'outbox'), clock, report: SILENT_OUTBOX_REPORT,
    });
    const gateway = await startTestGateway({
      limits: LIMITS,
      // No call that sends mail is made to fail here; without alerts, no request sends any.
      settings: { lowBalanceAlerts: [] },
      services: ({ provider }) => ({
        clock, outbox,
        store: withoutOptionalPorts(store),
        platform: store.platform,
        keys: plan.watch('keys', store.keys, ['findByHash']),
        idempotency: plan.watch('idempotency', store.idempotency, ['claim', 'finish', 'release', 'sweep']),
        limiter: plan.watch('limiter', limiter, ['admit', 'release', 'quota']),
        responses: plan.watch('responses', store.responses, ['keep', 'sweep']),
        provider: watchedProvider(plan, provider),
      }),
    });
    return new FaultyGateway(plan, clock, store, limiter, outbox, gateway, folder);
  }

  get caller(): TestCaller {
    return this.#caller;
  }

  /** Replaces the caller by a new one with a balance of zero. */
  async useNewCaller(name: string): Promise<void> {
    this.#caller = await this.gateway.addCaller(name, { credit: '0' });
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.outbox.close();
    await this.store.close();
    rmSync(this.folder, { recursive: true });
  }

  forgetRequests(): void {
    this.gateway.parts.logged.length = 0;
    this.gateway.provider.streams.length = 0;
  }

  /**
   * Makes `amount` available by crediting what the account lacks. In addition, credits and reserves the smallest amount for a dead process; only a
   * sweep ends that reservation.
   */
  async fillTo(amount: string, reference: string): Promise<void> {
    const { store: { ledger }, clock, caller: { account: { id: accountId } } } = this;
    const at = clock.now();
    const missing = ServiceTokens.parse(amount).plus(ORPHANED).minus(availableOf(await this.balance()));
    if (!missing.isZero()) await ledger.credit({ accountId, amount: missing, reference, actor: SYSTEM_ACTOR, at });
    await ledger.reserve({
      reservationId: `rsv_orphan ${reference}` as ReservationId, ownerId: DEAD_PROCESS, amount: ORPHANED, floor: ORPHANED, expiresAt: later(at, 2 * reservationLifetimeMilliseconds),
      facts: requestFacts({ accountId, requestId: `req_orphan ${reference}` as RequestId, startedAt: at }),
    });
  }

  async balance() {
    const balance = await this.store.ledger.balanceOf(this.caller.account.id);
    invariant(balance !== null, 'the account is there');
    return balance;
  }

  /** Usage records of the requests, in the order in which they ended; `null` for a refused request. */
  records(): Promise<readonly (UsageRecord | null)[]> {
    return Promise.all(this.endedRequests().map((id) => this.store.usage.find(this.caller.account.id, id)));
  }

  /** Resolves when this many requests have ended and no call runs. If a call hangs, lets the periodic services run once, then fails the call. */
  async untilOver(requests: number): Promise<void> {
    const isOver = (): boolean => this.plan.isQuiet && this.endedRequests().length >= requests;
    await untilItHolds(() => this.plan.isHanging || isOver());
    if (this.plan.isHanging) await this.turn();
    await untilItHolds(isOver);
  }

  /** Lets every periodic service run once, then fails the call that hangs, if one does. */
  async turn(): Promise<void> {
    this.clock.advance(TURN_MILLISECONDS);
    await this.untilQuiet();
    if (!this.plan.isHanging) return;
    this.plan.release();
    await this.untilQuiet();
  }

  /**
   * Takes a turn when the leases of slots have expired, and another when reservations have. Setting the clock runs nothing, so each service runs only
   * once per turn.
   */
  async recover(): Promise<void> {
    this.plan.disarm();
    for (const milliseconds of [SLOT_LEASE_MILLISECONDS, reservationLifetimeMilliseconds]) {
      this.clock.set(later(this.clock.now(), milliseconds));
      await this.turn();
    }
  }

  /** True if the account's slot is free; takes and releases the slot to find out. */
  async hasFreeSlot(): Promise<boolean> {
    const admission = await this.limiter.admit({
      accountId: this.caller.account.id, requestId: 'req_probe' as RequestId, limits: aPlan({ concurrentRequests: 1 }).limits, incident: null, kind: 'generation', tokens: tokenCount(1),
    });
    if (admission.admitted) await this.limiter.release(admission.ticket, { kind: 'undone' });
    return admission.admitted;
  }

  private endedRequests(): readonly RequestId[] {
    return this.gateway.parts.logged.filter(({ msg }) => msg === 'request').map(({ requestId }) => requestId as RequestId);
  }

  /** Resolves when no call runs; if one hangs, after a number of event loop turns. */
  private async untilQuiet(): Promise<void> {
    for (let turn = 0; turn < TURNS_OF_A_HANG; turn += 1) {
      await nextTurn();
      if (!this.plan.isHanging && this.plan.isQuiet) return;
    }
    if (!this.plan.isHanging) await untilItHolds(() => this.plan.isQuiet);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** No call to an optional port fails here. The periodic services of these ports would send three fifths of all statements. */
function withoutOptionalPorts({
  accounts, auditTrail, bookings, controls, erasure, factors, idempotency, installation, issuers, keys, ledger, ledgerAudit, lookups, mail, passkeys, people, platform, responses, sessions, usage, usageTotals,
}: SqlStore): Store {
  return {
    accounts, auditTrail, bookings, controls, erasure, factors, idempotency, installation, issuers, keys, ledger, ledgerAudit, lookups, mail, passkeys, people, platform, responses, sessions, usage, usageTotals,
  };
}

function watchedProvider(plan: FaultPlan, provider: ModelProvider): ModelProvider {
  const watched = plan.watch('provider', provider, ['open']);
  return { open: async (call) => plan.watch('upstream', await watched.open(call), ['next']) };
}
