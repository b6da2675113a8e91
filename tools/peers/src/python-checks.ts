import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Behaviour, ScriptedReply } from '@tollgate/testkit/programs';
import { type Check, expectThat, type Peer, WRONG_KEY } from './checks.js';
import { installPythonPackages, pythonIn, runOrThrow, runProgram } from './programs.js';
import { breaksOff, expectOnce, expectSchema, KNOWN_NAME, script, type ScriptedKind, type ScriptedWorld, signatureIn, SIGNED, toldOf, UNKNOWN_NAME, watched } from './scripted-world.js';

const TIMEOUT_MILLISECONDS = 60_000;
const SDK_RELEASES = ['openai==3.54.0', 'anthropic==2.12.0'];

const SDK_PEER: Peer = { id: 'python-sdks', megabytes: 106, install: (folder) => installPythonPackages(folder, SDK_RELEASES) };

/** The functions of `python/sdk_checks.py`, each of which prints what it saw or raises. */
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

const OPENAI = '3.54.0';
const AGENTS = '0.24.0';
const PYDANTIC_AI = '2.68.0';

const AGENT_PEER: Peer = {
  id: `python-agents-${AGENTS}-${PYDANTIC_AI}`, megabytes: 154,
  install: (folder) => installPythonPackages(folder, [`openai==${OPENAI}`, `openai-agents==${AGENTS}`, `pydantic-ai-slim[openai]==${PYDANTIC_AI}`]),
};

/** What comes of one function of `python/agent_checks.py`, which prints what its user is told. */
interface Scene {
  readonly turns: readonly (ScriptedReply | Behaviour)[];
  /** All that it prints, on both outputs, so that a warning fails the check. */
  readonly prints: string;
  /** How many requests reach the upstream. */
  readonly requests: number;
  /** Texts that the last of them holds once each. */
  readonly lastHolds?: readonly string[];
  /** A property of the JSON Schema that is asked for. */
  readonly asksFor?: string;
  /** Whether the last of them holds the reasoning's signature, too. */
  readonly keepsSignature?: boolean;
  readonly key?: string;
  readonly model?: string;
}

const CALLS = [{ id: 'call_1', name: 'weather', arguments: ['{"city":', '"Zürich"}'] }, { id: 'call_2', name: 'clock', arguments: [] }];
const TWO_TURNS: Scene = {
  turns: [
    { ...SIGNED, text: ['Let me ', 'see.'], toolCalls: CALLS, toolCallOrder: 'interleaved' },
    { reasoning: ['Warm.'], reasoningSignature: 'signed-2', text: ['18 degrees ', 'at noon.'] },
  ],
  requests: 2, keepsSignature: true, lastHolds: ['I must look.', 'Let me see.', '18 degrees in Zürich', 'It is noon'], prints: '18 degrees at noon.',
};
const BY_ITEMS: Scene = { ...TWO_TURNS, prints: 'I must look. | Let me see. | weather {"city":"Zürich"} | clock {} | Warm. | 18 degrees at noon.' };
const BY_SCHEMA: Scene = { turns: [{ text: ['{"city": "Zü', 'rich", "degrees": 18}'] }], requests: 1, asksFor: 'degrees', prints: 'city=\'Zürich\' degrees=18' };
const REFUSED: Scene = { turns: [], requests: 0, key: WRONG_KEY, prints: 'AuthenticationError 401 invalid_api_key' };

function scenesOf(kind: ScriptedKind): readonly (readonly [client: string, title: string, name: string, scene: Scene])[] {
  const broken: Scene = { turns: [breaksOff(kind)], requests: 1, prints: 'Half | APIError provider_unavailable' };
  const [openai, agents, pydantic] = [`openai ${OPENAI}`, `openai-agents ${AGENTS}`, `pydantic-ai ${PYDANTIC_AI}`];
  return [
    [openai, 'responses.create with reasoning, two calls and previous_response_id', 'openai_create', BY_ITEMS],
    [openai, 'responses.stream with reasoning, two calls and previous_response_id', 'openai_stream', BY_ITEMS],
    [openai, 'responses.parse', 'openai_parse', BY_SCHEMA],
    [openai, 'responses.stream with a type to parse', 'openai_parse_stream', BY_SCHEMA],
    [openai, 'a stream that fails in the middle', 'openai_error', broken],
    [openai, 'a wrong key', 'openai_wrong_key', REFUSED],
    [agents, 'two tools and an answer, whole', 'agents_run', TWO_TURNS],
    [agents, 'two tools and an answer, streamed', 'agents_stream', TWO_TURNS],
    [agents, 'an output type', 'agents_output', BY_SCHEMA],
    // Under names that it does not know it puts reasoning into the text.
    [pydantic, 'two tools and an answer, whole, under an unknown name', 'pydantic_run', { ...TWO_TURNS, keepsSignature: false }],
    [pydantic, `two tools and an answer, streamed, under ${KNOWN_NAME}`, 'pydantic_stream', { ...TWO_TURNS, model: KNOWN_NAME }],
    [pydantic, 'a native output type', 'pydantic_output', BY_SCHEMA],
  ];
}

/** Runs a function of `python/agent_checks.py` by its name. */
async function play(name: string, { turns, requests, lastHolds = [], keepsSignature = false, asksFor, prints, key, model }: Scene, { world, peerFolder }: { readonly world: ScriptedWorld; readonly peerFolder: string }): Promise<string> {
  mkdirSync(world.folder, { recursive: true });
  script(world, ...turns);
  const program = fileURLToPath(new URL('../python/agent_checks.py', import.meta.url));
  const run = await watched(world, () => runProgram({
    command: pythonIn(peerFolder), argv: [program, name], folder: world.folder, timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    environment: { HOME: world.folder, OPENAI_BASE_URL: `${world.baseUrl}/v1`, OPENAI_API_KEY: key ?? world.key, MODEL: model ?? UNKNOWN_NAME, PYTHONUTF8: '1' },
  }));
  expectThat(run.exitCode === 0 && run.output === prints, prints, toldOf(run));
  expectThat(run.sent.length === requests, `${requests} requests upstream`, toldOf(run));
  expectOnce(run.sent.at(-1), [...lastHolds, ...(keepsSignature ? signatureIn(world) : [])]);
  if (asksFor !== undefined) expectSchema(world, run, asksFor);
  return toldOf(run, prints);
}

/** Python clients of the responses format: the official SDK, and two frameworks for agents as they come. */
export function pythonAgentChecks(kind: ScriptedKind): readonly Check<ScriptedWorld>[] {
  return scenesOf(kind).map(([client, title, name, scene]) => ({
    title: `Python ${client}, upstream ${kind}: ${title}`, peer: AGENT_PEER, run: (world, peerFolder) => play(name, scene, { world, peerFolder }),
  }));
}
