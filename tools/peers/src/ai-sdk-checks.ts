import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Check, Peer } from './checks.js';
import { installNpmPackages } from './programs.js';
import { bySchema, play, repetitions, type Row, type Scene, TWO_TURNS } from './scenes.js';
import { breaksOff, failsAtOnce, type ScriptedKind, type ScriptedWorld } from './scripted-world.js';

const AI = '7.0.173';
const PROVIDER = '4.0.118';

/** A newer release of the AI SDK than the tests use. */
const PEER: Peer = { id: `ai-sdk-${AI}`, megabytes: 29, install: (folder) => installNpmPackages(folder, { 'ai': AI, '@ai-sdk/openai': PROVIDER }) };

const THREE_TURNS: Scene = {
  ...TWO_TURNS, turns: [...TWO_TURNS.turns, { text: ['I do not ', 'know.'] }], requests: 3,
  lastHolds: ['I must look.', 'Let me see.', '18 degrees in Zürich', 'It is noon', '18 degrees at noon.', 'And tomorrow?'],
  prints: 'I must look. | Let me see. | Warm. | 18 degrees at noon. | I do not know. | weather {"city":"Zürich"} | clock {} | by references',
};
const BY_SCHEMA = bySchema('{"city":"Zürich","degrees":18}');

function rowsOf(kind: ScriptedKind): readonly Row[] {
  const served: readonly Row[] = [
    { title: 'three turns with references, whole', name: 'turnsWhole', scene: THREE_TURNS }, { title: 'three turns with references, streamed', name: 'turnsStreamed', scene: THREE_TURNS },
  ];
  const unavailable = '| AI_APICallError 503 provider_unavailable';
  return [
    ...served,
    { title: 'an output by a schema, whole', name: 'outputWhole', scene: BY_SCHEMA },
    { title: 'an output by a schema, streamed', name: 'outputStreamed', scene: BY_SCHEMA },
    { title: 'responses that fail at once', name: 'errors', scene: { turns: [failsAtOnce(kind), failsAtOnce(kind)], requests: 2, prints: `${unavailable}; ${unavailable}` } },
    { title: 'responses that fail in the middle', name: 'errors', scene: { turns: [breaksOff(kind), breaksOff(kind)], requests: 2, prints: `${unavailable}; Half | AI_StreamProviderError provider_unavailable` } },
    ...repetitions(kind, served),
  ];
}

/** Checks of the AI SDK's openai provider, which uses the responses format by default. */
export function aiSdkChecks(kind: ScriptedKind): readonly Check<ScriptedWorld>[] {
  const program = fileURLToPath(new URL('../node/ai-sdk-checks.mjs', import.meta.url));
  return rowsOf(kind).map(({ title, name, scene }) => ({
    title: `AI SDK ${AI}, upstream ${kind}: ${title}`,
    peer: PEER,
    run: (world, peerFolder) => {
      // The program is copied, because Node resolves modules from a program's own path.
      const copy = join(peerFolder, 'checks.mjs');
      copyFileSync(program, copy);
      return play(world, scene, { command: process.execPath, argv: [copy, name] });
    },
  }));
}
