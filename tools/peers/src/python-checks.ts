import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Check, type Peer, WRONG_KEY } from './checks.js';
import { installPythonPackages, pythonIn, runOrThrow } from './programs.js';
import { bySchema, play, repetitions, type Row, type Scene, TWO_TURNS } from './scenes.js';
import { breaksOff, failsAtOnce, KNOWN_NAME, type ScriptedKind, type ScriptedWorld } from './scripted-world.js';

const TIMEOUT_MILLISECONDS = 60_000;
const SDK_RELEASES = ['openai==3.57.0', 'anthropic==2.14.0'];

const SDK_PEER: Peer = { id: 'python-sdks', megabytes: 106, install: (folder) => installPythonPackages(folder, SDK_RELEASES) };

/** Functions in `python/sdk_checks.py`. Each prints what it saw, or raises. */
const SDK_SCRIPTS: readonly (readonly [name: string, title: string])[] = [
  ['openai_whole', 'Python openai: a whole reply with its receipt'],
  ['openai_stream', 'Python openai: a stream that ends with its receipt'],
  ['openai_wrong_key', 'Python openai: a wrong key is refused in one request'],
  ['openai_context_field', 'Python openai: a prompt that does not fit is refused in the words of its own format'],
  ['anthropic_first_block', 'Python anthropic: content[0].text of a reasoning model without a reasoning setting'],
  ['anthropic_stream', 'Python anthropic: a stream of a reasoning model begins with text'],
  ['anthropic_thinking', 'Python anthropic: thinking is shown where it is asked for'],
  ['anthropic_wrong_key', 'Python anthropic: a wrong key is refused in one request'],
];

export const PYTHON_SDK_CHECKS: readonly Check[] = SDK_SCRIPTS.map(([name, title]) => ({
  title,
  peer: SDK_PEER,
  run: async ({ baseUrl, key, folder }, peerFolder) => {
    mkdirSync(folder, { recursive: true });
    const program = fileURLToPath(new URL('../python/sdk_checks.py', import.meta.url));
    const { output } = await runOrThrow({
      command: pythonIn(peerFolder), argv: [program, name], folder, environment: { BASE_URL: baseUrl, KEY: key }, timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    });
    return output;
  },
}));

const OPENAI = '3.57.0';
const AGENTS = '0.24.0';
const PYDANTIC_AI = '2.68.0';

const AGENT_PEER: Peer = {
  id: `python-agents-${AGENTS}-${PYDANTIC_AI}`, megabytes: 154,
  install: (folder) => installPythonPackages(folder, [`openai==${OPENAI}`, `openai-agents==${AGENTS}`, `pydantic-ai-slim[openai]==${PYDANTIC_AI}`]),
};

const BY_ITEMS: Scene = { ...TWO_TURNS, prints: 'I must look. | Let me see. | weather {"city":"Zürich"} | clock {} | Warm. | 18 degrees at noon.' };
const BY_SCHEMA = bySchema('city=\'Zürich\' degrees=18');
const REFUSED: Scene = { turns: [], requests: 0, key: WRONG_KEY, prints: 'AuthenticationError 401 invalid_api_key' };
// With an unknown model, pydantic-ai puts reasoning into the text, so no signature is returned.
const UNSIGNED: Scene = { ...TWO_TURNS, keepsSignature: false };
const KNOWN: Scene = { ...TWO_TURNS, model: KNOWN_NAME };

/** What programs print if the upstream fails before the first output; `BROKEN`: if it fails in mid-stream. */
const UNAVAILABLE = '| InternalServerError provider_unavailable';
const BROKEN = 'Half | APIError provider_unavailable';

function openaiRows(kind: ScriptedKind): readonly Row[] {
  const [atOnce, inTheMiddle] = [failsAtOnce(kind), breaksOff(kind)];
  return [
    { title: 'responses.create with reasoning, two calls and previous_response_id', name: 'openai_create', scene: BY_ITEMS },
    { title: 'responses.stream with reasoning, two calls and previous_response_id', name: 'openai_stream', scene: BY_ITEMS },
    { title: 'responses.parse', name: 'openai_parse', scene: BY_SCHEMA },
    { title: 'responses.stream with a type to parse', name: 'openai_parse_stream', scene: BY_SCHEMA },
    { title: 'responses that fail at once', name: 'openai_errors', scene: { turns: [atOnce, atOnce, atOnce], requests: 3, prints: [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE].join('; ') } },
    { title: 'responses that fail in the middle', name: 'openai_errors', scene: { turns: [inTheMiddle, inTheMiddle, inTheMiddle], requests: 3, prints: [UNAVAILABLE, BROKEN, BROKEN].join('; ') } },
    { title: 'a wrong key', name: 'openai_wrong_key', scene: REFUSED },
    ...repetitions(kind, [
      { title: 'responses.create', name: 'openai_create_again', scene: BY_ITEMS }, { title: 'responses.stream', name: 'openai_stream_again', scene: BY_ITEMS },
    ]),
  ];
}

function agentsRows(kind: ScriptedKind): readonly Row[] {
  const served: readonly Row[] = [
    { title: 'two tools and an answer, whole', name: 'agents_run', scene: TWO_TURNS }, { title: 'two tools and an answer, streamed', name: 'agents_stream', scene: TWO_TURNS },
  ];
  return [
    ...served,
    { title: 'an output type', name: 'agents_output', scene: BY_SCHEMA },
    { title: 'a stream that fails in the middle', name: 'agents_error', scene: { turns: [breaksOff(kind)], requests: 1, prints: `${BROKEN}\n\nError streaming response` } },
    ...repetitions(kind, served),
  ];
}

function pydanticRows(kind: ScriptedKind): readonly Row[] {
  const served: readonly Row[] = [
    { title: 'two tools and an answer, whole, under an unknown name', name: 'pydantic_run', scene: UNSIGNED },
    { title: `two tools and an answer, streamed, under ${KNOWN_NAME}`, name: 'pydantic_stream', scene: KNOWN },
  ];
  return [
    ...served,
    { title: 'a native output type', name: 'pydantic_output', scene: BY_SCHEMA },
    { title: 'a stream that fails in the middle', name: 'pydantic_error', scene: { turns: [breaksOff(kind)], requests: 1, prints: 'Half | ModelOverloadedError The model stopped before the end of its reply.' } },
    ...repetitions(kind, served),
  ];
}

/** Checks of the official SDK and of two agent frameworks in the responses format. */
export function pythonAgentChecks(kind: ScriptedKind): readonly Check<ScriptedWorld>[] {
  const program = fileURLToPath(new URL('../python/agent_checks.py', import.meta.url));
  const checksOf = (client: string, rows: readonly Row[]): readonly Check<ScriptedWorld>[] => rows.map(({ title, name, scene }) => ({
    title: `Python ${client}, upstream ${kind}: ${title}`, peer: AGENT_PEER, run: (world, peerFolder) => play(world, scene, { command: pythonIn(peerFolder), argv: [program, name] }),
  }));
  return [
    ...checksOf(`openai ${OPENAI}`, openaiRows(kind)), ...checksOf(`openai-agents ${AGENTS}`, agentsRows(kind)), ...checksOf(`pydantic-ai ${PYDANTIC_AI}`, pydanticRows(kind)),
  ];
}
