import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { COMMIT_BYTES } from '../subjects/commit-bytes.js';
import { Durations } from '../statistics/durations.js';
import type { Figure, Scenario } from './scenario.js';

const FILE_BYTES = 64 * COMMIT_BYTES;
const PAUSE_MILLISECONDS = 1;
const SECONDS = 1;

const FIGURES: readonly Figure[] = [
  { id: 'p50', title: 'p50', unit: 'ms', compared: 'none' },
  { id: 'p99', title: 'p99', unit: 'ms', compared: 'none' },
];

/** Writes over a part of the file and waits for the disk to have it; returns how long the disk took. */
async function bringToDisk(file: FileHandle, block: Uint8Array, position: number): Promise<number> {
  await file.write(block, 0, block.length, position);
  const begun = performance.now();
  await file.datasync();
  return performance.now() - begun;
}

async function measureRound(file: FileHandle, milliseconds: number): Promise<Readonly<Record<string, number>>> {
  const block = new Uint8Array(COMMIT_BYTES).fill(1);
  const durations = new Durations();
  const endAt = performance.now() + milliseconds;
  for (let position = 0; performance.now() < endAt; position = (position + COMMIT_BYTES) % FILE_BYTES) {
    durations.add(await bringToDisk(file, block, position));
    await pause(PAUSE_MILLISECONDS);
  }
  const { p50, p99 } = durations.summary();
  return { p50, p99 };
}

const TITLE = 'What was written brought to the disk, some hundred times a second';

/** How long the disk under a gateway's database takes to keep what it is given: every reply waits for that once, whatever the program does. */
export function diskScenario(folder: string): Scenario {
  return {
    id: 'disk',
    title: TITLE,
    expectedSeconds: ({ rounds, secondsFactor }) => rounds * SECONDS * secondsFactor,
    run: async ({ rounds, secondsFactor }) => {
      const file = await open(join(folder, 'disk.bin'), 'w+');
      try {
        await file.write(new Uint8Array(FILE_BYTES));
        await file.sync();
        const measurements = [];
        for (let round = 1; round <= rounds; round += 1) {
          measurements.push({ subject: 'direct' as const, title: 'the disk', round, values: await measureRound(file, SECONDS * secondsFactor * 1000) });
        }
        return [{ id: 'disk', title: TITLE, baseline: 'direct', figures: FIGURES, measurements }];
      } finally {
        await file.close();
      }
    },
  };
}
