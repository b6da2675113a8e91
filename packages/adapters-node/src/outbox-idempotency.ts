import { type ClaimOutcome, type ClaimProlongation, type Clock, type FinishCommand, type IdempotencyClaim, type IdempotencyClaimName, type IdempotencyStore, type Instant, later, type ReleaseCommand, type StoredReply } from '@tollgate/core';
import { type OutboxCodec, OutboxFile } from './outbox-file.js';
import { OUTBOX_RETRY_MILLISECONDS } from './outbox-ledger.js';

/** Maximum total characters of waiting replies. A request whose reply would exceed it is finished without the reply. */
export const MAX_CHARACTERS = 64 * 1024 * 1024;
export const MAX_WAITING_ENTRIES = 100_000;
/** Consecutive failures after which the store counts as unavailable until the next retry. */
const FAILURES_PER_TURN = 3;
/** Maximum pause of the exponential backoff for an end that fails while the store accepts others. */
const MAX_PAUSE_MILLISECONDS = 300_000;
/** Number of counted failures after which an end is reported as stuck. */
const REPORTED_FAILURE = 3;

export interface OutboxIdempotencyPorts {
  readonly idempotency: IdempotencyStore;
  /** File for this process alone; `null` queues in memory only. */
  readonly file: string | null;
  readonly clock: Clock;
  /** Called if the file could not be read completely, written or emptied. */
  readonly onFileProblem: (problem: unknown) => void;
  /** Called once for an end that failed three times while the store accepted other calls. The end is retried. */
  readonly onStuck: (name: IdempotencyClaimName, cause: unknown) => void;
}

type Ending =
  | { readonly kind: 'finish'; readonly command: FinishCommand }
  | { readonly kind: 'release'; readonly command: ReleaseCommand };

interface WaitingEnd {
  readonly ending: Ending;
  /** Number of counted failures. A failure counts only if the store has accepted another call since the last counted one. */
  readonly failures: number;
  readonly notBefore: Instant;
  /** Value of `#taken` at the last counted failure; at first, when the end arrived. */
  readonly taken: number;
}

const CODEC: OutboxCodec<Ending> = { encode: (ending) => JSON.stringify(ending), decode: (json) => JSON.parse(json) as Ending };

function nameOf({ accountId, key, requestId }: IdempotencyClaimName): string {
  return JSON.stringify([accountId, key, requestId]);
}

function charactersOf({ kind, command }: Ending): number {
  return kind === 'finish' ? command.reply?.body.length ?? 0 : 0;
}

/**
 * Queues the ends of idempotent requests in memory and on the local disk while the store is unavailable, so that repetitions get the reply once the
 * store is back. The first end of a request counts, because its client has received it.
 */
export class OutboxIdempotency implements IdempotencyStore {
  /** Ordered by arrival; failed ones move to the end. */
  readonly #waiting = new Map<string, WaitingEnd>();
  readonly #file: OutboxFile<Ending> | null;
  #characters = 0;
  /** Number of successful calls to the store. */
  #taken = 0;
  #turn: Promise<void> | null = null;
  #cancel: () => void = () => undefined;
  #closed = false;

  private constructor(private readonly ports: OutboxIdempotencyPorts) {
    this.#file = ports.file === null ? null : new OutboxFile(ports.file, CODEC);
  }

  /** Tries once to deliver the ends that an earlier process left. Rejects if the file cannot be read. */
  static async open(ports: OutboxIdempotencyPorts): Promise<OutboxIdempotency> {
    const outbox = new OutboxIdempotency(ports);
    const { items, unreadable } = await outbox.#file?.read() ?? { items: [], unreadable: 0 };
    if (unreadable > 0) ports.onFileProblem(new Error(`${unreadable} stored replies are damaged and cannot be replayed`));
    for (const ending of items) outbox.#enqueue(ending);
    if (items.length > 0) await outbox.deliver();
    return outbox;
  }

  claim(claim: IdempotencyClaim): Promise<ClaimOutcome> {
    return this.#counting(this.ports.idempotency.claim(claim));
  }

  prolong(prolongation: ClaimProlongation): Promise<void> {
    return this.#counting(this.ports.idempotency.prolong(prolongation));
  }

  reply(name: IdempotencyClaimName): Promise<StoredReply | null> {
    return this.#counting(this.ports.idempotency.reply(name));
  }

