import { GatewayError, invariant } from '@tollgate/core';
import { ConnectionLostError, hasWaitedTooLong } from '../connection/connection-failures.js';
import type { ConnectionPool } from '../connection/connection-pool.js';
import { deadlineFromNow, retryTransient } from '../connection/retry-transient.js';
import type { Session } from '../connection/session.js';
import type { MoneyAnswer, MoneyOperation } from './money-operation.js';
import { OrderedWork, type Work } from './ordered-work.js';
import { performOperations } from './perform-operations.js';

interface Queued extends Work {
  readonly deadline: number;
  reject(reason: unknown): void;
}

interface QueuedOperation extends Queued {
  readonly operation: MoneyOperation;
  resolve(answer: MoneyAnswer): void;
}

/** A task of several steps, in order with other operations of its account. It settles its own promise. */
interface QueuedTask extends Queued {
  readonly operation: null;
  run(): Promise<void>;
}

export interface Touched {
  readonly accounts: readonly string[];
  readonly reservation: string | null;
}

/** Maximum number of operations in a group, and therefore of operations that one lost connection or one lock can delay. */
export const MAX_GROUP = 128;

/**
 * Sends the operations of one event loop turn as one statement, which is one transaction. Operations of an account with a running operation are sent
 * together afterwards. Resolves after the commit. An operation that is repeated after a lost reply takes effect once. Rejects with a `GatewayError`
 * only if the operation had no effect; a task that rejects may have taken effect.
 */
export class MoneyQueue {
  private readonly work = new OrderedWork<QueuedOperation | QueuedTask>();
  private readonly whenIdle: (() => void)[] = [];
  /** Operations whose reply was lost, and whose outcome is therefore unknown. */
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

  /** Runs the task in order with other work on its accounts. */
  performTask<T>(task: () => Promise<T>, touched: Touched): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): Promise<void> => task().then(resolve);
      this.add({ ...touched, isAlone: true, deadline: deadlineFromNow(), operation: null, run, reject });
    });
  }

  /** Resolves when all work is done. Later additions reject. */
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

  /** If the outcome is unknown, replaces the error, since a `GatewayError` would mean that the operation had no effect. */
  private reasonFor({ operation }: QueuedOperation | QueuedTask, thrown: unknown): unknown {
    return operation !== null && this.inDoubt.has(operation) ? new ConnectionLostError(thrown) : thrown;
  }

  /**
   * Repeats the operations of a failed group. Unless the database is unavailable, they are repeated one by one, so that an error or a lock affects
   * only its own operation.
   */
  private tryAgainOrReject(group: readonly (QueuedOperation | QueuedTask)[], thrown: unknown): void {
    const isAway = thrown instanceof GatewayError;
    const isWorthwhile = isAway || group.length > 1 || hasWaitedTooLong(thrown);
    const now = performance.now();
    const again = isWorthwhile ? group.filter((work) => work.operation !== null && work.deadline > now) : [];
    this.work.putBack(isAway ? again : again.map((work) => ({ ...work, isAlone: true })));
    for (const work of group.filter((candidate) => !again.includes(candidate))) work.reject(this.reasonFor(work, thrown));
  }
}
