import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScriptedReply } from '@tollgate/testkit/programs';
import { type Check, expectThat, type Peer } from './checks.js';
import { CLAUDE_CODE_RELEASES } from './claude-code-checks.js';
import { CODEX_PEER, codexProgram, CODEX_VERSION } from './codex-checks.js';
import { type ProgramResult, runProgram } from './programs.js';
import { modelNameOf, nextOf, type Say, SEALED, STRICT_VENDORS, type StrictFormat, type StrictRequest, type StrictWorld } from './strict-world.js';

const TIMEOUT_MILLISECONDS = 90_000;

/** A tool name that has 70 characters with the prefix `mcp__house__` of the agent. */
const LONG_TOOL = 'looks_up_how_many_degrees_a_city_of_the_world_has_at_night';
const TOOL_SERVER = fileURLToPath(new URL('../node/tool-server.mjs', import.meta.url));

interface Prompt {
  readonly model: string;
  readonly isFirst: boolean;
}

/** An agent whose session continues over several runs of its program. */
interface Agent {
  readonly name: string;
  readonly peer: Peer;
  readonly shell: { readonly tool: RegExp; readonly input: (command: string) => object };
  readonly ask: (world: StrictWorld, peerFolder: string, prompt: Prompt) => Promise<ProgramResult>;
}

function projectOf({ folder }: StrictWorld): string {
  return join(folder, 'project');
}

function claudeCode({ version, peer, program }: (typeof CLAUDE_CODE_RELEASES)[number]): Agent {
  return {
    name: `Claude Code ${version}`,
    peer,
    shell: { tool: /^Bash$/, input: (command) => ({ command, description: 'Runs a command' }) },
    ask: (world, peerFolder, { model, isFirst }) => {
      const config = join(world.folder, 'tools.json');
      writeFileSync(config, JSON.stringify({ mcpServers: { house: { command: process.execPath, args: [TOOL_SERVER, LONG_TOOL] } } }));
      const [command, ...argv] = program(peerFolder);
      return runProgram({
        command, folder: projectOf(world), timeoutMilliseconds: TIMEOUT_MILLISECONDS,
        argv: [
          ...argv, '-p', 'Do as you are told.', '--model', model, '--mcp-config', config, '--strict-mcp-config', '--allowedTools', 'Bash', `mcp__house__${LONG_TOOL}`, ...(isFirst ? [] : ['--continue']),
        ],
        environment: {
          HOME: world.folder, ANTHROPIC_BASE_URL: world.baseUrl, ANTHROPIC_API_KEY: world.key, ANTHROPIC_SMALL_FAST_MODEL: model, ANTHROPIC_DEFAULT_HAIKU_MODEL: model, MAX_THINKING_TOKENS: '2048', ENABLE_TOOL_SEARCH: 'false',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1', DISABLE_ERROR_REPORTING: '1',
        },
      });
    },
  };
}

const CODEX: Agent = {
  name: `Codex ${CODEX_VERSION}`,
  peer: CODEX_PEER,
  shell: { tool: /^exec_command$/, input: (cmd) => ({ cmd }) },
  ask: (world, peerFolder, { model, isFirst }) => {
    const home = join(world.folder, 'home');
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'config.toml'), [
      `model = "${model}"`, 'model_provider = "tollgate"', 'check_for_update_on_startup = false', 'model_reasoning_effort = "high"', 'model_supports_reasoning_summaries = true',
      '[analytics]', 'enabled = false',
      '[model_providers.tollgate]', 'name = "Tollgate"', `base_url = "${world.baseUrl}/v1"`, 'env_key = "TOLLGATE_KEY"', 'wire_api = "responses"',
      '[mcp_servers.house]', `command = ${JSON.stringify(process.execPath)}`, `args = ${JSON.stringify([TOOL_SERVER, LONG_TOOL])}`, '',
    ].join('\n'));
    return runProgram({
      command: process.execPath, folder: projectOf(world), timeoutMilliseconds: TIMEOUT_MILLISECONDS,
      argv: [...codexProgram(peerFolder), 'exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', ...(isFirst ? [] : ['resume', '--last']), 'Do as you are told.'],
      environment: { HOME: home, CODEX_HOME: home, TOLLGATE_KEY: world.key },
    });
  },
};

/** What the model does until it answers, and which vendor is requested. */
interface SessionTurn {
  readonly title: string;
  readonly format: StrictFormat;
  /** Replies of the model; the last one is an answer. */
  readonly says: readonly Say[];
  readonly answer: string;
  /** True if the requested vendor fails once, so that the next one serves. */
  readonly fails?: boolean;
  /** Minimum number of the vendor's sealed items in the last request of the turn. */
  readonly keeps?: Readonly<Record<StrictFormat, number>>;
}

/**
 * By vendor, the minimum number of sealed items that remain from the first three turns: a text, and two turns with calls, of which the second reasons
 * twice.
 */
const KEPT = { 'messages': 2, 'chat': 0, 'signed-chat': 2, 'responses': 4 };

const REASONING: ScriptedReply = { reasoning: ['I must ', 'look.'] };

function answers(text: string): Say {
  return () => ({ ...REASONING, text: [text.slice(0, 4), text.slice(4)] });
}

function calledName(offered: readonly string[], wanted: RegExp): string {
  const name = offered.find((one) => wanted.test(one));
  if (name === undefined) throw new Error(`no offered tool matches ${wanted.source}: ${offered.join(', ')}`);
  return name;
}

