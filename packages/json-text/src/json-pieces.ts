/** Part of a JSON text: characters, or their bytes in UTF-8. It may begin and end anywhere between characters. */
export type JsonPiece = string | Uint8Array;

/** A JSON value by the pieces of its text, in order. Its creator guarantees that together they are JSON. */
export class JsonPieces {
  constructor(readonly pieces: readonly JsonPiece[]) {}
}

/** Puts pieces together, neighbouring characters to one piece. */
export class PieceJoiner {
  readonly #pieces: JsonPiece[] = [];
  #text = '';

  add(piece: JsonPiece): void {
    if (typeof piece === 'string') {
      this.#text += piece;
      return;
    }
    this.#endText();
    this.#pieces.push(piece);
  }

  addAll({ pieces }: JsonPieces): void {
    for (const piece of pieces) this.add(piece);
  }

  /** All that was added. */
  joined(): JsonPieces {
    this.#endText();
    return new JsonPieces(this.#pieces);
  }

  #endText(): void {
    if (this.#text !== '') this.#pieces.push(this.#text);
    this.#text = '';
  }
}
