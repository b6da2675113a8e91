import { readFileSync } from 'node:fs';

const LIMITS_FILE = '/proc/self/limits';
const OPEN_FILES = /^Max open files +(\d+)/m;

/** Maximum number of open files of this process; `null` if unlimited, or not on Linux. */
export function descriptorLimit(): number | null {
  try {
    const limit = OPEN_FILES.exec(readFileSync(LIMITS_FILE, 'utf8'))?.[1];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}
