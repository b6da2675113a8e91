/** In byte order, so that texts sort like their numbers. */
const ORDERED_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters of an instant in milliseconds; enough for the next six thousand years. */
export const TIME_CHARACTERS = 8;

function encode(milliseconds: number): string {
  let characters = '';
  for (let rest = milliseconds; characters.length < TIME_CHARACTERS; rest = Math.floor(rest / ORDERED_ALPHABET.length)) {
    characters = ORDERED_ALPHABET.charAt(rest % ORDERED_ALPHABET.length) + characters;
  }
  return characters;
}

/** Letters and digits that sort by time. */
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
