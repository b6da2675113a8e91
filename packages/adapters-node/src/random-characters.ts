import { randomFillSync } from 'node:crypto';
import { API_KEY_ALPHABET } from '@tollgate/core';

const ALPHABET_SIZE = API_KEY_ALPHABET.length;
/** Larger bytes are discarded: they would favour the first characters. */
const FIRST_BIASED_BYTE = 256 - (256 % ALPHABET_SIZE);
/** For about fifty ids: the call is expensive, not the bytes. */
const POOL_BYTES = 2048;

/** Uniform letters and digits from a cryptographic source. Used bytes are wiped. */
export class RandomCharacters {
  readonly #pool: Uint8Array;
  #position: number;

  constructor(private readonly fill: (bytes: Uint8Array) => void = (bytes) => void randomFillSync(bytes)) {
    this.#pool = new Uint8Array(POOL_BYTES);
    this.#position = POOL_BYTES;
  }

  take(count: number): string {
    let characters = '';
    while (characters.length < count) {
      const byte = this.#nextByte();
      if (byte < FIRST_BIASED_BYTE) characters += API_KEY_ALPHABET.charAt(byte % ALPHABET_SIZE);
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
