import { type RunRecord, SECRET_KINDS, type SecretKind } from './run-record.js';

/** The file that a person downloads to keep recovery codes. */
const RECOVERY_CODES_FILE = 'tollgate-recovery-codes.txt';

interface Needle {
  readonly kind: SecretKind;
  readonly bytes: Buffer;
}

/** The characters of base64 that a secret decides alone, for each place in a group of three bytes at which it can begin. */
function base64Of(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });
}

/** A secret as texts may write it: plain, in an address, in a form, in JSON, in base64. */
function spellingsOf(secret: string): ReadonlySet<string> {
  const encoded = encodeURIComponent(secret);
  return new Set([secret, encoded, encoded.replaceAll('%20', '+'), JSON.stringify(secret).slice(1, -1), ...base64Of(secret)]);
}

function needlesOf(record: RunRecord): readonly Needle[] {
  return SECRET_KINDS.flatMap((kind) => [...record.secrets(kind)].flatMap((secret) => [...spellingsOf(secret)].map((spelling) => ({ kind, bytes: Buffer.from(spelling) }))));
}

function standsAt(text: Buffer, at: number, { bytes }: Needle): boolean {
  return at + bytes.length <= text.length && text.compare(bytes, 0, bytes.length, at, at + bytes.length) === 0;
}

/** Finds any of many byte strings in one pass, by their first four bytes. */
class Needles {
  readonly #byStart = new Map<number, readonly Needle[]>();

  constructor(needles: readonly Needle[]) {
    for (const needle of needles) {
      const start = needle.bytes.readUInt32LE();
      this.#byStart.set(start, [...this.#byStart.get(start) ?? [], needle]);
    }
  }

  /** The kinds of the secrets in a text. */
  kindsIn(text: Buffer): ReadonlySet<SecretKind> {
    const found = new Set<SecretKind>();
    for (let at = 0; at + 4 <= text.length; at += 1) {
      const needles = this.#byStart.get(text.readUInt32LE(at));
      for (const { kind } of needles?.filter((needle) => standsAt(text, at, needle)) ?? []) found.add(kind);
    }
    return found;
  }
}

/** Says of each trace that has a secret in it which kind, and where; the same once. */
export function findSecrets(record: RunRecord): readonly string[] {
  const needles = new Needles(needlesOf(record));
  const found = record.traces.flatMap(({ place, name, text }) => {
    const kinds = [...needles.kindsIn(Buffer.from(text))].filter((kind) => !(kind === 'recovery code' && place === 'download' && name === RECOVERY_CODES_FILE));
    return kinds.map((kind) => `${kind} in ${place}: ${name}`);
  });
  return [...new Set(found)];
}
