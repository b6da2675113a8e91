import { type ChildProcess, execFileSync } from 'node:child_process';

/** Numbers of the processes that one has started and that still run. */
function childrenOf(pid: number): readonly number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return processes.map((line) => line.trim().split(/\s+/).map(Number)).filter(([, parent]) => parent === pid).map(([child]) => child ?? pid);
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (thrown) {
    // It has ended since it was listed.
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
}

/** Sends a signal to a process and to those it has started, itself first, so that it starts no more in between. */
export function signalFamily({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  sendTo(pid, signal);
  for (const child of childrenOf(pid)) sendTo(child, signal);
}
