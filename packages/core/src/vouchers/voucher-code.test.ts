import { describe, expect, it } from '@jest/globals';
import { VOUCHER_ALPHABET, VOUCHER_RANDOM_LENGTH, VoucherCode } from './voucher-code.js';

const CODE = '7K3QF-0A1BC-DEFGH-JKMN7';

/** The characters of a number in the alphabet, with leading zeros. */
function randomOf(number: bigint): string {
  let rest = number;
  let characters = '';
  while (characters.length < VOUCHER_RANDOM_LENGTH) {
    characters = VOUCHER_ALPHABET.charAt(Number(rest % 32n)) + characters;
    rest /= 32n;
  }
  return characters;
}

function drawn(...numbers: readonly bigint[]): string {
  const randoms = numbers.map(randomOf);
  return VoucherCode.draw(() => randoms.shift() ?? '').reveal();
}

describe('a voucher code', () => {
  it('has four groups of five characters; the last character is the value of the others modulo 37', () => {
    expect([drawn(1n), drawn(37n), drawn(31n)]).toEqual(['00000-00000-00000-00011', '00000-00000-00000-00150', '00000-00000-00000-000ZZ']);
    const large = 2n ** 95n - 1n;
    expect(drawn(large)).toBe(`ZZZZZ-ZZZZZ-ZZZZZ-ZZZZ${VOUCHER_ALPHABET.charAt(Number(large % 37n))}`);
  });

  it('is drawn again until its check character is in the alphabet', () => {
    expect(drawn(32n, 33n, 34n, 35n, 36n, 37n)).toBe('00000-00000-00000-00150');
  });

  it.each([
    CODE, CODE.toLowerCase(), CODE.replaceAll('-', ''), ` ${CODE.replaceAll('-', ' ')} `, CODE.replaceAll('-', '–'), CODE.replaceAll('-', '\u2011'), CODE.replace('0A1', 'OAI'),
    CODE.replace('0A1', 'oal'), CODE.replaceAll('-', '-\t\u00a0'),
  ])('is read from %j', (text) => {
    expect(VoucherCode.parse(text)?.reveal()).toBe(CODE);
  });

  it('is refused with any single wrong character, and with any two neighbours swapped', () => {
    const characters = CODE.replaceAll('-', '');
    const wrong = Array.from(characters).flatMap((own, index) => Array.from(VOUCHER_ALPHABET).filter((other) => other !== own)
      .map((other) => characters.slice(0, index) + other + characters.slice(index + 1)));
    const swapped = Array.from(characters).slice(1).flatMap((right, index) => {
      const left = characters.charAt(index);
      return left === right ? [] : [characters.slice(0, index) + right + left + characters.slice(index + 2)];
    });
    expect([wrong.length, swapped.length > 10]).toEqual([20 * 31, true]);
    expect([...wrong, ...swapped].filter((text) => VoucherCode.parse(text) !== null)).toEqual([]);
  });

  it.each(['', '-', 'U'.repeat(20), '00000-00000-00000-0001', '00000-00000-00000-000111', '*0000-00000-00000-00011', '０0000-00000-00000-00011'])('is not read from %j', (text) => {
    expect(VoucherCode.parse(text)).toBeNull();
  });

  it('is redacted in text and JSON; its hint is the first group', () => {
    const code = VoucherCode.parse('00000-00000-00000-00011');
    expect([String(code), JSON.stringify({ code }), code?.hint()]).toEqual(['voucher-[redacted]', '{"code":"voucher-[redacted]"}', '00000…']);
  });
});
