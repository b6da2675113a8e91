import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { pid as ownPid } from 'node:process';
import { errorCodeOf } from '../file/sqlite-failures.js';

/** Identifies a process by machine, process id and start. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Distinguishes processes with the same id; `null` if the system does not report their start. */
  readonly startMarker: string | null;
}

/** What the system reports in `/proc`. */
interface ProcessFacts {
  /** Boot id and start time. No two processes with the same id share both. */
  readonly startMarker: string;
  /** True if the process has exited, but its parent has not reaped it. */
  readonly hasEnded: boolean;
}

/** Fields of `/proc/PID/stat` after the name: the state, and the start time in clock ticks since boot. */
const STATE_FIELD = 0;
const START_TIME_FIELD = 19;
const ENDED_STATES: ReadonlySet<string> = new Set(['Z', 'X']);

function factsOf(pid: number): ProcessFacts | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const startTime = fields[START_TIME_FIELD];
    return startTime === undefined ? null : { startMarker: `${boot}:${startTime}`, hasEnded: ENDED_STATES.has(fields[STATE_FIELD] ?? '') };
  } catch {
    return null;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Any other error means that the process exists, but belongs to another user.
    return errorCodeOf(thrown) !== 'ESRCH';
  }
}

export function ownIdentity(): ProcessIdentity {
  return { host: hostname(), pid: ownPid, startMarker: factsOf(ownPid)?.startMarker ?? null };
}

/**
 * True only if certain. A process on another machine always counts as running. One without a start marker counts as running while any process of this
 * machine has its id.
 */
export function isKnownDead({ host, pid, startMarker }: ProcessIdentity): boolean {
  if (host !== hostname()) return false;
  if (!exists(pid)) return true;
  const facts = factsOf(pid);
  if (facts === null) return false;
  return facts.hasEnded || (startMarker !== null && facts.startMarker !== startMarker);
}
