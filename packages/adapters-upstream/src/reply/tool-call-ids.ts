/** Ids of the calls of one reply, each given once: some servers state no id, or the same one for all calls. */
export class ToolCallIds {
  readonly #given = new Set<string>();

  constructor(private readonly newId: () => string) {}

  /** The stated id, or a new one if it is missing or an earlier call of the reply has it. */
  next(stated: string | null): string {
    const id = stated === null || this.#given.has(stated) ? this.newId() : stated;
    this.#given.add(id);
    return id;
  }
}
