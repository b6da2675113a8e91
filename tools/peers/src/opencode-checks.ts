import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, expectThat, type Peer, WRONG_KEY } from './checks.js';
import { installNpmPackage, runProgram } from './programs.js';
import { expectOnce, script, type ScriptedKind, type ScriptedRun, type ScriptedWorld, signatureIn, SIGNED, toldOf, UNKNOWN_NAME, watched } from './scripted-world.js';

const VERSION = '1.18.33';
/** Package with the program for this platform. */
const PACKAGE = `opencode-${process.platform}-${process.arch}`;
const TIMEOUT_MILLISECONDS = 180_000;
/** Time within which the program must end after a refusal. It is long, because the program starts slowly on a busy machine. */
const MAX_REFUSAL_SECONDS = 30;

const PEER: Peer = { id: `opencode-${VERSION}`, megabytes: 177, install: (folder) => installNpmPackage(folder, PACKAGE, VERSION) };

function projectOf({ folder }: ScriptedWorld): string {
  return join(folder, 'project');
}

/** Runs the agent with its provider `openai`, and with a home folder of its own. */
function ask(world: ScriptedWorld, peerFolder: string, { key = world.key, arguments: more = [] }: { readonly key?: string; readonly arguments?: readonly string[] } = {}): Promise<ScriptedRun> {
  const [home, project] = [join(world.folder, 'home'), projectOf(world)];
  for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
  const model = `openai/${UNKNOWN_NAME}`;
  const openai = {
    options: { baseURL: `${world.baseUrl}/v1`, apiKey: '{env:KEY}' },
    models: { [UNKNOWN_NAME]: { name: 'House model', reasoning: true, tool_call: true, limit: { context: 128_000, output: 8192 } } },
  };
  writeFileSync(join(project, 'opencode.json'), JSON.stringify({ provider: { openai }, model, small_model: model, share: 'disabled', autoupdate: false, snapshot: false }));
  return watched(world, () => runProgram({
    command: join(peerFolder, 'node_modules', PACKAGE, 'bin/opencode'), argv: ['run', '--title', 'A check', '--auto', ...more, 'Do as you are told.'],
    folder: project, timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    environment: {
      HOME: home, KEY: key, OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_DEFAULT_PLUGINS: '1', OPENCODE_DISABLE_SHARE: '1',
    },
  }));
}

function bash(id: string, command: string): { readonly id: string; readonly name: string; readonly arguments: readonly string[] } {
  const json = JSON.stringify({ command, description: 'Runs a command' });
  return { id, name: 'bash', arguments: [json.slice(0, 9), json.slice(9)] };
}

async function shellRoundTrip(world: ScriptedWorld, folder: string): Promise<string> {
  const calls = [bash('call_1', 'echo marker-$((40+2)) | tee made.txt'), bash('call_2', 'echo second-$((1+1))')];
  script(world,
    { ...SIGNED, text: 'First the shell.', toolCalls: calls, toolCallOrder: 'interleaved' },
    { text: ['All ', 'done.'] }, { text: ['And ', 'again.'] });
  const first = await ask(world, folder);
  expectThat(first.exitCode === 0 && first.sent.length === 2 && first.output.includes('All done.'), 'the answer after 2 requests', toldOf(first));
  const kept = ['I must look.', ...signatureIn(world), 'First the shell.', 'marker-42\n', 'second-2\n'];
  expectOnce(first.sent[1], kept);
  expectThat(readFileSync(join(projectOf(world), 'made.txt'), 'utf8') === 'marker-42\n', 'the file that the command makes', 'another');
  const second = await ask(world, folder, { arguments: ['--continue'] });
  expectThat(second.exitCode === 0 && second.sent.length === 1 && second.output.includes('And again.'), 'the answer after another request', toldOf(second));
  expectOnce(second.sent[0], [...kept, 'All done.']);
  return toldOf(first, 'All done.');
}

async function wrongKey(world: ScriptedWorld, folder: string): Promise<string> {
  const run = await ask(world, folder, { key: WRONG_KEY });
  expectThat(run.exitCode !== null && run.seconds < MAX_REFUSAL_SECONDS && run.sent.length === 0, `an end within ${MAX_REFUSAL_SECONDS} s`, toldOf(run));
  const [told] = /The API key is not valid[^\n]*/.exec(run.output) ?? [];
  expectThat(told !== undefined, 'the gateway\'s message', toldOf(run));
  return toldOf(run, told);
}

/** Checks of opencode, whose provider `openai` uses the responses format. */
export function opencodeChecks(kind: ScriptedKind): readonly Check<ScriptedWorld>[] {
  const checkOf = (title: string, run: Check<ScriptedWorld>['run']): Check<ScriptedWorld> => ({ title: `opencode ${VERSION}, upstream ${kind}: ${title}`, peer: PEER, run });
  return [
    checkOf('runs two shell commands and continues the session', shellRoundTrip),
    checkOf('gives up with a wrong key, and shows the message', wrongKey),
  ];
}
