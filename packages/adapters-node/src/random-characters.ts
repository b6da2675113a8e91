import { randomFillSync } from 'node:crypto';
import { API_KEY_ALPHABET } from '@tollgate/core';

const BYTES = 256;
/** Bytes per call to the source, enough for about 80 ids: the call is expensive, not the bytes. */
const POOL_BYTES = 2048;

/** Uniform characters from a cryptographic source. Used bytes are wiped. */
export class RandomCharacters {
  readonly #pool: Uint8Array;
  #position: number;
  /** This byte and larger ones are discarded: they would favour the first characters. */
  readonly #firstBiasedByte: number;

  /** `alphabet`: distinct characters, at most 256. */
  constructor(
    private readonly fill: (bytes: Uint8Array) => void = (bytes) => void randomFillSync(bytes), private readonly alphabet: string = API_KEY_ALPHABET,
  ) {
    this.#pool = new Uint8Array(POOL_BYTES);
    this.#position = POOL_BYTES;
    this.#firstBiasedByte = BYTES - (BYTES % alphabet.length);
  }

  take(count: number): string {
    let characters = '';
    while (characters.length < count) {
      const byte = this.#nextByte();
      if (byte < this.#firstBiasedByte) characters += this.alphabet.charAt(byte % this.alphabet.length);
    }
    return characters;
  }

  #nextByte(): number {
    if (this.#position === POOL_BYTES) {
      this.fill(this.#pool);
      this.#position = 0;
    }
    const byte = this.#pool[this.#position] ?? 0;
    this.#pool[this.#position] = 0;
    this.#position += 1;
    return byte;
  }
}
