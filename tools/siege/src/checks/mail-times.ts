import { setTimeout as wait } from 'node:timers/promises';
import type { MailServer } from '@tollgate/testkit/mail-server';
import type { Goal } from './goal.js';

const MILLISECONDS_PER_SECOND = 1000;
const MAX_WAIT_MILLISECONDS = 120_000;
const HIGHEST_MILLISECONDS = 5000;
const LOOK_MILLISECONDS = 20;

/** Milliseconds from the beginning of `act` until its message arrives; `null` if none arrives. */
export async function mailMilliseconds(server: MailServer, email: string, act: () => Promise<unknown>): Promise<number | null> {
  const received = (): number => server.received.filter(({ to }) => to.includes(email)).length;
  const before = received();
  const startedAt = performance.now();
  await act();
  while (performance.now() - startedAt < MAX_WAIT_MILLISECONDS) {
    if (received() > before) return performance.now() - startedAt;
    await wait(LOOK_MILLISECONDS);
  }
  return null;
}

export function mailGoal(subject: string, milliseconds: number | null, remark = ''): Goal {
  return {
    what: `${subject}mailed within ${HIGHEST_MILLISECONDS / MILLISECONDS_PER_SECOND} s`,
    reached: `${milliseconds === null ? 'not at all' : `${Math.round(milliseconds)} ms`}${remark}`,
    isMet: milliseconds !== null && milliseconds < HIGHEST_MILLISECONDS,
  };
}
