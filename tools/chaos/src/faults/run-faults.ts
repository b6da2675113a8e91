import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '@tollgate/kit';
import type { FaultName } from './fault-names.js';
import type { FaultSight, RoundOptions } from './fault-round.js';
import { FAULT_ROUNDS } from './rounds.js';

export interface FaultFinding {
  readonly name: FaultName;
  readonly seconds: number;
  readonly replies: number;
  readonly receipts: number;
  readonly pendingReceipts: number;
  /** Number of replies that must be free. */
  readonly freeReplies: number;
  /** Charges without a receipt, each with number, request and amount. */
  readonly cutCharges: readonly string[];
  /** Sum by which pending receipts are higher than what was booked, in micro-units. */
  readonly bookedLess: string;
  readonly notes: readonly string[];
  readonly violations: readonly string[];
}

const NOTHING = { replies: 0, receipts: 0, pendingReceipts: 0, freeReplies: 0, cutCharges: [], bookedLess: '0', notes: [], violations: [] } as const;

async function findingsOf({ world, violations, notes, lostUntil = -Infinity }: FaultSight): Promise<Omit<FaultFinding, 'name' | 'seconds'>> {
  const unrest = await world.rest(lostUntil !== -Infinity);
  const { violations: unpaid, cutCharges, bookedLess, ...counts } = await world.compare(lostUntil);
  return {
    ...counts, replies: world.outcomes.length, bookedLess: String(bookedLess), notes,
    cutCharges: cutCharges.map(({ number, requestId, paid }) => `${number} ${requestId} ${paid}`),
    violations: [...violations, ...unrest, ...unpaid],
  };
}

type FaultOptions = Omit<RoundOptions, 'defer'>;

async function runFault(name: FaultName, options: FaultOptions): Promise<FaultFinding> {
  const beganAt = performance.now();
  const folder = join(options.folder, name);
  mkdirSync(folder, { recursive: true });
  const deferred: (() => unknown)[] = [];
  const found = await FAULT_ROUNDS[name]({ ...options, folder, defer: (close) => void deferred.push(close) }).then(findingsOf)
    .catch((thrown: unknown) => ({ ...NOTHING, violations: [`the round could not be run: ${textOf(thrown)}`] }));
  for (const close of deferred.toReversed()) await close();
  return { name, seconds: (performance.now() - beganAt) / 1000, ...found };
}

interface FaultsRun extends FaultOptions {
  readonly timeIsLeft: () => boolean;
  readonly progress: (text: string) => void;
}

/** Runs one fault round after the other until the time is over. */
export async function runFaults(names: readonly FaultName[], options: FaultsRun): Promise<readonly FaultFinding[]> {
  const findings: FaultFinding[] = [];
  for (const name of names) {
    if (!options.timeIsLeft()) break;
    const finding = await runFault(name, options);
    for (const violation of finding.violations.slice(0, 10)) options.progress(`${name}: ${violation}`);
    options.progress(`${name}: ${Math.round(finding.seconds)} s, ${finding.violations.length} violations`);
    findings.push(finding);
  }
  return findings;
}
