import * as fc from 'fast-check';

/** A change of bytes. Positions are taken modulo the length. */
export type ByteMutation =
  | { readonly kind: 'put'; readonly at: number; readonly bytes: readonly number[] }
  | { readonly kind: 'insert'; readonly at: number; readonly bytes: readonly number[] }
  | { readonly kind: 'cut-out'; readonly at: number; readonly length: number }
  | { readonly kind: 'truncate'; readonly at: number }
  | { readonly kind: 'repeat'; readonly at: number; readonly length: number }
  | { readonly kind: 'as-utf-16' };

const at = fc.nat({ max: 100_000 });
const length = fc.integer({ min: 1, max: 200 });
/** Bytes that parsers treat specially: controls, line ends, JSON syntax, a byte order mark, and invalid or truncated UTF-8. */
const bytes = fc.oneof(
  fc.constantFrom(
    [0x00], [0x0a], [0x0d], [0x0d, 0x0a], [0x22], [0x5c], [0x7b], [0x7d], [0x5b], [0x5d], [0x2c], [0x3a], [0x3a, 0x20], [0x80], [0xff], [0xfe], [0xc0, 0xaf], [0xe2, 0x82],
    [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xef, 0xbb, 0xbf], [0xe2, 0x80, 0xa8], [0x0a, 0x0a], [0x64, 0x61, 0x74, 0x61, 0x3a],
  ),
  fc.array(fc.nat({ max: 255 }), { minLength: 1, maxLength: 4 }),
);

export const byteMutation: fc.Arbitrary<ByteMutation> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('put'), at, bytes }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('insert'), at, bytes }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut-out'), at, length }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('truncate'), at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat'), at, length }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'as-utf-16' }) },
) as fc.Arbitrary<ByteMutation>;

export function withMutatedBytes(before: Buffer, mutation: ByteMutation): Buffer {
  if (mutation.kind === 'as-utf-16') return Buffer.from(before.toString('utf8'), 'utf16le');
  const place = mutation.at % (before.length + 1);
  const [head, tail] = [before.subarray(0, place), before.subarray(place)];
  switch (mutation.kind) {
    case 'put': return Buffer.concat([head, Buffer.from(mutation.bytes), tail.subarray(mutation.bytes.length)]);
    case 'insert': return Buffer.concat([head, Buffer.from(mutation.bytes), tail]);
    case 'cut-out': return Buffer.concat([head, tail.subarray(mutation.length)]);
    case 'truncate': return head;
    case 'repeat': return Buffer.concat([head, tail.subarray(0, mutation.length), tail]);
  }
}
