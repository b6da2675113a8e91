import { readdirSync, readFileSync } from 'node:fs';

const BYTES_PER_KIBIBYTE = 1024;

/** What the operating system says of a process. Linux only. */
export interface ProcessFigures {
  readonly residentBytes: number;
  readonly descriptors: number;
}

/** Throws when the process has ended. */
export function readProcessFigures(pid: number): ProcessFigures {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`process ${pid} has ended`);
  return { residentBytes: Number(kibibytes) * BYTES_PER_KIBIBYTE, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}
