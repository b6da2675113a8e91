import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { rmSync } from 'node:fs';
import { Child, makeWorkingFolder, ROOT, runTool, type Terminal } from '@tollgate/kit';
import type { LoadOrder, LoadResult } from './loads/load.js';
import type { Attack, Ground, Reference } from './attacks/attack.js';
import { ATTACKS } from './attacks/attacks.js';
import type { Goal } from './checks/goal.js';
import { goalsOf, renderReport, renderTable, REST_BYTES, type SiegeReport, SPARE_DESCRIPTORS } from './report.js';
import { Installation, type ProcessFigures } from './installation/installation.js';
import { SharedServersOfSiege } from './installation/shared-servers.js';
import { type Check, type CheckSection, renderSection } from './checks/check.js';
import { CHECKS } from './checks/checks.js';
import { HELP, readOptions, type SiegeOptions } from './options.js';

const WRONGLY_CALLED = 2;
const REFERENCES: readonly Reference[] = ['refusing', 'reading', 'hashing'];

/** Runs the siege. Exit codes: 0; 1 if a goal was missed; 2 if an option is invalid. */
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
    const judged = await runAll(reading.options, folder, terminal);
    if (reading.options.table) terminal.out(renderTable(judged.filter(isReport)));
    if (reading.options.json) terminal.out(`${JSON.stringify(judged, null, 2)}\n`);
    return judged.every(({ goals }) => goals.every(({ isMet }) => isMet)) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A result together with its goals, as in the JSON. */
type Judged = (SiegeReport | (CheckSection & { readonly id: string })) & { readonly goals: readonly Goal[] };

function isReport(judged: Judged): judged is SiegeReport & Judged {
  return 'victim' in judged;
}

async function runAll(options: SiegeOptions, folder: string, { out, progress }: Terminal): Promise<readonly Judged[]> {
  const start = (program: string, environment?: Readonly<Record<string, string>>): Child => Child.startProgram(new URL(program, import.meta.url), folder, environment);
  const listening = async (server: Child): Promise<number> => (await server.message<Listening>()).port;
  const upstream = start('upstream-main.js');
  const references = REFERENCES.map((name) => ({ name, server: start('reference-server-main.js', { SERVER: name }) }));
  const referencePorts = new Map<Reference, number>();
  for (const { name, server } of references) referencePorts.set(name, await listening(server));
  const field = { root: rootOf(options), folder, seconds: options.seconds, upstreamPort: await listening(upstream), referencePorts };
  const attacks = ATTACKS.filter(({ id }) => options.only.includes(id)).flatMap((attack) => attack.grounds.map((ground) => ({ attack, ground })));
  const checks = CHECKS.filter(({ id }) => options.only.includes(id));
  const all = attacks.length + checks.length;
  const judged: Judged[] = [];
  for (const [position, { attack, ground }] of attacks.entries()) {
    progress(`[${position + 1} of ${all}] ${attack.id}${ground === 'shared' ? ', two gateways' : ''}`);
    const report = await besiege(attack, ground, field);
    if (!options.json) out(`${renderReport(report)}\n`);
    judged.push({ ...report, goals: goalsOf(report) });
  }
  for (const [position, check] of checks.entries()) {
    progress(`[${attacks.length + position + 1} of ${all}] ${check.id}`);
    const sections = await runCheck(check, options, field);
    if (!options.json) out(sections.map((section) => `${renderSection(check, section)}\n`).join(''));
    judged.push(...sections.map((section) => ({ id: check.id, ...section })));
  }
  await Promise.all([upstream, ...references.map(({ server }) => server)].map((server) => server.stop()));
  return judged;
}

/** Runs a check with gateways of its own. */
async function runCheck(check: Check, options: SiegeOptions, { folder, upstreamPort }: Pick<Battlefield, 'folder' | 'upstreamPort'>): Promise<readonly CheckSection[]> {
  const started: Installation[] = [];
  const start = async (environment: Readonly<Record<string, string>>): Promise<Installation> => {
    const installation = await Installation.start({ root: rootOf(options), folder: join(folder, check.id), upstreamPort, descriptorLimit: null, environment, shared: null });
    started.push(installation);
    return installation;
  };
  try {
    return await check.run({ start });
  } finally {
    await Promise.all(started.map((installation) => installation.stop()));
  }
}

function rootOf({ gatewayRoot }: SiegeOptions): string {
  return gatewayRoot === null ? ROOT : resolve(gatewayRoot);
}

interface Battlefield {
  readonly root: string;
  readonly folder: string;
  readonly upstreamPort: number;
  readonly referencePorts: ReadonlyMap<Reference, number>;
  readonly seconds: number;
}

