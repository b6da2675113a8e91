/** Part of a text, as characters or as UTF-8 bytes. It begins and ends between any two characters. */
export type JsonPiece = string | Uint8Array;

/** The text of one JSON value in pieces. The creator guarantees valid JSON. */
export class JsonPieces {
  constructor(readonly pieces: readonly JsonPiece[]) {}
}

/** Collects pieces, and concatenates adjacent strings. */
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

  joined(): JsonPieces {
    this.#endText();
    return new JsonPieces(this.#pieces);
  }

  #endText(): void {
    if (this.#text !== '') this.#pieces.push(this.#text);
    this.#text = '';
  }
}
