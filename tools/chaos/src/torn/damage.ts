import type { SeededRandom } from '@tollgate/testkit/programs';

export const DAMAGES = ['cut', 'flip', 'blank', 'cut-and-flip', 'stale-block'] as const;
export type Damage = (typeof DAMAGES)[number];

const PAGE_BYTES = 4096;
const MOST_FLIPS = 8;

function cut(log: Buffer, random: SeededRandom): Buffer {
  return log.subarray(0, random.between(0, log.length - 1));
}

function flip(log: Buffer, random: SeededRandom): Buffer {
  for (let flips = random.between(1, MOST_FLIPS); flips > 0 && log.length > 0; flips -= 1) {
    const position = random.between(0, log.length - 1);
    log.writeUInt8(log.readUInt8(position) ^ (1 << random.between(0, 7)), position);
  }
  return log;
}

/** A block that never reached the disk. */
function blank(log: Buffer, random: SeededRandom): Buffer {
  const start = random.between(0, log.length - 1);
  return log.fill(0, start, Math.min(log.length, start + random.between(1, PAGE_BYTES)));
}

/** A block that holds what was written elsewhere. */
function staleBlock(log: Buffer, random: SeededRandom): Buffer {
  const [from, to] = [random.between(0, log.length - 1), random.between(0, log.length - 1)];
  log.copy(log, to, from, Math.min(log.length, from + PAGE_BYTES));
  return log;
}

/** A write-ahead log as a disk that lost power, or does not keep its word, may leave it. */
export function damaged(sound: Buffer, damage: Damage, random: SeededRandom): Buffer {
  const log = Buffer.from(sound);
  switch (damage) {
    case 'cut': return cut(log, random);
    case 'flip': return flip(log, random);
    case 'blank': return blank(log, random);
    case 'cut-and-flip': return flip(cut(log, random), random);
    case 'stale-block': return staleBlock(log, random);
  }
}
