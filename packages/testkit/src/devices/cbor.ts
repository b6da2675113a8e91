export type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, map: 5 } as const;
/** Lengths and numbers below this value fit into the first byte. */
const SHORT = 24;
const ONE_BYTE = 24;
const TWO_BYTES = 25;

function head(major: number, value: number): Buffer {
  const type = major * 32;
  if (value < SHORT) return Buffer.from([type + value]);
  if (value < 256) return Buffer.from([type + ONE_BYTE, value]);
  return Buffer.from([type + TWO_BYTES, Math.floor(value / 256), value % 256]);
}

/** Encodes the CBOR values that authenticators write: integers, texts and byte strings below 64 KiB, and maps. */
export function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(MAJOR.negative, -1 - value) : head(MAJOR.unsigned, value);
  if (typeof value === 'string') return Buffer.concat([head(MAJOR.text, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(MAJOR.bytes, value.length), value]);
  return Buffer.concat([head(MAJOR.map, value.size), ...[...value].flatMap(([key, entry]) => [encodeCbor(key), encodeCbor(entry)])]);
}
