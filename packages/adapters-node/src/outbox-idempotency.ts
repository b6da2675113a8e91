import type { ClaimOutcome, Clock, FinishCommand, IdempotencyClaim, IdempotencyClaimName, IdempotencyStore, Instant, ReleaseCommand, StoredReply } from '@tollgate/core';
import { type OutboxCodec, OutboxFile } from './outbox-file.js';
import { OUTBOX_RETRY_MILLISECONDS } from './outbox-ledger.js';

/** Characters of waiting replies; a reply beyond them is finished without its text. */
export const MAXIMUM_CHARACTERS = 64 * 1024 * 1024;
export const MAXIMUM_WAITING = 100_000;

export interface OutboxIdempotencyPorts {
  readonly idempotency: IdempotencyStore;
  /** Used by this process alone; `null`: nothing can be stored. */
  readonly file: string | null;
  readonly clock: Clock;
  /** The file could not be read to its end, be written or be emptied. */
  readonly onFileProblem: (problem: unknown) => void;
}

type Ending =
  | { readonly kind: 'finish'; readonly command: FinishCommand }
  | { readonly kind: 'release'; readonly command: ReleaseCommand };

const CODEC: OutboxCodec<Ending> = { encode: (ending) => JSON.stringify(ending), decode: (json) => JSON.parse(json) as Ending };

function charactersOf({ kind, command }: Ending): number {
  return kind === 'finish' ? command.reply?.body.length ?? 0 : 0;
}

/**
 * Idempotency keys whose ends are not lost while the store behind them is unavailable: a reply whose settlement is pending is stored on
 * the disk of this machine, so that the same request gets it later.
 */
export class OutboxIdempotency implements IdempotencyStore {
  readonly #waiting = new Map<string, Ending>();
  readonly #file: OutboxFile<Ending> | null;
  #characters = 0;
  #turn: Promise<void> | null = null;
  #cancel: () => void = () => undefined;
  #closed = false;

  private constructor(private readonly ports: OutboxIdempotencyPorts) {
    this.#file = ports.file === null ? null : new OutboxFile(ports.file, CODEC);
  }

  /** Delivers what an earlier process left. Rejects when the file cannot be read. */
  static async open(ports: OutboxIdempotencyPorts): Promise<OutboxIdempotency> {
    const outbox = new OutboxIdempotency(ports);
    const { items, unreadable } = await outbox.#file?.read() ?? { items: [], unreadable: 0 };
    if (unreadable > 0) ports.onFileProblem(new Error(`${unreadable} stored replies are damaged and cannot be given again`));
    for (const ending of items) outbox.#enqueue(ending);
    if (items.length > 0) await outbox.deliver();
    return outbox;
  }

  claim(claim: IdempotencyClaim): Promise<ClaimOutcome> {
    return this.ports.idempotency.claim(claim);
  }

  reply(name: IdempotencyClaimName): Promise<StoredReply | null> {
    return this.ports.idempotency.reply(name);
  }

  sweep(now: Instant, keptUntil: Instant): Promise<number> {
    return this.ports.idempotency.sweep(now, keptUntil);
  }

  /** Resolves once the end is in the store, or on the disk. */
  finish(command: FinishCommand): Promise<void> {
    return this.ports.idempotency.finish(command).catch((failure: unknown) => this.#keep({ kind: 'finish', command }, failure));
  }

  release(command: ReleaseCommand): Promise<void> {
    return this.ports.idempotency.release(command).catch((failure: unknown) => this.#keep({ kind: 'release', command }, failure));
  }

  /** Tries each waiting end once. */
  deliver(): Promise<void> {
    this.#turn ??= this.#deliverAll().finally(() => {
      this.#turn = null;
      this.#schedule();
    });
    return this.#turn;
  }

  /** Tries once more; the next process that opens the file delivers the rest. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    if (this.#waiting.size > 0) await this.deliver();
  }

  async #keep(given: Ending, failure: unknown): Promise<void> {
    if (this.#waiting.size >= MAXIMUM_WAITING) throw failure;
    const isTooLarge = this.#characters + charactersOf(given) > MAXIMUM_CHARACTERS;
    const ending: Ending = given.kind === 'finish' && isTooLarge ? { kind: 'finish', command: { ...given.command, reply: null } } : given;
    this.#enqueue(ending);
    await this.#file?.append(ending).catch((problem: unknown) => this.ports.onFileProblem(problem));
    if (this.#turn === null) this.#schedule();
  }

  #enqueue(ending: Ending): void {
    const { accountId, key, requestId } = ending.command;
    this.#characters += charactersOf(ending);
    this.#waiting.set(JSON.stringify([accountId, key, requestId]), ending);
  }

  #schedule(): void {
    this.#cancel();
    if (this.#closed || this.#waiting.size === 0) return;
    this.#cancel = this.ports.clock.schedule(OUTBOX_RETRY_MILLISECONDS, () => void this.deliver());
  }

  /** Stops at the first failure: the store is away. */
  async #deliverAll(): Promise<void> {
    const { idempotency } = this.ports;
    try {
      for (const [name, ending] of Array.from(this.#waiting)) {
        await (ending.kind === 'finish' ? idempotency.finish(ending.command) : idempotency.release(ending.command));
        this.#waiting.delete(name);
        this.#characters -= charactersOf(ending);
      }
    } catch {
      return;
    }
    if (this.#waiting.size === 0) await this.#file?.empty().catch((problem: unknown) => this.ports.onFileProblem(problem));
  }
}
