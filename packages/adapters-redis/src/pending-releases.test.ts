import { describe, expect, it } from '@jest/globals';
import type { AdmissionTicket, Instant } from '@tollgate/core';
import { type PendingRelease, PendingReleases } from './pending-releases.js';

const at = (milliseconds: number): Instant => milliseconds as Instant;
const release = (name: string, until: Instant | null): PendingRelease => ({ ticket: name as AdmissionTicket, end: { kind: 'undone' }, until });

async function sent(pending: PendingReleases, now: Instant): Promise<readonly string[]> {
  const tickets: string[] = [];
  await pending.sendAll(now, ({ ticket }) => {
    tickets.push(ticket);
    return Promise.resolve();
  });
  return tickets;
}

describe('a queued release', () => {
  it('is sent once', async () => {
    const pending = new PendingReleases();
    pending.keep(release('a', null));
    expect(await sent(pending, at(0))).toEqual(['a']);
    expect(await sent(pending, at(0))).toEqual([]);
  });

  it('is sent however late, unless Redis has freed the slot itself by then', async () => {
    const pending = new PendingReleases();
    for (const each of [release('a', null), release('b', at(100)), release('c', at(101))]) pending.keep(each);
    expect(await sent(pending, at(100))).toEqual(['a', 'c']);
  });

  it('is queued again after a failure, and dropped once its slot’s lease has expired', async () => {
    const pending = new PendingReleases();
    pending.keep(release('b', at(100)));
    const keepAgain = (each: PendingRelease): Promise<void> => Promise.resolve(pending.keep(each));
    await pending.sendAll(at(99), keepAgain);
    await pending.sendAll(at(100), keepAgain);
    expect(await sent(pending, at(0))).toEqual([]);
  });
});
