import { join, resolve } from 'node:path';
import { rmSync, writeFileSync } from 'node:fs';
import { makeWorkingFolder, ROOT, runTool, type Terminal } from '@tollgate/kit';
import { MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { SeededRandom } from '@tollgate/testkit/programs';
import { PostgresSetup } from './setups/postgres-setup.js';
import type { Setup, SetupName } from './setups/setup.js';
import { SQLITE_SETUP } from './setups/sqlite-setup.js';
import { KILL_POINTS } from './gateways/kill-points.js';
import { type ChaosReport, renderReport, type SetupReport, violationsOf } from './report.js';
import { type DeathKind, Findings, planRounds, type RoundCounts, runRounds, sumOf } from './rounds/run-rounds.js';
import { type ChaosContext, World } from './world/world.js';
import { type DamageFinding, tearLogs } from './torn-log.js';
import { type FaultFinding, runFaults } from './faults/run-faults.js';
import { startUpstream } from './upstream/upstream.js';
import { type ChaosOptions, HELP, readOptions } from './options.js';

/** Opens a setup; the caller must close it. */
async function openSetup(name: SetupName): Promise<Setup> {
  return name === 'sqlite' ? SQLITE_SETUP : PostgresSetup.start();
}

interface SetupRun {
  readonly setup: Setup;
  readonly counts: RoundCounts;
  readonly seed: number;
  /** Folder for the data of gateways; it must be on a disk. */
  readonly folder: string;
  readonly context: ChaosContext;
  readonly timeIsLeft: () => boolean;
  readonly progress: (text: string) => void;
}

/** Number of rounds on one database. The next ones use a new database, so that checks of a whole database stay fast. */
const ROUNDS_PER_WORLD = 40;

async function runSetup(plan: SetupRun): Promise<SetupReport> {
  const { setup, counts, seed, folder, context, timeIsLeft, progress } = plan;
  // The plan depends only on the seed, but the load depends on timing too.
  const plans = planRounds(counts, setup, new SeededRandom(seed));
  const findings = new Findings([...KILL_POINTS, 'random']);
  const quietViolations: string[] = [];
  let current: DeathKind | 'quiet' = 'quiet';
  const onViolation = (text: string): void => {
    progress(`${setup.name}, ${current}: ${text}`);
    if (current === 'quiet') quietViolations.push(text);
    else findings.addViolation(current, text);
  };
  const figures = [];
  for (let done = 0; done < plans.length && timeIsLeft(); done += ROUNDS_PER_WORLD) {
    const world = await World.create({ setup, folder: join(folder, `${setup.name}-from-${done}`), context, onViolation });
    const part = plans.slice(done, done + ROUNDS_PER_WORLD);
    figures.push(await runRounds(world, { plans: part, findings, timeIsLeft, onRound: (kind) => void (current = kind) }));
    progress(`${setup.name}: ${Math.min(done + ROUNDS_PER_WORLD, plans.length)} of ${plans.length} rounds, ${Math.round(performance.now() / 1000)} s`);
  }
  const begun = findings.all.reduce((sum, { runs }) => sum + runs, 0);
  return { setup: setup.name, notBegun: plans.length - begun, kinds: findings.all, figures: sumOf(figures), quietViolations };
}

interface Run {
  readonly options: ChaosOptions;
  readonly folder: string;
  readonly context: ChaosContext;
  readonly terminal: Terminal;
}

async function tear({ options, folder, context, terminal }: Run): Promise<readonly DamageFinding[]> {
  if (options.torn === 0 || !options.setups.includes('sqlite')) return [];
  const world = await World.create({ setup: SQLITE_SETUP, folder: join(folder, 'torn'), context, onViolation: terminal.progress });
  const findings = await tearLogs(world, { copies: options.torn, random: new SeededRandom(options.seed) });
  terminal.progress(`${options.torn} torn logs done`);
  return findings;
}

/** Runs the rounds of a setup, for an equal share of the time and what earlier setups have left of theirs. */
async function runOn(name: SetupName, deadline: number, { options, folder, context, terminal }: Run): Promise<SetupReport> {
  const setup = await openSetup(name);
  try {
    return await runSetup({
      setup, counts: options, seed: options.seed, folder, context, progress: terminal.progress, timeIsLeft: () => performance.now() < deadline,
    });
  } finally {
    await setup.close();
  }
}

/** Runs the fault rounds. The seed determines the first one, so that all get a turn over several short runs. */
async function disturb(deadline: number, { options: { faults, seed, checkout }, folder, context, terminal }: Run): Promise<readonly FaultFinding[]> {
  const first = seed % Math.max(1, faults.length);
  return runFaults([...faults.slice(first), ...faults.slice(0, first)], {
    root: checkout === null ? ROOT : resolve(checkout), folder, context, progress: terminal.progress, timeIsLeft: () => performance.now() < deadline,
  });
}

async function run(parts: Run): Promise<ChaosReport> {
  const startedAt = performance.now();
  const { options: { setups, faults, seed, minutes }, context } = parts;
  const shares = setups.length + (faults.length > 0 ? 1 : 0);
  const torn = await tear(parts);
  const reports: SetupReport[] = [];
  for (const [place, name] of setups.entries()) {
    reports.push(await runOn(name, startedAt + minutes * MILLISECONDS_PER_MINUTE * (place + 1) / shares, parts));
  }
  const faultFindings = await disturb(startedAt + minutes * MILLISECONDS_PER_MINUTE, parts);
  context.upstream.close();
  return { seed, seconds: (performance.now() - startedAt) / 1000, setups: reports, torn, faults: faultFindings, faultsNotBegun: faults.length - faultFindings.length };
}

async function surround({ seed }: ChaosOptions): Promise<ChaosContext> {
  const random = new SeededRandom(seed);
  let number = 0;
  return { random, upstream: await startUpstream(random), nextNumber: () => (number += 1) };
}

/** Runs everything; resolves with the exit code. Keeps the working folder if there are violations. */
async function runChaos(argv: readonly string[], terminal: Terminal): Promise<number> {
  const reading = readOptions(argv, Math.floor(Date.now() / 1000));
  if (reading.outcome !== 'run') {
    terminal.out(reading.outcome === 'help' ? HELP : `${reading.problem}\n\n${HELP}`);
    return reading.outcome === 'help' ? 0 : 2;
  }
  const { options } = reading;
  const folder = makeWorkingFolder('chaos');
  terminal.progress(`Seed ${options.seed}.`);
  const report = await run({ options, folder, terminal, context: await surround(options) });
  terminal.out(renderReport(report));
  if (options.jsonFile !== null) writeFileSync(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  if (violationsOf(report).length > 0) {
    terminal.out(`The databases and logs are kept in ${folder}\n`);
    return 1;
  }
  rmSync(folder, { recursive: true });
  return 0;
}

await runTool(runChaos);
