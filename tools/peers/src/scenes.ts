import { mkdirSync } from 'node:fs';
import type { Behaviour, ScriptedReply } from '@tollgate/testkit/programs';
import { expectThat } from './checks.js';
import { type ProgramRun, runProgram } from './programs.js';
import {
  expectOnce, expectSchema, failsAtOnce, refusedAtFirst, script, type ScriptedKind, type ScriptedRun, type ScriptedWorld, signatureIn, SIGNED, toldOf, UNKNOWN_NAME, watched,
} from './scripted-world.js';

const TIMEOUT_MILLISECONDS = 60_000;

/** The upstream's script, and what the program must print and send. */
export interface Scene {
  readonly turns: readonly (ScriptedReply | Behaviour)[];
  /** Expected text of both outputs, so that a warning fails the check. */
  readonly prints: string;
  /** Number of requests at the upstream. */
  readonly requests: number;
  /** Text that the last request must contain exactly once. */
  readonly lastHolds?: readonly string[];
  /** A property of the requested JSON Schema. */
  readonly asksFor?: string;
  /** True if the last request contains the reasoning's signature. */
  readonly keepsSignature?: boolean;
  readonly key?: string;
  /** True if its account's only slot is taken at the start. */
  readonly isRefusedAtFirst?: boolean;
  readonly model?: string;
}

const CALLS = [{ id: 'call_1', name: 'weather', arguments: ['{"city":', '"Zürich"}'] }, { id: 'call_2', name: 'clock', arguments: [] }];

/** A turn with reasoning, text and two parallel calls, one without arguments; then an answer. */
export const TWO_TURNS: Scene = {
  turns: [
    { ...SIGNED, text: ['Let me ', 'see.'], toolCalls: CALLS, toolCallOrder: 'interleaved' },
    { reasoning: ['Warm.'], reasoningSignature: 'signed-2', text: ['18 degrees ', 'at noon.'] },
  ],
  requests: 2, keepsSignature: true, lastHolds: ['I must look.', 'Let me see.', '18 degrees in Zürich', 'It is noon'], prints: '18 degrees at noon.',
};

/** An answer that follows a JSON Schema. */
export function bySchema(prints: string): Scene {
  return { turns: [{ text: ['{"city": "Zü', 'rich", "degrees": 18}'] }], requests: 1, asksFor: 'degrees', prints };
}

export interface Row {
  readonly title: string;
  readonly name: string;
  readonly scene: Scene;
}

/** Fails at first; served when the client retries. */
export function repetitions(kind: ScriptedKind, rows: readonly Row[]): readonly Row[] {
  return rows.flatMap(({ title, name, scene }): readonly Row[] => [
    { title: `${title}, after it failed at once`, name, scene: { ...scene, turns: [failsAtOnce(kind), ...scene.turns], requests: scene.requests + 1 } },
    { title: `${title}, after it was refused for too many requests at the same time`, name, scene: { ...scene, isRefusedAtFirst: true } },
  ]);
}

/** Runs a program with the scene's settings in its environment, and compares. */
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
