import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { evaluateGoals } from '../goals/evaluate-goals.js';
import { GOALS } from '../goals/goals.js';
import { LoadGenerator } from '../load/load-generator.js';
import { killAll } from '../processes/measured-process.js';
import { jsonReport, thisMachine } from '../report/json-report.js';
import { renderGoals } from '../report/render-goals.js';
import { renderResult } from '../report/render-result.js';
import { profiler } from './profiler.js';
import type { Bench, Scenario, ScenarioResult } from '../scenarios/scenario.js';
import { BENCH_MODELS, chooseScenarios } from '../scenarios/scenarios.js';
import { Warmth } from '../scenarios/warmth.js';
import type { RunningSubject } from '../subjects/subject.js';
import { directTo, startUpstream } from '../upstream/start-upstream.js';
import { HELP, type BenchOptions, readOptions } from './options.js';
import { progressText } from './progress.js';
import { subjectsFor } from './subjects-for.js';

export interface BenchTerminal {
  readonly out: (text: string) => void;
  /** Progress, which is not part of the report. */
  readonly progress: (text: string) => void;
}

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** On the same disk as a gateway's data would be: a folder in memory would make every commit free. */
const WORKING_FOLDERS = join(ROOT, 'node_modules/.cache/tollgate');

/** Runs scenarios one after the other and prints what each came to; tells with all that they say how far they are. */
async function runAll(scenarios: readonly Scenario[], bench: Bench, { out, progress }: BenchTerminal): Promise<readonly ScenarioResult[]> {
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

async function measure(options: BenchOptions, folder: string, terminal: BenchTerminal): Promise<readonly ScenarioResult[]> {
  const upstream = await startUpstream(folder);
  const surroundings = { folder, upstreamPort: upstream.port };
  const { chosen, unknown } = chooseScenarios({ options, surroundings, root: ROOT });
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')} to measure. See --help.`);
  const load = LoadGenerator.start(folder);
  const subjects: RunningSubject[] = [directTo(upstream)];
  for (const subject of await subjectsFor(options, { root: ROOT, folder, models: BENCH_MODELS })) subjects.push(await subject.start(surroundings));
  const { rounds, longRounds, secondsFactor, profileFolder } = options;
  const bench: Bench = { load, subjects, warmth: new Warmth(), rounds, longRounds, secondsFactor, profiled: profiler(profileFolder), say: terminal.progress };
  const results = await runAll(chosen, bench, terminal);
  for (const { process } of subjects) await process.stop();
  await load.process.stop();
  return results;
}

/** Runs the bench that a command line asks for, and says what the process is to end with. */
export async function runBench(argv: readonly string[], terminal: BenchTerminal): Promise<number> {
  const reading = readOptions(argv);
  if (reading.outcome !== 'run') {
    terminal.out(reading.outcome === 'help' ? HELP : `${reading.problem}\n\n${HELP}`);
    return reading.outcome === 'help' ? 0 : 2;
  }
  mkdirSync(WORKING_FOLDERS, { recursive: true });
  const folder = mkdtempSync(join(WORKING_FOLDERS, 'bench-'));
  // Whatever ends the bench, what it started ends with it and what it wrote is removed.
  process.once('exit', () => {
    killAll();
    rmSync(folder, { recursive: true, force: true });
  });
  const { cores, system, node } = thisMachine();
  terminal.out(`Tollgate bench on ${cores} cores, ${system}, Node ${node}. Ratios are to the Express pass-through of the same round: median [lowest-highest].\n`);
  const results = await measure(reading.options, folder, terminal);
  const verdicts = evaluateGoals(GOALS, results);
  terminal.out(`\n${renderGoals(verdicts)}`);
  if (reading.options.jsonFile !== null) writeFileSync(reading.options.jsonFile, jsonReport(results, verdicts));
  return 0;
}
