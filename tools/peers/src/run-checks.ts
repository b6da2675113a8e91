import { join } from 'node:path';
import type { Check, World } from './check.js';

export interface CheckTerminal {
  readonly out: (text: string) => void;
  readonly progress: (text: string) => void;
}

export interface CheckResult {
  readonly title: string;
  readonly passed: boolean;
  /** What was seen, or what was wrong. */
  readonly seen: string;
}

/** Where things are kept: peers from run to run, working folders for one run. */
export interface CheckFolders {
  readonly peers: string;
  readonly work: string;
}

export interface CheckRun<Situation extends World> {
  readonly world: Omit<Situation, 'folder'>;
  readonly folders: CheckFolders;
  readonly terminal: CheckTerminal;
}

async function runCheck<Situation extends World>(check: Check<Situation>, world: Situation, peerFolder: string): Promise<CheckResult> {
  try {
    return { title: check.title, passed: true, seen: await check.run(world, peerFolder) };
  } catch (thrown) {
    return { title: check.title, passed: false, seen: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Runs checks one after the other, installing each peer before its first. A failed check does not stop the others. */
export async function runChecks<Situation extends World>(checks: readonly Check<Situation>[], { world, folders, terminal }: CheckRun<Situation>): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const installed = new Set<string>();
  for (const [position, check] of checks.entries()) {
    const { peer, title } = check;
    const peerFolder = join(folders.peers, peer.id);
    if (!installed.has(peer.id)) {
      terminal.progress(`Installing ${peer.id}, about ${peer.megabytes} MB unless it is there`);
      await peer.install(peerFolder);
      installed.add(peer.id);
    }
    terminal.progress(`[${position + 1} of ${checks.length}] ${title}`);
    const result = await runCheck(check, { ...world, folder: join(folders.work, `${position}`) } as Situation, peerFolder);
    terminal.out(`${result.passed ? 'passed' : 'FAILED'}  ${title}\n        ${result.seen.replaceAll('\n', '\n        ')}\n`);
    results.push(result);
  }
  return results;
}
