import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { rmSync } from 'node:fs';
import { Child, makeWorkingFolder, ROOT, runTool, startGateway, type Terminal } from '@tollgate/kit';
import type { LoadOrder, LoadResult } from './load-main.js';
import { type Attack, ATTACKS, type HttpLoad, smallBody } from './attacks.js';
import { goalsOf, renderReport, REST_BYTES, type SiegeReport, SPARE_DESCRIPTORS } from './report.js';
import { Gateway, type ProcessFigures } from './gateway.js';
import { compareTimes, renderTimes, timesGoalsOf, type TimesReport } from './equal-times.js';
import { EQUAL_TIMES, HELP, readOptions, type SiegeOptions } from './options.js';

const WRONGLY_CALLED = 2;

/** Runs the attacks that a command line asks for. Resolves with the exit code: 0, 1 when a goal was missed, 2 when it was wrongly called. */
async function runSiege(argv: readonly string[], terminal: Terminal): Promise<number> {
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

async function runAll(options: SiegeOptions, folder: string, { out, progress }: Terminal): Promise<readonly SiegeReport[]> {
  const start = (program: string, environment?: Readonly<Record<string, string>>): Child => Child.startProgram(new URL(program, import.meta.url), folder, environment);
  const servers = [start('upstream-main.js'), start('reference-server-main.js', { SERVER: 'refusing' }), start('reference-server-main.js', { SERVER: 'hashing' })];
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

function rootOf({ gatewayRoot }: SiegeOptions): string {
  return gatewayRoot === null ? ROOT : resolve(gatewayRoot);
}

interface Battlefield {
  readonly root: string;
  readonly folder: string;
  readonly upstreamPort: number;
  readonly bareServerPort: number;
  readonly hashingServerPort: number;
  readonly seconds: number;
}

/** Runs one attack against a gateway that is started for it. */
async function besiege(attack: Attack, field: Battlefield): Promise<SiegeReport> {
  const { root, folder, upstreamPort } = field;
  const gateway = await Gateway.start({ root, upstreamPort, folder: join(folder, attack.id), descriptorLimit: attack.descriptorLimit, environment: attack.environment });
  try {
    return await fight(attack, field, gateway);
  } finally {
    await gateway.stop();
  }
}

async function fight(attack: Attack, field: Battlefield, gateway: Gateway): Promise<SiegeReport> {
  const { folder, seconds } = field;
  const referencePort = attack.reference === 'hashing' ? field.hashingServerPort : field.bareServerPort;
  const victim = { port: gateway.port, seconds, load: victimLoad(gateway.customers.victimKey) };
  const load = attack.load(gateway.customers, gateway.port);
  await runLoad({ ...victim, seconds: WARM_UP_SECONDS }, folder);
  const [reference] = await Promise.all([runLoad(victim, folder), runLoad({ port: referencePort, seconds, load }, folder)]);
  const idle = gateway.figures();
  if (idle === null) throw new Error('the gateway ended before it was attacked');
  await gateway.loopDelayMilliseconds();
  const highestOf = watchMemory(gateway);
  const [felt, attacker, seen] = await Promise.all([
    runLoad(victim, folder), runLoad({ port: gateway.port, seconds, load }, folder), lookMeanwhile(gateway, seconds),
  ]);
  const loopDelayMilliseconds = await gateway.loopDelayMilliseconds();
  const highestBytes = highestOf();
  const resting = await recovered(gateway, idle);
  return {
    id: attack.id, title: attack.title, comparedWith: attack.reference, highestRatio: attack.highestRatio, reference, victim: felt, attacker, loopDelayMilliseconds, highestBytes, ...seen,
    refusesConnections: load.kind === 'half-open',
    idleBytes: idle.residentBytes, idleDescriptors: idle.descriptors,
    restingBytes: resting?.residentBytes ?? null, restingDescriptors: resting?.descriptors ?? null,
  };
}

/** Looks at the gateway from outside in the middle of an attack and near its end. */
async function lookMeanwhile(gateway: Gateway, seconds: number): Promise<Pick<SiegeReport, 'reachable' | 'heldDescriptors'>> {
  await wait(seconds * MILLISECONDS_PER_SECOND * MIDDLE);
  const reachable = await gateway.isReachable();
  await wait(seconds * MILLISECONDS_PER_SECOND * (NEAR_END - MIDDLE));
  return { reachable, heldDescriptors: gateway.figures()?.descriptors ?? null };
}

/** Samples a process until it is told to stop; resolves with the highest memory, `null` when the process ended meanwhile. */
function watchMemory(gateway: Gateway): () => number | null {
  let highest: number | null = 0;
  const timer = setInterval(() => {
    const figures = gateway.figures();
    highest = figures === null || highest === null ? null : Math.max(highest, figures.residentBytes);
  }, SAMPLE_MILLISECONDS);
  return () => {
    clearInterval(timer);
    return highest;
  };
}

/** Waits until memory and descriptors are back, or the time for it is over. */
async function recovered(gateway: Gateway, idle: ProcessFigures): Promise<ProcessFigures | null> {
  for (let waited = 0; waited < RECOVERY_MILLISECONDS; waited += SAMPLE_MILLISECONDS) {
    const figures = gateway.figures();
    if (figures === null) return null;
    const isBack = figures.residentBytes <= idle.residentBytes + REST_BYTES && figures.descriptors <= idle.descriptors + SPARE_DESCRIPTORS;
    if (isBack) return figures;
    await wait(SAMPLE_MILLISECONDS);
  }
  return gateway.figures();
}

function victimLoad(key: string): HttpLoad {
  return {
    kind: 'http', method: 'POST', path: '/v1/chat/completions', connections: VICTIM_CONNECTIONS, requestsPerSecond: VICTIM_REQUESTS_PER_SECOND,
    headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' }, body: smallBody(),
  };
}

const MILLISECONDS_PER_SECOND = 1000;
/** Requests under way when the time is over are waited for. */
const SPARE_SECONDS = 60;

/** Runs a load in a process of its own. */
async function runLoad(order: LoadOrder, folder: string): Promise<LoadResult> {
  const child = Child.startProgram(new URL('load-main.js', import.meta.url), folder);
  child.send(order);
  try {
    return await child.message<LoadResult>((order.seconds + SPARE_SECONDS) * MILLISECONDS_PER_SECOND);
  } finally {
    await child.stop();
  }
}

const SAMPLE_MILLISECONDS = 200;
/** When the gateway is looked at, as shares of the attack. */
const MIDDLE = 0.5;
const NEAR_END = 0.85;
const WARM_UP_SECONDS = 5;
/** How long memory and descriptors may take to come back. */
const RECOVERY_MILLISECONDS = 30_000;
const VICTIM_REQUESTS_PER_SECOND = 40;
const VICTIM_CONNECTIONS = 8;

interface Listening {
  readonly port: number;
}

await runTool(runSiege);
