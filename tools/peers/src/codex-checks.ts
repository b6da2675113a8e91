import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@tollgate/testkit/programs';
import { type Check, expectThat, type Peer, WRONG_KEY } from './checks.js';
import { installNpmPackage, runProgram } from './programs.js';
import {
  breaksOff, CODE_NAME, DAILY_CAP, expectSchema, expectOnce, failsAtOnce, KNOWN_NAME, refusalsLogged, refusedAtFirst, script, type ScriptedKind, type ScriptedRun, type ScriptedWorld, signatureIn,
  SIGNED, toldOf, UNKNOWN_NAME, watched,
} from './scripted-world.js';

const PACKAGE = '@openai/codex';
export const CODEX_VERSION = '0.171.0';
const TIMEOUT_MILLISECONDS = 90_000;
/** Number of attempts that Codex makes for a refused request, unless the refusal is permanent. */
const TRIES = 6;
const MAX_GIVING_UP_SECONDS = 15;
const AT_ONCE_SECONDS = 5;

export const CODEX_PEER: Peer = { id: `codex-${CODEX_VERSION}`, megabytes: 404, install: (folder) => installNpmPackage(folder, PACKAGE, CODEX_VERSION) };

export function codexProgram(peerFolder: string): readonly string[] {
  return [join(peerFolder, 'node_modules', PACKAGE, 'bin/codex.js')];
}

interface Prompt {
  readonly key?: string;
  readonly model?: string;
  /** Lines that are added to the common configuration. */
  readonly settings?: readonly string[];
  readonly arguments?: readonly string[];
}

interface CodexRun extends ScriptedRun {
  /** Number of retries that Codex has reported. */
  readonly retries: number;
}

/** Runs Codex with a home folder and a working folder of its own. */
async function ask(world: ScriptedWorld, peerFolder: string, { key = world.key, model = UNKNOWN_NAME, settings = [], arguments: more = [] }: Prompt = {}): Promise<CodexRun> {
  const home = join(world.folder, 'home');
  for (const folder of [home, projectOf(world)]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, 'config.toml'), [
    `model = "${model}"`, 'model_provider = "tollgate"', 'check_for_update_on_startup = false', ...settings, '[analytics]', 'enabled = false',
    '[model_providers.tollgate]', 'name = "Tollgate"', `base_url = "${world.baseUrl}/v1"`, 'env_key = "TOLLGATE_KEY"', 'wire_api = "responses"', '',
  ].join('\n'));
  const run = await watched(world, () => runProgram({
    command: process.execPath,
    argv: [...codexProgram(peerFolder), 'exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', ...more, 'Do as you are told.'],
    folder: projectOf(world), environment: { HOME: home, CODEX_HOME: home, TOLLGATE_KEY: key }, timeoutMilliseconds: TIMEOUT_MILLISECONDS,
  }));
  return { ...run, retries: new Set(run.output.match(/Reconnecting\.\.\. \d/g)).size };
}

type Run = Check<ScriptedWorld>['run'];

function projectOf({ folder }: ScriptedWorld): string {
  return join(folder, 'project');
}

function shell(id: string, command: string): { readonly id: string; readonly name: string; readonly arguments: readonly string[] } {
  const json = JSON.stringify({ cmd: command });
  return { id, name: 'exec_command', arguments: [json.slice(0, 7), json.slice(7)] };
}

function seen(run: CodexRun, words: string = run.output.slice(-1500)): string {
  return `${run.retries} retries, ${toldOf(run, words)}`;
}

/** Expects that Codex succeeded without a retry after this number of requests. */
function expectServed(run: CodexRun, requests: number, answer: string): void {
  expectThat(run.exitCode === 0 && run.retries === 0 && run.sent.length === requests, `success after ${requests} requests`, seen(run));
  expectThat(run.output.startsWith(answer), `the answer "${answer}"`, seen(run));
  expectThat(!/unsupported call|aborted|without active item/.test(run.output), 'no complaint', seen(run));
}

const PATCH = ['*** Begin Patch', '*** Update File: a.txt', '@@', '-old line', '+new "line" \u{1F600}', ' second "é"', '*** End Patch', ''].join('\n');

async function shellRoundTrip(world: ScriptedWorld, folder: string): Promise<string> {
  script(world, { ...SIGNED, text: 'First the shell.', toolCalls: [shell('call_1', 'echo marker-$((40+2)) | tee made.txt')] }, { text: ['All ', 'done.'] });
  const run = await ask(world, folder);
  expectServed(run, 2, 'All done.');
  expectOnce(run.sent[1], ['I must look.', ...signatureIn(world), 'First the shell.', 'marker-42\n']);
  expectThat(readFileSync(join(projectOf(world), 'made.txt'), 'utf8') === 'marker-42\n', 'the file that the command makes', 'another');
  return seen(run, 'All done.');
}

