/** Crockford's Base32: without I, L, O and U. */
export const VOUCHER_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 95 bits; one check character follows. */
export const VOUCHER_RANDOM_LENGTH = 19;
const LENGTH = VOUCHER_RANDOM_LENGTH + 1;
/** Crockford's check is modulo a prime above 32, so it finds every single wrong character and every swap of two neighbours. */
const CHECK_MODULUS = 37;
const GROUP = /.{5}(?=.)/gu;
const IGNORED = /[\s\p{Pd}\u2212]/gu;
const REDACTED = 'voucher-[redacted]';

/** A number below 37; `null` if a character is not of the alphabet. */
function checkOf(characters: string): number | null {
  let check = 0;
  for (const character of characters) {
    const digit = VOUCHER_ALPHABET.indexOf(character);
    if (digit === -1) return null;
    check = (check * VOUCHER_ALPHABET.length + digit) % CHECK_MODULUS;
  }
  return check;
}

/** `''` for the five checks that Crockford writes outside of the alphabet, and if a character is not of the alphabet. */
function checkCharacterOf(characters: string): string {
  return VOUCHER_ALPHABET.charAt(checkOf(characters) ?? VOUCHER_ALPHABET.length);
}

/** A secret that is worth money. `toString` and `toJSON` return `voucher-[redacted]`, against accidental logging. */
export class VoucherCode {
  readonly #text: string;

  private constructor(characters: string) {
    this.#text = characters.replaceAll(GROUP, '$&-');
  }

  /**
   * `random` returns 19 characters of the alphabet, uniform and from a cryptographic source. It is called again while the check character
   * would be outside of the alphabet, in 5 of 37 cases.
   */
  static draw(random: () => string): VoucherCode {
    for (;;) {
      const characters = random();
      const check = checkCharacterOf(characters);
      if (check !== '') return new VoucherCode(characters + check);
    }
  }

  /** Ignores case, spaces and dashes, and reads O as 0, I and L as 1. `null` if it has another length or the check character does not fit. */
  static parse(text: string): VoucherCode | null {
    const characters = text.replaceAll(IGNORED, '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/gu, '1');
    if (characters.length !== LENGTH) return null;
    const [random, check] = [characters.slice(0, VOUCHER_RANDOM_LENGTH), characters.slice(VOUCHER_RANDOM_LENGTH)];
    return checkOf(random) !== null && checkCharacterOf(random) === check ? new VoucherCode(characters) : null;
  }

  /** Plaintext in four groups of five characters, which is only hashed and shown once. */
  reveal(): string {
    return this.#text;
  }

  /** The first group of characters. */
  hint(): string {
    return `${this.#text.slice(0, 5)}…`;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }
}
