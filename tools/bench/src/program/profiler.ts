import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Bench } from '../scenarios/scenario.js';

/** Profiles the gateway once in each scenario, or never when there is no folder to write to. */
export function profiler(folder: string | null): Bench['profiled'] {
  if (folder === null) return (_subject, _name, work) => work();
  const absolute = resolve(folder);
  mkdirSync(absolute, { recursive: true });
  const done = new Set<string>();
  return async ({ id, process }, name, work) => {
    if ((id !== 'tollgate' && id !== 'shared') || done.has(name)) return work();
    done.add(name);
    await process.startProfile();
    const result = await work();
    await process.writeProfile(join(absolute, `${name.replaceAll(/\W+/g, '-')}.cpuprofile`));
    return result;
  };
}