async function patchAndParallelCalls(world: ScriptedWorld, folder: string): Promise<string> {
  mkdirSync(projectOf(world), { recursive: true });
  const file = join(projectOf(world), 'a.txt');
  writeFileSync(file, 'old line\nsecond "é"\n');
  const input = JSON.stringify({ input: PATCH });
  script(world,
    { ...SIGNED, toolCalls: [{ id: 'call_1', name: 'apply_patch', arguments: input.match(/.{1,5}/gsu) ?? [] }] },
    { toolCalls: [shell('call_2', 'echo two-$((1+1))'), shell('call_3', 'echo three-$((1+2))'), { id: 'call_4', name: 'get_goal', arguments: [] }], toolCallOrder: 'interleaved' },
    { text: 'Patched.' });
  const run = await ask(world, folder, { model: KNOWN_NAME });
  expectServed(run, 3, 'Patched.');
  expectThat(!run.output.includes('Model metadata'), 'no warning', seen(run));
  expectOnce(run.sent[2], ['Success. Updated the following files', 'two-2\n', 'three-3\n']);
  expectThat(readFileSync(file, 'utf8') === 'new "line" \u{1F600}\nsecond "é"\n', 'the patched file', readFileSync(file, 'utf8'));
  return seen(run, 'Patched.');
}

async function codeModeAndResumption(world: ScriptedWorld, folder: string): Promise<string> {
  const source = 'const done = await tools.exec_command({cmd: "echo marker-$((40+2))"});\ntext(done.output);\n';
  script(world,
    { ...SIGNED, toolCalls: [{ id: 'call_1', name: 'exec', arguments: [JSON.stringify({ input: source })] }, { id: 'call_2', name: 'collaboration__list_agents', arguments: ['{}'] }] },
    { text: 'Executed.' }, { text: 'Resumed.' });
  const first = await ask(world, folder, { model: CODE_NAME });
  expectServed(first, 2, 'Executed.');
  const kept = ['I must look.', ...signatureIn(world), 'marker-42\n', '"agent_name"'];
  expectOnce(first.sent[1], kept);
  const second = await ask(world, folder, { model: CODE_NAME, arguments: ['resume', '--last'] });
  expectServed(second, 1, 'Resumed.');
  expectOnce(second.sent[0], [...kept, 'Executed.']);
  return seen(second, 'Resumed.');
}

async function toolSearch(world: ScriptedWorld, folder: string): Promise<string> {
  script(world,
    { toolCalls: [{ id: 'call_1', name: 'tool_search', arguments: ['{"query":"wait for an agent"}'] }] },
    { toolCalls: [{ id: 'call_2', name: 'multi_agent_v1__wait_agent', arguments: ['{"targets":["nobody"]}'] }] },
    { text: 'Searched.' });
  const run = await ask(world, folder, { model: KNOWN_NAME });
  expectServed(run, 3, 'Searched.');
  const offers = run.sent.map((body) => body.includes('"name":"multi_agent_v1__wait_agent","description"'));
  expectThat(offers.join() === 'false,true,true', 'the found tool on offer from the second request on', offers.join());
  expectOnce(run.sent[2], ['invalid agent id nobody']);
  return seen(run, 'Searched.');
}

async function compaction(world: ScriptedWorld, folder: string): Promise<string> {
  const usage = { prompt_tokens: 30_000, completion_tokens: 100, total_tokens: 30_100 };
  script(world,
    { ...SIGNED, toolCalls: [shell('call_1', 'echo before-$((1+0))')], usage }, { text: 'SUMMARY of the work.' },
    { toolCalls: [shell('call_2', 'echo after-$((1+1))')] }, { text: 'Finished.' });
  const run = await ask(world, folder, { settings: ['model_auto_compact_token_limit = 20000'] });
  expectServed(run, 4, 'Finished.');
  expectThat(run.output.includes('context compacted'), 'a compaction', seen(run));
  expectOnce(run.sent[1], ['before-1\n', 'CONTEXT CHECKPOINT COMPACTION']);
  expectOnce(run.sent[3], ['SUMMARY of the work.', 'after-2\n']);
  return seen(run, 'Finished.');
}

async function outputSchema(world: ScriptedWorld, folder: string): Promise<string> {
  mkdirSync(projectOf(world), { recursive: true });
  const schema = { type: 'object', properties: { verdict: { type: 'string' } }, required: ['verdict'], additionalProperties: false };
  writeFileSync(join(projectOf(world), 'schema.json'), JSON.stringify(schema));
  script(world, { text: ['{"verdict":', '"good"}'] });
  const run = await ask(world, folder, { arguments: ['--output-schema', 'schema.json'] });
  expectServed(run, 1, '{"verdict":"good"}');
  expectSchema(world, run, 'verdict');
  return seen(run, '{"verdict":"good"}');
}

