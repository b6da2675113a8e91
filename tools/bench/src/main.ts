import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeWorkingFolder, ROOT, runTool, type Terminal } from '@tollgate/kit';
import { type Bench, type Scenario, type ScenarioResult, Warmth } from './scenarios/scenario.js';
import { comparedCheckout } from './subjects/compared-checkout.js';
import { BOUNDS, directTo, EXPRESS_PASS_THROUGH, NODE_PASS_THROUGH, portkey, startUpstream } from './subjects/pass-throughs.js';
import type { RunningSubject, Subject } from './subjects/subject.js';
import { tollgateEmbedded } from './subjects/tollgate.js';
import { type BenchOptions, HELP, readOptions } from './options.js';
import { evaluateGoals, GOALS } from './goals.js';
import { LoadGenerator } from './load/load-generator.js';
import { jsonReport, progressText, renderGoals, renderResult, thisMachine } from './report.js';
import { BENCH_MODELS, chooseScenarios } from './choose-scenarios.js';

/** Profiles the gateway when it is first measured in a scenario, if there is a folder for profiles. */
function profiler(folder: string | null): Bench['profiled'] {
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

interface SubjectNeeds {
  readonly root: string;
  readonly folder: string;
  readonly models: readonly string[];
}

async function subjectsFor(options: BenchOptions, { root, folder, models }: SubjectNeeds): Promise<readonly Subject[]> {
  const gateway = { models, grown: null };
  const subjects: Subject[] = [
    NODE_PASS_THROUGH,
    EXPRESS_PASS_THROUGH,
    tollgateEmbedded({ ...gateway, id: 'tollgate', title: 'Tollgate, embedded', root }),
  ];
  if (options.compareWith !== null) {
    subjects.push(tollgateEmbedded({ ...gateway, id: 'tollgate-compared', title: 'Tollgate, other checkout', root: options.compareWith }));
  }
  if (options.bounds) subjects.push(...BOUNDS);
  if (options.peers) subjects.push(await portkey(join(folder, 'portkey')));
  return subjects;
}

async function runAll(scenarios: readonly Scenario[], bench: Bench, { out, progress }: Terminal): Promise<readonly ScenarioResult[]> {
  const pace = { ...bench, warmth: new Warmth() };
  const expected = scenarios.map((scenario) => scenario.expectedSeconds(pace));
  const results: ScenarioResult[] = [];
  for (const [part, scenario] of scenarios.entries()) {
    const begun = performance.now();
    const say = (text: string): void => progress(`[${progressText({ expected, part, spentSeconds: (performance.now() - begun) / 1000 })}] ${text}`);
    for (const result of await scenario.run({ ...bench, say })) {
      out(`\n${renderResult(result)}`);
      results.push(result);
    }
  }
  return results;
}

/** Options with the folder of the checkout to compare with, which is built if it was given as a commit. */
async function withCheckout(options: BenchOptions, say: Terminal['progress']): Promise<BenchOptions> {
  if (options.compareWith === null) return options;
  // The folder is outside node_modules, because the compiler treats packages there as external.
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-compared-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { ...options, compareWith: await comparedCheckout({ wanted: options.compareWith, repository: ROOT, folder, say }) };
}

async function measure(options: BenchOptions, folder: string, terminal: Terminal): Promise<readonly ScenarioResult[]> {
  const upstream = await startUpstream(folder);
  const context = { folder, upstreamPort: upstream.port };
  const { chosen, unknown } = chooseScenarios({ options, context, root: ROOT });
  if (unknown.length > 0) throw new Error(`Unknown names: ${unknown.join(', ')}. See --help.`);
  const load = LoadGenerator.start(folder);
  const subjects: RunningSubject[] = [directTo(upstream)];
  for (const subject of await subjectsFor(options, { root: ROOT, folder, models: BENCH_MODELS })) subjects.push(await subject.start(context));
  const { rounds, longRounds, secondsFactor, profileFolder } = options;
  const bench: Bench = { load, subjects, warmth: new Warmth(), rounds, longRounds, secondsFactor, profiled: profiler(profileFolder), say: terminal.progress };
  const results = await runAll(chosen, bench, terminal);
  for (const { process } of subjects) await process.stop();
  await load.process.stop();
  return results;
}

/** Resolves with the exit code. */
async function runBench(argv: readonly string[], terminal: Terminal): Promise<number> {
  const reading = readOptions(argv);
  if (reading.outcome !== 'run') {
    terminal.out(reading.outcome === 'help' ? HELP : `${reading.problem}\n\n${HELP}`);
    return reading.outcome === 'help' ? 0 : 2;
  }
  const folder = makeWorkingFolder('bench');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { cores, system, node } = thisMachine();
  terminal.out(`Tollgate bench on ${cores} cores, ${system}, Node ${node}. Ratios are to the Express pass-through of the same round: median [lowest-highest].\n`);
  const results = await measure(await withCheckout(reading.options, terminal.progress), folder, terminal);
  const verdicts = evaluateGoals(GOALS, results);
  terminal.out(`\n${renderGoals(verdicts)}`);
  if (reading.options.jsonFile !== null) writeFileSync(reading.options.jsonFile, jsonReport(results, verdicts));
  return 0;
}

await runTool(runBench);
