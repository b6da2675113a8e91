import { join } from 'node:path';
import { runTool, type Terminal, textOf } from '@tollgate/kit';

export interface World {
  /** URL of the gateway, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  readonly key: string;
  /** Folder for files of the check, empty at its start. */
  readonly folder: string;
}

/** A key that is well-formed, but unknown. */
export const WRONG_KEY = `sk-${'0'.repeat(48)}`;

/** A client or server to install; several checks may share it. */
export interface Peer {
  readonly id: string;
  /** Size of the download, approximately; printed before the installation. */
  readonly megabytes: number;
  /** Installs the peer, unless it is installed. */
  readonly install: (folder: string) => Promise<void>;
}

export interface Check<Situation extends World = World> {
  readonly title: string;
  readonly peer: Peer;
  /** Runs the check. Resolves with a description of what it saw; rejects with what was wrong. */
  readonly run: (world: Situation, peerFolder: string) => Promise<string>;
}

export function expectThat(holds: boolean, expected: string, seen: string): void {
  if (!holds) throw new Error(`expected ${expected}; saw ${seen}`);
}

export interface CheckResult {
  readonly title: string;
  /** `skipped` if the peer of the check cannot be installed here. */
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** What the check saw; what was wrong; or why it was skipped. */
  readonly seen: string;
}

interface CheckFolders {
  readonly peers: string;
  readonly work: string;
}

interface CheckRun<Situation extends World> {
  readonly world: Omit<Situation, 'folder'>;
  readonly folders: CheckFolders;
  readonly terminal: Terminal;
}

async function runCheck<Situation extends World>(check: Check<Situation>, world: Situation, peerFolder: string): Promise<CheckResult> {
  try {
    return { title: check.title, outcome: 'passed', seen: await check.run(world, peerFolder) };
  } catch (thrown) {
    return { title: check.title, outcome: 'failed', seen: textOf(thrown) };
  }
}

/** Installs a peer. Resolves with the reason if it cannot be installed; otherwise with `null`. */
async function installPeer(peer: Peer, peerFolder: string): Promise<string | null> {
  try {
    await peer.install(peerFolder);
    return null;
  } catch (thrown) {
    return `${peer.id} cannot be installed: ${textOf(thrown)}`;
  }
}

const MILLISECONDS_PER_SECOND = 1000;
const OUTCOMES = { passed: 'passed ', failed: 'FAILED ', skipped: 'skipped' } as const;

/** Runs the checks, and installs each peer before its first check. A failed check or a missing peer does not prevent the other checks. */
export async function runChecks<Situation extends World>(checks: readonly Check<Situation>[], { world, folders, terminal }: CheckRun<Situation>): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const missing = new Map<string, string | null>();
  for (const [position, check] of checks.entries()) {
    const { peer, title } = check;
    const peerFolder = join(folders.peers, peer.id);
    if (!missing.has(peer.id)) {
      terminal.progress(`Installing ${peer.id}, about ${peer.megabytes} MB unless it is there`);
      missing.set(peer.id, await installPeer(peer, peerFolder));
    }
    terminal.progress(`[${position + 1} of ${checks.length}] ${title}`);
    const begun = performance.now();
    const why = missing.get(peer.id) ?? null;
    const result: CheckResult = why === null
      ? await runCheck(check, { ...world, folder: join(folders.work, `${position}`) } as Situation, peerFolder)
      : { title, outcome: 'skipped', seen: why };
    const seconds = ((performance.now() - begun) / MILLISECONDS_PER_SECOND).toFixed(1);
    terminal.out(`${OUTCOMES[result.outcome]}  ${title} (${seconds} s)\n         ${result.seen.replaceAll('\n', '\n         ')}\n`);
    results.push(result);
  }
  return results;
}

const COULD_NOT_RUN = 2;

interface CheckProgram<Options> {
  readonly help: string;
  /** Returns `null` for the help; throws if an option is invalid. */
  readonly readOptions: (argv: readonly string[]) => Options | null;
  readonly run: (options: Options) => Promise<readonly CheckResult[]>;
}

/** Runs a program of checks. Exit codes: 0; 1 if a check failed; 2 if one could not run. */
export function runCheckTool<Options>({ help, readOptions, run }: CheckProgram<Options>): Promise<never> {
  return runTool(async (argv, { out }) => {
    const options = readOptions(argv);
    if (options === null) {
      out(help);
      return 0;
    }
    const results = await run(options);
    const count = (wanted: CheckResult['outcome']): number => results.filter(({ outcome }) => outcome === wanted).length;
    out(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped\n`);
    if (count('failed') > 0) return 1;
    return count('skipped') > 0 ? COULD_NOT_RUN : 0;
  }, COULD_NOT_RUN);
}
