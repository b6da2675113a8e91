/** In byte order, so that texts of one length sort like the numbers they encode. */
const ORDERED_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Enough for the milliseconds of the next six thousand years. */
export const TIME_CHARACTERS = 8;

function encode(milliseconds: number): string {
  let characters = '';
  for (let rest = milliseconds; characters.length < TIME_CHARACTERS; rest = Math.floor(rest / ORDERED_ALPHABET.length)) {
    characters = ORDERED_ALPHABET.charAt(rest % ORDERED_ALPHABET.length) + characters;
  }
  return characters;
}

/** Encodes the time as letters and digits that sort like the instants. */
export class TimeCharacters {
  #milliseconds = Number.NaN;
  #characters = '';

  constructor(private readonly now: () => number = Date.now) {}

  take(): string {
    const milliseconds = this.now();
    if (milliseconds !== this.#milliseconds) {
      this.#milliseconds = milliseconds;
      this.#characters = encode(milliseconds);
    }
    return this.#characters;
  }
}
