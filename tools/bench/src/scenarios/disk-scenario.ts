import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { OverwrittenFile } from '../disk/overwritten-file.js';
import { Durations } from '../statistics/durations.js';
import type { Figure, Scenario } from './scenario.js';

const PAUSE_MILLISECONDS = 1;
const SECONDS = 1;

const FIGURES: readonly Figure[] = [
  { id: 'p50', title: 'p50', unit: 'ms', compared: 'none' },
  { id: 'p99', title: 'p99', unit: 'ms', compared: 'none' },
];

/** How long the disk takes to have what a commit writes. */
async function bringToDisk(file: OverwrittenFile): Promise<number> {
  await file.write();
  const begun = performance.now();
  await file.sync();
  return performance.now() - begun;
}

async function measureRound(file: OverwrittenFile, milliseconds: number): Promise<Readonly<Record<string, number>>> {
  const durations = new Durations();
  const endAt = performance.now() + milliseconds;
  while (performance.now() < endAt) {
    durations.add(await bringToDisk(file));
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
      const file = await OverwrittenFile.create(join(folder, 'disk.bin'));
      try {
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
