import { countedNetworksOf, GatewayError, type PersonId } from '@tollgate/core';

/** A person who is signed in or uses a known browser, or a stranger, identified by address. */
export type TurnHolder =
  | { readonly kind: 'known'; readonly person: PersonId }
  | { readonly kind: 'stranger'; readonly address: string };

/** A stranger at this address. Strangers without an address count as one. */
export function strangerAt(address: string | undefined): TurnHolder {
  return { kind: 'stranger', address: address ?? '' };
}

/** Maximum waiting tasks per person and per stranger's IPv4 address or IPv6 /64; larger networks have a multiple. */
const MAX_WAITING_EACH = 8;
/** Maximum number of waiting tasks of all known people together, and likewise of all strangers. */
export const MAX_WAITING = 64;
/** After this many turns of known people, a waiting stranger has a turn. */
const KNOWN_TURNS_IN_A_ROW = 3;
const RETRY_AFTER_SECONDS = 2;

function tooManyWait(): GatewayError {
  return new GatewayError('too_many_attempts', 'Too many people are signing in at the moment. Try again later.', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

interface Waiter {
  readonly parties: readonly Party[];
  readonly start: () => void;
  readonly refuse: (reason: GatewayError) => void;
}

/** A person or network whose waiting tasks are counted; its bound is `times` that of one person. */
interface Party {
  readonly name: string;
  readonly times: number;
}

function partiesOf(holder: TurnHolder): readonly Party[] {
  return holder.kind === 'known' ? [{ name: holder.person, times: 1 }] : countedNetworksOf(holder.address);
}

/** Queues of tasks, one queue per known person or per stranger's largest counted network. The queues take turns, with one task each. */
class Lane {
  /** Waiting tasks by person or largest counted network; the first entry is next. */
  readonly #queues = new Map<string, Waiter[]>();
  readonly #waiting = new Map<string, number>();
  #size = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** Throws `too_many_attempts` if a party has its maximum of waiting tasks, or if the lane is full and no queue is long enough to lose a task. */
  check(parties: readonly Party[]): void {
    if (parties.some(({ name, times }) => (this.#waiting.get(name) ?? 0) >= MAX_WAITING_EACH * times)) throw tooManyWait();
    if (this.#size >= MAX_WAITING && this.#longestBeside(parties) === null) throw tooManyWait();
  }

  /** A full lane drops the newest task of the longest queue, provided that this queue stays at least as long as the newcomer's. */
  add(waiter: Waiter): void {
    this.check(waiter.parties);
    const longest = this.#size >= MAX_WAITING ? this.#longestBeside(waiter.parties) : null;
    const displaced = longest === null ? undefined : longest.pop();
    if (displaced !== undefined) this.#count(displaced, -1);
    displaced?.refuse(tooManyWait());
    const queue = this.#queues.get(largestOf(waiter)) ?? [];
    this.#queues.set(largestOf(waiter), queue);
    queue.push(waiter);
    this.#count(waiter, 1);
  }

  next(): Waiter | undefined {
    for (const [name, queue] of this.#queues) {
      this.#queues.delete(name);
      const waiter = queue.shift();
      if (waiter === undefined) continue;
      if (queue.length > 0) this.#queues.set(name, queue);
      this.#count(waiter, -1);
      return waiter;
    }
    return undefined;
  }

  #longestBeside(parties: readonly Party[]): Waiter[] | null {
    const own = this.#queues.get(parties.at(-1)?.name ?? '')?.length ?? 0;
    const longest = [...this.#queues.values()].reduce<Waiter[]>((best, queue) => (queue.length > best.length ? queue : best), []);
    return longest.length > own + 1 ? longest : null;
  }

  #count({ parties }: Waiter, by: 1 | -1): void {
    this.#size += by;
    for (const { name } of parties) {
      const waiting = (this.#waiting.get(name) ?? 0) + by;
      if (waiting === 0) this.#waiting.delete(name);
      else this.#waiting.set(name, waiting);
    }
  }
}

function largestOf({ parties }: Waiter): string {
  return parties.at(-1)?.name ?? '';
}

/**
 * Schedules expensive work. Known people take precedence, for up to `KNOWN_TURNS_IN_A_ROW` turns. Strangers take turns by network, so a flood delays
 * only itself. The order does not depend on whether an address has an account.
 */
export class FairTurns {
  readonly #lanes = { known: new Lane(), stranger: new Lane() } as const;
  #running = 0;
  #knownInARow = 0;

  /** @param atOnce The number of concurrent tasks. */
  constructor(private readonly atOnce: number) {}

  /** Throws `too_many_attempts` if the queue is full, or if a task of a person or network with fewer tasks displaces this one. */
  async run<T>(holder: TurnHolder, task: () => Promise<T>): Promise<T> {
    if (this.#running < this.atOnce) this.#running += 1;
    else await this.#turn(holder);
    try {
      return await task();
    } finally {
      this.#passOn();
    }
  }

  /** Throws if `run` would refuse the task at once. */
  check(holder: TurnHolder): void {
    if (this.#running >= this.atOnce) this.#lanes[holder.kind].check(partiesOf(holder));
  }

  #turn(holder: TurnHolder): Promise<void> {
    return new Promise((start, refuse) => {
      this.#lanes[holder.kind].add({ parties: partiesOf(holder), start, refuse });
    });
  }

  #passOn(): void {
    const { known, stranger } = this.#lanes;
    const isStrangersTurn = known.isEmpty || (this.#knownInARow >= KNOWN_TURNS_IN_A_ROW && !stranger.isEmpty);
    this.#knownInARow = isStrangersTurn ? 0 : this.#knownInARow + 1;
    const waiter = (isStrangersTurn ? stranger : known).next();
    if (waiter === undefined) this.#running -= 1;
    else waiter.start();
  }
}