  sweep(now: Instant, keptUntil: Instant): Promise<number> {
    return this.#counting(this.ports.idempotency.sweep(now, keptUntil));
  }

  /** Resolves once the store has the end, or once the end is queued and, if the disk accepts it, synced. Rejects if too many ends wait. */
  finish(command: FinishCommand): Promise<void> {
    return this.#end({ kind: 'finish', command });
  }

  release(command: ReleaseCommand): Promise<void> {
    return this.#end({ kind: 'release', command });
  }

  /** Tries once to store each end that is due. Stops after three failures in a row. */
  deliver(): Promise<void> {
    this.#turn ??= this.#deliverAll().finally(() => {
      this.#turn = null;
      this.#schedule();
    });
    return this.#turn;
  }

  /** Tries once more to store the ends that are due. Ends that still wait stay in the file for the next process. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    if (this.#waiting.size > 0) await this.deliver();
  }

  async #end(ending: Ending): Promise<void> {
    if (this.#waiting.has(nameOf(ending.command))) return;
    await this.#store(ending).catch((failure: unknown) => this.#keep(ending, failure));
  }

  #store({ kind, command }: Ending): Promise<void> {
    const { idempotency } = this.ports;
    return this.#counting(kind === 'finish' ? idempotency.finish(command) : idempotency.release(command));
  }

  async #counting<T>(work: Promise<T>): Promise<T> {
    const done = await work;
    this.#taken += 1;
    return done;
  }

  async #keep(given: Ending, failure: unknown): Promise<void> {
    if (this.#waiting.has(nameOf(given.command))) return;
    if (this.#waiting.size >= MAX_WAITING_ENTRIES) throw failure;
    const isTooLarge = this.#characters + charactersOf(given) > MAX_CHARACTERS;
    const ending: Ending = given.kind === 'finish' && isTooLarge ? { kind: 'finish', command: { ...given.command, reply: null } } : given;
    this.#enqueue(ending);
    await this.#file?.append(ending).catch((problem: unknown) => this.ports.onFileProblem(problem));
    if (this.#turn === null) this.#schedule();
  }

  #enqueue(ending: Ending): void {
    const name = nameOf(ending.command);
    if (this.#waiting.has(name)) return;
    this.#characters += charactersOf(ending);
    this.#waiting.set(name, { ending, failures: 0, notBefore: this.ports.clock.now(), taken: this.#taken });
  }

  #schedule(): void {
    this.#cancel();
    if (this.#closed || this.#waiting.size === 0) return;
    this.#cancel = this.ports.clock.schedule(OUTBOX_RETRY_MILLISECONDS, () => void this.deliver());
  }

  async #deliverAll(): Promise<void> {
    const now = this.ports.clock.now();
    let failuresInARow = 0;
    for (const waiting of [...this.#waiting.values()].filter(({ notBefore }) => notBefore <= now)) {
      failuresInARow = await this.#tryOne(waiting) ? 0 : failuresInARow + 1;
      if (failuresInARow >= FAILURES_PER_TURN) return;
    }
    if (this.#waiting.size === 0) await this.#file?.empty().catch((problem: unknown) => this.ports.onFileProblem(problem));
  }

  async #tryOne(waiting: WaitingEnd): Promise<boolean> {
    const { ending } = waiting;
    const name = nameOf(ending.command);
    try {
      await this.#store(ending);
      this.#waiting.delete(name);
      this.#characters -= charactersOf(ending);
      return true;
    } catch (failure) {
      this.#waiting.delete(name);
      this.#waiting.set(name, this.#afterFailure(waiting, failure));
      return false;
    }
  }

  /** Without a success since the last failure, the store counts as unavailable and the end is tried in every turn. */
  #afterFailure({ ending, failures: before, taken }: WaitingEnd, failure: unknown): WaitingEnd {
    const now = this.ports.clock.now();
    if (this.#taken === taken) return { ending, failures: before, notBefore: now, taken };
    const failures = before + 1;
    if (failures === REPORTED_FAILURE) this.ports.onStuck(ending.command, failure);
    const pause = Math.min(OUTBOX_RETRY_MILLISECONDS * 2 ** failures, MAX_PAUSE_MILLISECONDS);
    return { ending, failures, notBefore: later(now, pause), taken: this.#taken };
  }
}
