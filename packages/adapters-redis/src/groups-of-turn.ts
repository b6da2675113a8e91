import type { AccountId } from '@tollgate/core';

/** What one command asks at most, so that it does not hold up Redis. */
const LARGEST_GROUP = 200;

interface Group<Item, Answer> {
  readonly items: Item[];
  /** Of all items together. */
  readonly answer: Promise<Answer>;
  readonly send: () => void;
}

/** Where to find the answer to one item. */
export interface Joined<Answer> {
  readonly answer: Promise<Answer>;
  /** Of the item in its group. */
  readonly place: number;
}

/** Puts together what is asked about one account in one turn of the event loop, to be sent in one command at the end of the turn. */
export class GroupsOfTurn<Item, Answer> {
  readonly #groups = new Map<AccountId, Group<Item, Answer>>();

  constructor(private readonly send: (accountId: AccountId, items: readonly Item[]) => Promise<Answer>) {}

  join(accountId: AccountId, item: Item): Joined<Answer> {
    const { items, answer } = this.#groups.get(accountId) ?? this.#begin(accountId);
    const place = items.push(item) - 1;
    if (items.length === LARGEST_GROUP) this.#send(accountId);
    return { answer, place };
  }

  #begin(accountId: AccountId): Group<Item, Answer> {
    if (this.#groups.size === 0) setImmediate(() => this.#sendAll());
    const items: Item[] = [];
    let send = (): void => undefined;
    const answer = new Promise<Answer>((resolve) => {
      send = () => resolve(this.send(accountId, items));
    });
    const group = { items, answer, send };
    this.#groups.set(accountId, group);
    return group;
  }

  #sendAll(): void {
    for (const accountId of this.#groups.keys()) this.#send(accountId);
  }

  #send(accountId: AccountId): void {
    const group = this.#groups.get(accountId);
    this.#groups.delete(accountId);
    group?.send();
  }
}
