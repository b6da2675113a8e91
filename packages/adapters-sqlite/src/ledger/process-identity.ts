import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { pid as ownPid } from 'node:process';
import { errorCodeOf } from '../sqlite-errors.js';

/** Which process of which machine, so that a later one can tell whether it still runs. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Tells a process from a later one that was given the same number; `null` where the system does not say. */
  readonly startMarker: string | null;
}

/** What Linux tells of a process, `null` where the system does not say. */
interface ProcessFacts {
  /** Boot and start time, which together never repeat. */
  readonly startMarker: string;
  /** It has ended, and only waits for its parent to take notice. */
  readonly hasEnded: boolean;
}

/** Fields of `/proc/PID/stat` after the parenthesised name: the state, and the start time in clock ticks since boot. */
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
    // Any other refusal means that the process exists and belongs to another user.
    return errorCodeOf(thrown) !== 'ESRCH';
  }
}

export function ownIdentity(): ProcessIdentity {
  return { host: hostname(), pid: ownPid, startMarker: factsOf(ownPid)?.startMarker ?? null };
}

/** `true` only when it is certain: a process of another machine, or one that cannot be told apart, counts as running. */
export function isKnownDead({ host, pid, startMarker }: ProcessIdentity): boolean {
  if (host !== hostname()) return false;
  if (!exists(pid)) return true;
  const facts = factsOf(pid);
  if (facts === null) return false;
  return facts.hasEnded || (startMarker !== null && facts.startMarker !== startMarker);
}