/** Runs an attack against gateways of its own. */
async function besiege(attack: Attack, ground: Ground, field: Battlefield): Promise<SiegeReport> {
  const { root, folder, upstreamPort } = field;
  const servers = ground === 'shared' ? await SharedServersOfSiege.start() : null;
  try {
    const { descriptorLimit, environment } = attack;
    const installation = await Installation.start({
      root, upstreamPort, folder: join(folder, `${attack.id}-${ground}`), descriptorLimit, environment, shared: servers,
    });
    try {
      return await fight({ attack, ground, installation }, field);
    } finally {
      await installation.stop();
    }
  } finally {
    await servers?.stop();
  }
}

interface Battle {
  readonly attack: Attack;
  readonly ground: Ground;
  readonly installation: Installation;
}

async function fight({ attack, ground, installation }: Battle, field: Battlefield): Promise<SiegeReport> {
  const { folder, seconds } = field;
  const { target } = installation;
  const referencePort = field.referencePorts.get(attack.reference) ?? 0;
  const arms = await attack.arm(target);
  const victim = { port: target.port, seconds, load: arms.victim };
  const attackOn = (ports: readonly number[]): Promise<readonly LoadResult[]> =>
    Promise.all(ports.flatMap((port) => arms.attackers.map((load) => runLoad({ port, seconds, load }, folder))));
  await runLoad({ ...victim, seconds: WARM_UP_SECONDS }, folder);
  const [reference] = await Promise.all([runLoad(victim, folder), attackOn(target.ports.map(() => referencePort))]);
  const idle = installation.figures();
  if (idle === null) throw new Error('the gateway ended before it was attacked');
  await installation.loopDelayMilliseconds();
  const highestOf = watchMemory(installation);
  const [felt, attackers, seen] = await Promise.all([runLoad(victim, folder), attackOn(target.ports), lookMeanwhile(installation, seconds)]);
  const loopDelayMilliseconds = await installation.loopDelayMilliseconds();
  const highestBytes = highestOf();
  const resting = await recovered(installation, idle);
  const { id, title, highestRatio, refusesConnections } = attack;
  const minutes = Math.ceil(seconds / SECONDS_PER_MINUTE);
  return {
    id, title, ground, highestRatio, refusesConnections, mostUnlimited: attack.mostUnlimited === null ? null : attack.mostUnlimited * minutes, comparedWith: attack.reference, reference, victim: felt, attackers, loopDelayMilliseconds, highestBytes, ...seen,
    idleBytes: idle.residentBytes, idleDescriptors: idle.descriptors,
    restingBytes: resting?.residentBytes ?? null, restingDescriptors: resting?.descriptors ?? null,
  };
}

/** In the middle of an attack, looks whether the gateway is reachable; near the end, how many descriptors it holds. */
async function lookMeanwhile(installation: Installation, seconds: number): Promise<Pick<SiegeReport, 'reachable' | 'heldDescriptors'>> {
  await wait(seconds * MILLISECONDS_PER_SECOND * MIDDLE);
  const reachable = await installation.isReachable();
  await wait(seconds * MILLISECONDS_PER_SECOND * (NEAR_END - MIDDLE));
  return { reachable, heldDescriptors: installation.figures()?.descriptors ?? null };
}

/** Samples the memory until the returned function is called, which returns the maximum in bytes; `null` if the process has ended. */
function watchMemory(installation: Installation): () => number | null {
  let highest: number | null = 0;
  const timer = setInterval(() => {
    const figures = installation.figures();
    highest = figures === null || highest === null ? null : Math.max(highest, figures.residentBytes);
  }, SAMPLE_MILLISECONDS);
  return () => {
    clearInterval(timer);
    return highest;
  };
}

/** Waits until memory and descriptors are as they were when idle, for a limited time. */
async function recovered(installation: Installation, idle: ProcessFigures): Promise<ProcessFigures | null> {
  for (let waited = 0; waited < RECOVERY_MILLISECONDS; waited += SAMPLE_MILLISECONDS) {
    const figures = installation.figures();
    if (figures === null) return null;
    const isBack = figures.residentBytes <= idle.residentBytes + REST_BYTES && figures.descriptors <= idle.descriptors + SPARE_DESCRIPTORS;
    if (isBack) return figures;
    await wait(SAMPLE_MILLISECONDS);
  }
  return installation.figures();
}

const MILLISECONDS_PER_SECOND = 1000;
const SECONDS_PER_MINUTE = 60;
/** Time in which requests that run at the end of a load may finish. */
const SPARE_SECONDS = 60;

/** Generates a load from a process of its own. */
async function runLoad(order: LoadOrder, folder: string): Promise<LoadResult> {
  const child = Child.startProgram(new URL('loads/load-main.js', import.meta.url), folder);
  child.send(order);
  try {
    return await child.message<LoadResult>((order.seconds + SPARE_SECONDS) * MILLISECONDS_PER_SECOND);
  } finally {
    await child.stop();
  }
}

const SAMPLE_MILLISECONDS = 200;
/** Moment of the first look, as a share of the duration. */
const MIDDLE = 0.5;
const NEAR_END = 0.85;
const WARM_UP_SECONDS = 5;
const RECOVERY_MILLISECONDS = 30_000;

interface Listening {
  readonly port: number;
}

await runTool(runSiege);
