import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Child, makeWorkingFolder, ROOT, startGateway, type Terminal } from '@tollgate/kit';
import { ATTACKS } from './attacks.js';
import { besiege } from './besiege.js';
import { compareTimes, renderTimes, timesGoalsOf, type TimesReport } from './equal-times.js';
import { EQUAL_TIMES, HELP, readOptions, type SiegeOptions } from './options.js';
import { goalsOf, renderReport, type SiegeReport } from './report.js';

const WRONGLY_CALLED = 2;

interface Listening {
  readonly port: number;
}

function rootOf({ gatewayRoot }: SiegeOptions): string {
  return gatewayRoot === null ? ROOT : resolve(gatewayRoot);
}

async function runAll(options: SiegeOptions, folder: string, { out, progress }: Terminal): Promise<readonly SiegeReport[]> {
  const servers = ['./servers/upstream-main.js', './servers/bare-server-main.js', './servers/hashing-server-main.js'].map((program) => Child.startProgram(new URL(program, import.meta.url), folder));
  const [upstream, bareServer, hashingServer] = await Promise.all(servers.map((server) => server.message<Listening>()));
  const field = {
    root: rootOf(options), folder, seconds: options.seconds, upstreamPort: upstream?.port ?? 0, bareServerPort: bareServer?.port ?? 0, hashingServerPort: hashingServer?.port ?? 0,
  };
  const chosen = ATTACKS.filter(({ id }) => options.only.includes(id));
  const reports: SiegeReport[] = [];
  for (const [position, attack] of chosen.entries()) {
    progress(`[${position + 1} of ${chosen.length}] ${attack.id}`);
    const report = await besiege(attack, field);
    if (!options.json) out(`${renderReport(report)}\n`);
    reports.push(report);
  }
  await Promise.all(servers.map((server) => server.stop()));
  return reports;
}

/** Compares what a stranger is answered about known and unknown addresses. */
async function runEqualTimes(options: SiegeOptions, folder: string, { out, progress }: Terminal): Promise<readonly TimesReport[]> {
  progress(EQUAL_TIMES);
  const environment = { SIGN_UP: 'open', TRUST_PROXY: '127.0.0.0/8' };
  const gateway = await startGateway({ root: rootOf(options), folder: join(folder, EQUAL_TIMES), environment, descriptorLimit: null });
  try {
    const reports = await compareTimes(gateway.port);
    if (!options.json) out(reports.map((report) => `${renderTimes(report)}\n`).join(''));
    return reports;
  } finally {
    await gateway.child.stop();
  }
}

/** Runs the attacks that a command line asks for. Resolves with the exit code: 0, 1 when a goal was missed, 2 when it was wrongly called. */
export async function runSiege(argv: readonly string[], terminal: Terminal): Promise<number> {
  const reading = readOptions(argv);
  if (reading.outcome === 'help') {
    terminal.out(HELP);
    return 0;
  }
  if (reading.outcome === 'wrong') {
    terminal.progress(`${reading.problem}. See --help.`);
    return WRONGLY_CALLED;
  }
  const folder = makeWorkingFolder('siege');
  try {
    const reports = await runAll(reading.options, folder, terminal);
    const times = reading.options.only.includes(EQUAL_TIMES) ? await runEqualTimes(reading.options, folder, terminal) : [];
    const judged = [...reports.map((report) => ({ ...report, goals: goalsOf(report) })), ...times.map((report) => ({ ...report, goals: timesGoalsOf(report) }))];
    if (reading.options.json) terminal.out(`${JSON.stringify(judged, null, 2)}\n`);
    return judged.every(({ goals }) => goals.every(({ isMet }) => isMet)) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
