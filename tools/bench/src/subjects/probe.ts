import { Session } from 'node:inspector/promises';
import { writeFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ProbeAnswer, ProbeQuestion } from './subject.js';

// The bench loads this file into every measured process. It sends figures of the operating system and the runtime when the bench asks for them, and
// does nothing otherwise.

/** Resolution of the event loop delay; a finer one would cost measurable CPU time. */
const LOOP_RESOLUTION_MILLISECONDS = 5;
const SAMPLING_INTERVAL_MICROSECONDS = 200;
const NANOSECONDS_PER_MILLISECOND = 1e6;

const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MILLISECONDS });
const session = new Session();

/** Delay in milliseconds. The histogram holds times between ticks, so the resolution is subtracted. */
function delay(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NANOSECONDS_PER_MILLISECOND - LOOP_RESOLUTION_MILLISECONDS);
}

function sample(): ProbeAnswer {
  const { user, system } = process.cpuUsage();
  return { kind: 'sample', cpuMicroseconds: user + system, residentBytes: process.memoryUsage.rss(), at: performance.now() };
}

function endLoopWatch(): ProbeAnswer {
  loop.disable();
  return { kind: 'loop', p99Milliseconds: delay(loop.percentile(99)), longestMilliseconds: delay(loop.max) };
}

async function startProfile(): Promise<ProbeAnswer> {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_MICROSECONDS });
  await session.post('Profiler.start');
  return { kind: 'done' };
}

async function writeProfile(file: string): Promise<ProbeAnswer> {
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  await writeFile(file, JSON.stringify(profile));
  return { kind: 'done' };
}

async function answer(question: ProbeQuestion): Promise<ProbeAnswer> {
  switch (question.ask) {
    case 'sample': return sample();
    case 'watch-loop':
      loop.reset();
      loop.enable();
      return { kind: 'done' };
    case 'loop': return endLoopWatch();
    case 'start-profile': return startProfile();
    case 'write-profile': return writeProfile(question.file);
  }
}

process.on('message', (message: object) => {
  // All other messages are for the bench's own programs.
  if (!('ask' in message)) return;
  void answer(message as ProbeQuestion).then((given) => process.send?.(given));
});
// The channel must not keep a process alive that has finished.
process.channel?.unref();
