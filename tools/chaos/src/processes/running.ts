import type { ChildProcess } from 'node:child_process';

/** Everything that was started and has not ended. */
const running = new Set<ChildProcess>();

/** Takes note of a process, so that it does not outlive the run. */
export function track(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Ends every process of the run at once. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}
