import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KILL_POINTS } from '../kill-points/kill-point.js';
import { killAll } from '../processes/running.js';
import { Random } from '../random.js';
import { renderReport } from '../report/render-report.js';
import { type ChaosReport, violationsOf } from '../report/report.js';
import { Findings } from '../rounds/findings.js';
import { planRounds } from '../rounds/round-plan.js';
import { runRounds } from '../rounds/run-rounds.js';
import { World } from '../rounds/world.js';
import { tearLogs } from '../torn/torn-log.js';
import { startUpstream } from '../upstream/start-upstream.js';
import { type ChaosOptions, HELP, readOptions } from './options.js';

export interface ChaosTerminal {
  readonly out: (text: string) => void;
  /** Progress, which is not part of the report. */
  readonly progress: (text: string) => void;
}

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const GATEWAY = join(ROOT, 'apps/gateway/dist/main.js');
/** On the same disk as a gateway's data would be. */
const WORKING_FOLDERS = join(ROOT, 'node_modules/.cache/tollgate');
const MILLISECONDS_PER_MINUTE = 60_000;
/** Rounds on one database; then a new one is begun, so that checking all of it stays quick. */
const ROUNDS_PER_WORLD = 40;

async function run(options: ChaosOptions, folder: string, { progress }: ChaosTerminal): Promise<ChaosReport> {
  const startedAt = performance.now();
  const timeIsLeft = (): boolean => performance.now() - startedAt < options.minutes * MILLISECONDS_PER_MINUTE;
  const random = new Random(options.seed);
  // What is planned comes out the same for the same seed; what the load draws depends on time as well.
  const plans = planRounds(options, new Random(options.seed));
  const upstream = await startUpstream(random);
  const worldAt = (name: string): Promise<World> => World.create({ folder: join(folder, name), program: GATEWAY, upstreamPort: upstream.port, random });
  const torn = await tearLogs(await worldAt('torn'), { copies: options.torn, random: new Random(options.seed) });
  progress(`${options.torn} torn logs done`);
  const findings = new Findings([...KILL_POINTS, 'random']);
  const quietViolations: string[] = [];
  for (let done = 0; done < plans.length && timeIsLeft(); done += ROUNDS_PER_WORLD) {
    const part = plans.slice(done, done + ROUNDS_PER_WORLD);
    quietViolations.push(...await runRounds(await worldAt(`from-${done}`), { plans: part, findings, timeIsLeft, say: progress }));
    progress(`${Math.min(done + ROUNDS_PER_WORLD, plans.length)} of ${plans.length} rounds, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
  upstream.close();
  const begun = findings.all.reduce((sum, { runs }) => sum + runs, 0);
  return { seed: options.seed, seconds: (performance.now() - startedAt) / 1000, notBegun: plans.length - begun, kinds: findings.all, quietViolations, torn };
}

/** Runs what a command line asks for, and says what the process is to end with. Databases are kept when they show a violation. */
export async function runChaos(argv: readonly string[], terminal: ChaosTerminal): Promise<number> {
  const reading = readOptions(argv, Math.floor(Date.now() / 1000));
  if (reading.outcome !== 'run') {
    terminal.out(reading.outcome === 'help' ? HELP : `${reading.problem}\n\n${HELP}`);
    return reading.outcome === 'help' ? 0 : 2;
  }
  const { options } = reading;
  mkdirSync(WORKING_FOLDERS, { recursive: true });
  const folder = mkdtempSync(join(WORKING_FOLDERS, 'chaos-'));
  process.once('exit', killAll);
  terminal.progress(`Seed ${options.seed}.`);
  const report = await run(options, folder, terminal);
  terminal.out(renderReport(report));
  if (options.jsonFile !== null) writeFileSync(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  if (violationsOf(report).length > 0) {
    terminal.out(`The databases and logs are kept in ${folder}\n`);
    return 1;
  }
  rmSync(folder, { recursive: true });
  return 0;
}
