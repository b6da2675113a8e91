/** Finds the end of a JSON object that arrives in pieces. */
export class ObjectEnd {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isFound = false;

  /** True if the pieces so far contain a whole object. */
  get isFound(): boolean {
    return this.#isFound;
  }

  add(piece: string): void {
    for (let position = 0; position < piece.length && !this.#isFound; position += 1) this.#read(piece[position] as string);
  }

  #read(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '"') this.#isInString = !this.#isInString;
    else if (this.#isInString) this.#isEscaped = character === '\\';
    else if (character === '{') this.#depth += 1;
    else if (character === '}') this.#close();
  }

  #close(): void {
    this.#depth -= 1;
    this.#isFound = this.#depth === 0;
  }
}
