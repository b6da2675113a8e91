/** Slots of this process by Redis key, for renewals. */
export class HeldSlots {
  readonly #members = new Map<string, Set<string>>();
  #size = 0;

  get byKey(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#members;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds the slots of one request, which have the same name under all keys; the first key decides whether the request holds a slot. */
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
