import { GatewayError, invariant } from '@tollgate/core';
import {
  ConnectionLostError, type ConnectionPool, deadlineFromNow, hasWaitedTooLong, retryTransient, type Session,
} from '../connection/connection-pool.js';
import type { MoneyAnswer, MoneyOperation } from './money-operation.js';

/** A piece of work and what it touches. */
export interface Work {
  /** Accounts. Work on the same account is begun in the order it was asked for. */
  readonly accounts: readonly string[];
  /** Named by one piece of a group at most; `null` for work on no reservation. */
  readonly reservation: string | null;
  /** To be done in a group of its own. */
  readonly isAlone: boolean;
}

/** How far ahead is looked for work that nothing stands in the way of, so that a long queue costs no more than a short one. */
const MAX_LOOK = 1_000;

function keysOf({ accounts, reservation }: Work): readonly string[] {
  return reservation === null ? accounts : [...accounts, reservation];
}

/** A group that is being put together, out of work in the order it was asked for. */
class WorkGroup<W extends Work> {
  readonly taken: W[] = [];
  /** What has to wait, and what for: work on the same keys must not overtake it. */
  readonly left: W[] = [];
  private readonly blocked: Set<string>;
  private readonly reservations = new Set<string>();

  constructor(busy: ReadonlySet<string>) {
    this.blocked = new Set(busy);
  }

  get hasRoom(): boolean {
    return !(this.taken[0]?.isAlone ?? false);
  }

  offer(work: W): void {
    if (this.mayJoin(work)) this.take(work);
    else this.leave(work);
  }

  private mayJoin(work: W): boolean {
    if (work.isAlone && this.taken.length > 0) return false;
    if (work.reservation !== null && this.reservations.has(work.reservation)) return false;
    return !keysOf(work).some((key) => this.blocked.has(key));
  }

  private take(work: W): void {
    this.taken.push(work);
    if (work.reservation !== null) this.reservations.add(work.reservation);
  }

  private leave(work: W): void {
    this.left.push(work);
    for (const key of keysOf(work)) this.blocked.add(key);
  }
}

/** Work that waits, and what is being worked on. Groups taken at the same time never touch the same account. */
export class OrderedWork<W extends Work> {
  private waiting: readonly W[] = [];
  private added: W[] = [];
  private readonly busy = new Set<string>();

  get isEmpty(): boolean {
    return this.waiting.length === 0 && this.added.length === 0;
  }

  add(work: W): void {
    this.added.push(work);
  }

  /** Work that must be repeated before later work. */
  putBack(works: readonly W[]): void {
    this.waiting = [...works, ...this.waiting];
  }

  /** The next group: one exclusive piece of work, or several others; empty while everything has to wait. */
  take(limit: number): readonly W[] {
    this.waiting = [...this.waiting, ...this.added.splice(0)];
    const group = new WorkGroup<W>(this.busy);
    let looked = 0;
    for (const work of this.waiting.slice(0, MAX_LOOK)) {
      if (group.taken.length === limit || !group.hasRoom) break;
      group.offer(work);
      looked += 1;
    }
    if (group.taken.length === 0) return [];
    this.waiting = [...group.left, ...this.waiting.slice(looked)];
    for (const key of group.taken.flatMap(keysOf)) this.busy.add(key);
    return group.taken;
  }

  /** Lets others at what a group has touched. */
  release(works: readonly W[]): void {
    for (const key of works.flatMap(keysOf)) this.busy.delete(key);
  }
}

interface Queued extends Work {
  readonly deadline: number;
  reject(reason: unknown): void;
}

interface QueuedOperation extends Queued {
  readonly operation: MoneyOperation;
  resolve(answer: MoneyAnswer): void;
}

/** Something of several steps that waits its turn among the operations on its account. Settles its own promise. */
interface QueuedTask extends Queued {
  readonly operation: null;
  run(): Promise<void>;
}

export interface Touched {
  readonly accounts: readonly string[];
  readonly reservation: string | null;
}

/** Bounds what one lost connection or one lock can hold up. */
export const MAX_GROUP = 128;

/** The name under which each connection keeps the statement prepared. */
const STATEMENT = {
  name: 'tollgate-money',
  text: 'select outcome, balance, reserved, charged, written_off, usd_rate, set_aside, key_left, booked, booked_charge, booked_write_off, account, request, key, format from tollgate_money_1($1::jsonb)',
};

