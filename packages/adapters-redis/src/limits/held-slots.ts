import type { AccountId } from '@tollgate/core';
import type { TicketContent } from './ticket.js';

/** The slots that requests of this process hold, by account: what its renewals name. */
export class HeldSlots {
  readonly #members = new Map<AccountId, Set<string>>();

  get accounts(): ReadonlyMap<AccountId, ReadonlySet<string>> {
    return this.#members;
  }

  get size(): number {
    let size = 0;
    for (const members of this.#members.values()) size += members.size;
    return size;
  }

  add({ accountId, member }: TicketContent): void {
    const members = this.#members.get(accountId);
    if (members === undefined) this.#members.set(accountId, new Set([member]));
    else members.add(member);
  }

  remove({ accountId, member }: TicketContent): void {
    const members = this.#members.get(accountId);
    members?.delete(member);
    if (members?.size === 0) this.#members.delete(accountId);
  }
}