async function errorAtOnce(world: ScriptedWorld, folder: string): Promise<string> {
  script(world, failsAtOnce(world.kind), { ...SIGNED, text: ['Served ', 'after all.'] });
  const run = await ask(world, folder);
  expectServed(run, 2, 'Served after all.');
  return seen(run, 'Served after all.');
}

async function slotTaken(world: ScriptedWorld, folder: string): Promise<string> {
  const turns = [{ toolCalls: [shell('call_1', 'echo marker-$((40+2))')] }, { text: 'Served in turn.' }];
  const run = await refusedAtFirst(world, turns, () => ask(world, folder, { key: world.slotKey }));
  expectThat(run.exitCode === 0 && run.sent.length === 2 && run.output.startsWith('Served in turn.'), 'success after 2 requests', seen(run));
  expectOnce(run.sent[1], ['marker-42\n']);
  return seen(run, 'Served in turn.');
}

async function errorMidStream(world: ScriptedWorld, folder: string): Promise<string> {
  script(world, breaksOff(world.kind), { text: 'Whole after all.' });
  const run = await ask(world, folder);
  expectThat(run.exitCode === 0 && run.retries === 1 && run.sent.length === 2 && run.output.startsWith('Whole after all.'), 'success by one retry', seen(run));
  return seen(run, 'Whole after all.');
}

async function dailyCap(world: ScriptedWorld, folder: string): Promise<string> {
  const usage = { prompt_tokens: DAILY_CAP - 1000, completion_tokens: 900, total_tokens: DAILY_CAP - 100 };
  script(world, { text: 'The last one today.', usage });
  expectServed(await ask(world, folder, { key: world.cappedKey }), 1, 'The last one today.');
  const run = await ask(world, folder, { key: world.cappedKey });
  expectThat(run.exitCode === 1 && run.seconds < AT_ONCE_SECONDS && run.retries === 0 && run.sent.length === 0, `an end within ${AT_ONCE_SECONDS} s`, seen(run));
  const [told] = /usage limit. Try again at [^\n]*/.exec(run.output) ?? [];
  expectThat(told !== undefined, 'the time of the reset', seen(run));
  return seen(run, told);
}

interface Refusal {
  readonly keyOf: (world: ScriptedWorld) => string;
  readonly code: string;
  readonly message: RegExp;
}

/** Expects that Codex gives up in time, and shows the gateway's message. */
function givesUp({ keyOf, code, message }: Refusal): Run {
  return async (world, folder) => {
    const before = refusalsLogged(world, code);
    const run = await ask(world, folder, { key: keyOf(world) });
    const tries = (): number => refusalsLogged(world, code) - before;
    await until(() => tries() >= TRIES).catch(() => undefined);
    expectThat(tries() === TRIES, `${TRIES} requests that are refused with ${code}`, `${tries()}; ${seen(run)}`);
    expectThat(run.exitCode === 1 && run.seconds < MAX_GIVING_UP_SECONDS && run.sent.length === 0, `an end within ${MAX_GIVING_UP_SECONDS} s`, seen(run));
    const [told] = message.exec(run.output) ?? [];
    expectThat(told !== undefined, `the gateway's message, ${message.source}`, seen(run));
    return `${TRIES} refused, ${seen(run, told)}`;
  };
}

const RUNS: readonly (readonly [title: string, run: Run])[] = [
  ['runs a shell command under an unknown model name', shellRoundTrip],
  [`patches a file and calls tools in parallel under ${KNOWN_NAME}`, patchAndParallelCalls],
  [`calls tools in groups under ${CODE_NAME}, and resumes the session`, codeModeAndResumption],
  [`finds a tool by a search under ${KNOWN_NAME}, and calls it`, toolSearch],
  ['goes on after a compaction', compaction],
  ['gets an answer by a JSON Schema', outputSchema],
  ['repeats a request that failed at once', errorAtOnce],
  ['repeats a reply that broke off, once', errorMidStream],
  ['is served after it was refused for too many requests at the same time', slotTaken],
  ['stops at once at a daily cap, and tells when it ends', dailyCap],
  ['gives up with a wrong key, and shows the message', givesUp({ keyOf: () => WRONG_KEY, code: 'invalid_api_key', message: /The API key is not valid/ })],
  ['gives up without a balance, and shows the message', givesUp({ keyOf: ({ emptyKey }) => emptyKey, code: 'insufficient_balance', message: /needs at least [^\n]* available/ })],
];

/** Checks of Codex, which supports only the responses format. */
export function codexChecks(kind: ScriptedKind): readonly Check<ScriptedWorld>[] {
  return RUNS.map(([title, run]) => ({ title: `Codex ${CODEX_VERSION}, upstream ${kind}: ${title}`, peer: CODEX_PEER, run }));
}