export async function performOperations(session: Session, operations: readonly MoneyOperation[]): Promise<readonly MoneyAnswer[]> {
  const { rows } = await session.query({ ...STATEMENT, values: [JSON.stringify(operations)] });
  // The function's own declaration names these columns, and answers one row per operation.
  return rows as readonly MoneyAnswer[];
}

/**
 * Sends the operations of one turn of the event loop together, in one statement that is its own transaction, and those that come
 * while an account is being worked on together after it. Each operation is answered once it is committed.
 * What is sent twice, because a reply was lost, counts once. Rejects with a `GatewayError` only when nothing has been done.
 */
export class MoneyQueue {
  private readonly work = new OrderedWork<QueuedOperation | QueuedTask>();
  private readonly whenIdle: (() => void)[] = [];
  /** Sent without an answer; whether they were performed is unknown. */
  private readonly inDoubt = new WeakSet<MoneyOperation>();
  private running = 0;
  private isScheduled = false;
  private isClosed = false;

  constructor(private readonly pool: ConnectionPool) {}

  perform(operation: MoneyOperation, touched: Touched): Promise<MoneyAnswer> {
    return new Promise((resolve, reject) => {
      this.add({ ...touched, isAlone: false, deadline: deadlineFromNow(), operation, resolve, reject });
    });
  }

  /** Runs a task after all earlier work on the same account, and before all later work. */
  performTask<T>(task: () => Promise<T>, touched: Touched): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): Promise<void> => task().then(resolve);
      this.add({ ...touched, isAlone: true, deadline: deadlineFromNow(), operation: null, run, reject });
    });
  }

  /** Resolves once everything that was asked for is answered; nothing may be asked for after it. */
  close(): Promise<void> {
    this.isClosed = true;
    if (this.running === 0 && this.work.isEmpty) return Promise.resolve();
    return new Promise((resolve) => this.whenIdle.push(resolve));
  }

  private add(work: QueuedOperation | QueuedTask): void {
    invariant(!this.isClosed, 'the database is open while it is used');
    this.work.add(work);
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.begin();
    });
  }

  private begin(): void {
    while (this.running < this.pool.size) {
      const group = this.work.take(MAX_GROUP);
      if (group.length === 0) break;
      this.running += 1;
      void this.finish(group);
    }
    if (this.running === 0 && this.work.isEmpty) this.whenIdle.splice(0).forEach((resolve) => resolve());
  }

  private async finish(group: readonly (QueuedOperation | QueuedTask)[]): Promise<void> {
    try {
      await this.process(group);
    } catch (thrown) {
      this.tryAgainOrReject(group, thrown);
    }
    this.work.release(group);
    this.running -= 1;
    this.begin();
  }

  private async process(group: readonly (QueuedOperation | QueuedTask)[]): Promise<void> {
    const [first] = group;
    if (first?.operation === null) return first.run();
    const sent = group.filter((work) => work.operation !== null);
    const operations = sent.map(({ operation }) => operation);
    const deadline = Math.min(...sent.map((work) => work.deadline));
    const answers = await retryTransient(() => this.pool.use((session) => this.send(session, operations)), deadline);
    invariant(answers.length === sent.length, 'every operation is answered');
    for (const [place, answer] of answers.entries()) sent[place]?.resolve(answer);
  }

  private async send(session: Session, operations: readonly MoneyOperation[]): Promise<readonly MoneyAnswer[]> {
    try {
      return await performOperations(session, operations);
    } catch (thrown) {
      if (thrown instanceof ConnectionLostError) operations.forEach((operation) => this.inDoubt.add(operation));
      throw thrown;
    }
  }

  /** A `GatewayError` would say that nothing has been done. */
  private reasonFor({ operation }: QueuedOperation | QueuedTask, thrown: unknown): unknown {
    return operation !== null && this.inDoubt.has(operation) ? new ConnectionLostError(thrown) : thrown;
  }

  /** One operation that fails must not take the others with it, nor one locked account those of others: they go alone then. */
  private tryAgainOrReject(group: readonly (QueuedOperation | QueuedTask)[], thrown: unknown): void {
    const isAway = thrown instanceof GatewayError;
    const isWorthwhile = isAway || group.length > 1 || hasWaitedTooLong(thrown);
    const now = performance.now();
    const again = isWorthwhile ? group.filter((work) => work.operation !== null && work.deadline > now) : [];
    this.work.putBack(isAway ? again : again.map((work) => ({ ...work, isAlone: true })));
    for (const work of group.filter((candidate) => !again.includes(candidate))) work.reject(this.reasonFor(work, thrown));
  }
}
