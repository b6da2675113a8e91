import { mkdirSync } from 'node:fs';
import type { Behaviour, ScriptedReply } from '@tollgate/testkit/programs';
import { expectThat } from './checks.js';
import { type ProgramRun, runProgram } from './programs.js';
import {
  expectOnce, expectSchema, failsAtOnce, refusedAtFirst, script, type ScriptedKind, type ScriptedRun, type ScriptedWorld, signatureIn, SIGNED, toldOf, UNKNOWN_NAME, watched,
} from './scripted-world.js';

const TIMEOUT_MILLISECONDS = 60_000;

/** What the upstream replies, and what the program must then print and send. */
export interface Scene {
  readonly turns: readonly (ScriptedReply | Behaviour)[];
  /** Exact text of standard output and standard error, so that a warning fails the check. */
  readonly prints: string;
  /** Number of requests that must reach the upstream. */
  readonly requests: number;
  /** Texts that the last request must contain exactly once. */
  readonly lastHolds?: readonly string[];
  /** A property that the requested JSON Schema must have. */
  readonly asksFor?: string;
  /** True if the last request must contain the signature of the reasoning. */
  readonly keepsSignature?: boolean;
  readonly key?: string;
  /** True if the account has one slot, which is taken when the program starts. */
  readonly isRefusedAtFirst?: boolean;
  readonly model?: string;
}

const CALLS = [{ id: 'call_1', name: 'weather', arguments: ['{"city":', '"Zürich"}'] }, { id: 'call_2', name: 'clock', arguments: [] }];

/** A turn with reasoning, text and two parallel calls, one of them without arguments; then a turn that answers. */
export const TWO_TURNS: Scene = {
  turns: [
    { ...SIGNED, text: ['Let me ', 'see.'], toolCalls: CALLS, toolCallOrder: 'interleaved' },
    { reasoning: ['Warm.'], reasoningSignature: 'signed-2', text: ['18 degrees ', 'at noon.'] },
  ],
  requests: 2, keepsSignature: true, lastHolds: ['I must look.', 'Let me see.', '18 degrees in Zürich', 'It is noon'], prints: '18 degrees at noon.',
};

/** A turn that answers by a JSON Schema. */
export function bySchema(prints: string): Scene {
  return { turns: [{ text: ['{"city": "Zü', 'rich", "degrees": 18}'] }], requests: 1, asksFor: 'degrees', prints };
}

export interface Row {
  readonly title: string;
  readonly name: string;
  readonly scene: Scene;
}

/**
 * Two rows for each row: the upstream fails at once, or the gateway refuses the request because the account's slot is taken. In both, the client's
 * retry is served.
 */
export function repetitions(kind: ScriptedKind, rows: readonly Row[]): readonly Row[] {
  return rows.flatMap(({ title, name, scene }): readonly Row[] => [
    { title: `${title}, after it failed at once`, name, scene: { ...scene, turns: [failsAtOnce(kind), ...scene.turns], requests: scene.requests + 1 } },
    { title: `${title}, after it was refused for too many requests at the same time`, name, scene: { ...scene, isRefusedAtFirst: true } },
  ]);
}

/** Runs a program with the settings of a scene in its environment, and compares the results. */
export async function play(world: ScriptedWorld, scene: Scene, program: Pick<ProgramRun, 'command' | 'argv'>): Promise<string> {
  const { turns, requests, lastHolds = [], keepsSignature = false, asksFor, prints, isRefusedAtFirst = false, model = UNKNOWN_NAME } = scene;
  const { key = isRefusedAtFirst ? world.slotKey : world.key } = scene;
  mkdirSync(world.folder, { recursive: true });
  const running = (): Promise<ScriptedRun> => watched(world, () => runProgram({
    ...program, folder: world.folder, timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    environment: { HOME: world.folder, OPENAI_BASE_URL: `${world.baseUrl}/v1`, OPENAI_API_KEY: key, MODEL: model, PYTHONUTF8: '1' },
  }));
  if (!isRefusedAtFirst) script(world, ...turns);
  const run = isRefusedAtFirst ? await refusedAtFirst(world, turns, running) : await running();
  expectThat(run.exitCode === 0 && run.output === prints, prints, toldOf(run));
  expectThat(run.sent.length === requests, `${requests} requests upstream`, toldOf(run));
  expectOnce(run.sent.at(-1), [...lastHolds, ...(keepsSignature ? signatureIn(world) : [])]);
  if (asksFor !== undefined) expectSchema(world, run, asksFor);
  return toldOf(run, prints);
}