/** Ten turns: eight with the model of one vendor, two with that of the next. In one of the eight, the vendor fails, so that the next one serves. */
function turnsOf(home: StrictFormat, { shell }: Agent): readonly SessionTurn[] {
  let calls = 0;
  const callOf = (offered: readonly string[], tool: RegExp, input: object): NonNullable<ScriptedReply['toolCalls']>[number] => {
    calls += 1;
    const json = JSON.stringify(input);
    return { id: `call_${calls}`, name: calledName(offered, tool), arguments: [json.slice(0, 9), json.slice(9)] };
  };
  const runs = (reply: ScriptedReply, ...commands: readonly string[]): Say => (offered) => ({
    ...reply, toolCalls: commands.map((command) => callOf(offered, shell.tool, shell.input(command))), toolCallOrder: 'interleaved',
  });
  const looksUp: Say = (offered) => ({ ...REASONING, toolCalls: [callOf(offered, /house.*looks_up/, { city: 'Zürich' })] });
  const away = nextOf(home);
  const interleaved: ScriptedReply = { ...REASONING, text: 'First both. ', laterReasoning: { text: ['Both at ', 'once.'] } };
  return [
    { title: 'an answer', format: home, says: [answers('One.')], answer: 'One.' },
    { title: 'a call', format: home, says: [runs({ ...REASONING, text: 'I look.' }, 'echo marker-$((1+1))'), answers('Two. \n\n')], answer: 'Two.' },
    { title: 'two calls after interleaved reasoning', format: home, says: [runs(interleaved, 'echo marker-$((1+2))', 'echo marker-$((2+2))'), answers('Three.')], answer: 'Three.', keeps: KEPT },
    { title: 'a tool with a long name', format: home, says: [looksUp, answers('Four.')], answer: 'Four.' },
    { title: 'calls one after the other', format: home, says: [runs(REASONING, 'echo marker-$((2+3))'), runs({}, 'echo marker-$((3+3))'), answers('Five.')], answer: 'Five.' },
    { title: 'another model', format: away, says: [runs(interleaved, 'echo marker-$((3+4))', 'echo marker-$((4+4))'), answers('Six.')], answer: 'Six.' },
    { title: 'a tool with a long name on the other model', format: away, says: [looksUp, answers('Seven.')], answer: 'Seven.' },
    { title: 'the first model again', format: home, says: [runs(interleaved, 'echo marker-$((4+5))'), answers('Eight.')], answer: 'Eight.' },
    { title: 'a fallback in the middle', format: home, fails: true, says: [runs(interleaved, 'echo marker-$((5+5))', 'echo marker-$((5+6))'), answers('Nine.')], answer: 'Nine.' },
    { title: 'after the fallback', format: home, says: [runs(interleaved, 'echo marker-$((6+6))'), looksUp, answers('Ten.')], answer: 'Ten.' },
  ];
}

function expectTurn(turn: SessionTurn, { exitCode, output }: ProgramResult, { vendors }: StrictWorld): void {
  const complaints = vendors.takeComplaints();
  expectThat(complaints.length === 0, `no complaint in the turn "${turn.title}"`, complaints.join('\n'));
  expectThat(exitCode === 0 && output.includes(turn.answer) && vendors.left === 0, `"${turn.answer}" in the turn "${turn.title}"`, `exit ${exitCode ?? 'none'}, ${vendors.left} replies left, ${output.slice(-1500)}`);
}

function expectKept({ rawBody }: StrictRequest = { format: 'chat', rawBody: '' }, least: number): void {
  const seals = rawBody.match(SEALED)?.length ?? 0;
  expectThat(seals >= least, `${least} sealed pieces in what the vendor is sent`, `${seals} in ${rawBody.slice(-2000)}`);
}

async function holdSession(world: StrictWorld, peerFolder: string, { agent, home }: { readonly agent: Agent; readonly home: StrictFormat }): Promise<string> {
  mkdirSync(projectOf(world), { recursive: true });
  const { vendors } = world;
  const before = vendors.requests.length;
  for (const [number, turn] of turnsOf(home, agent).entries()) {
    vendors.script(...turn.says);
    if (turn.fails === true) vendors.failOnce(turn.format);
    const begun = vendors.requests.length;
    expectTurn(turn, await agent.ask(world, peerFolder, { model: modelNameOf(turn.format), isFirst: number === 0 }), world);
    if (turn.keeps !== undefined) expectKept(vendors.requests.slice(begun).at(-1), turn.keeps[turn.format]);
  }
  const requests = vendors.requests.slice(before);
  const last = requests.at(-1)?.rawBody ?? '';
  const lost = Array.from({ length: 11 }, (_, number) => `marker-${number + 2}`).filter((marker) => !last.includes(marker));
  expectThat(lost.length === 0, 'all that the tools said in the last request', `it without ${lost.join(', ')}`);
  return `10 turns, ${requests.length} requests: ${STRICT_VENDORS.map((format) => `${requests.filter((request) => request.format === format).length} ${format}`).join(', ')}`;
}

/** Checks of ten-turn sessions with vendors that enforce their published rules. */
export const SESSION_CHECKS: readonly Check<StrictWorld>[] = [...CLAUDE_CODE_RELEASES.map(claudeCode), CODEX].flatMap((agent) => STRICT_VENDORS.map((home): Check<StrictWorld> => ({
  title: `${agent.name}, strict vendor of ${home}: ten turns with tools, another model and a fallback`, peer: agent.peer, run: (world, folder) => holdSession(world, folder, { agent, home }),
})));
