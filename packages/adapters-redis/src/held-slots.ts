/** Slots that this process holds, by Redis key, so that it can renew them. */
export class HeldSlots {
  readonly #members = new Map<string, Set<string>>();
  #size = 0;

  get byKey(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#members;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds the slots of one request. They have the same name under all keys. The slot under the first key counts in `size`. */
  add([first, ...others]: SlotKeys, member: string): void {
    if (this.#put(first, member)) this.#size += 1;
    for (const key of others) this.#put(key, member);
  }

  remove([first, ...others]: SlotKeys, member: string): void {
    if (this.#take(first, member)) this.#size -= 1;
    for (const key of others) this.#take(key, member);
  }

  #put(key: string, member: string): boolean {
    const members = this.#members.get(key) ?? new Set();
    this.#members.set(key, members);
    return members.size < members.add(member).size;
  }

  #take(key: string, member: string): boolean {
    const members = this.#members.get(key);
    const wasHeld = members?.delete(member) === true;
    if (members?.size === 0) this.#members.delete(key);
    return wasHeld;
  }
}

export type SlotKeys = readonly [account: string, ...incident: readonly string[]];
