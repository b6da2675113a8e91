/** Text that is added in pieces at the end and taken from the beginning, in time that is linear in the text. */
export class TextQueue {
  #pieces: string[] = [];
  /** Index of the first piece that is not taken yet. */
  #first = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /** Removes the first `length` characters, and returns them. */
  take(length: number): string {
    const taken: string[] = [];
    let left = length;
    for (; left > 0 && this.#first < this.#pieces.length; this.#first += 1) {
      const piece = this.#pieces[this.#first] ?? '';
      if (piece.length > left) break;
      taken.push(piece);
      left -= piece.length;
    }
    if (left > 0) taken.push(this.#split(left));
    this.#length -= length;
    this.#dropTaken();
    return taken.join('');
  }

  /** Removes the beginning of the first piece. */
  #split(length: number): string {
    const piece = this.#pieces[this.#first] ?? '';
    this.#pieces[this.#first] = piece.slice(length);
    return piece.slice(0, length);
  }

  /** Drops the taken pieces once they are half of all, so that each piece is moved once on average. */
  #dropTaken(): void {
    if (this.#first * 2 < this.#pieces.length) return;
    this.#pieces = this.#pieces.slice(this.#first);
    this.#first = 0;
  }
}
