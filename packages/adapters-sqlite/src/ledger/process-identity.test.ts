import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { isKnownDead, ownIdentity, type ProcessIdentity } from './process-identity.js';

/** True if the system reports when a process started. Otherwise any process with the recorded id is taken for the recorded one. */
const SYSTEM_TELLS = existsSync('/proc/self/stat');

async function knownDead(identity: ProcessIdentity): Promise<void> {
  while (!isKnownDead(identity)) await nextTurn();
}

describe('the identity of a process', () => {
  it('does not count as dead while the process runs', () => {
    expect(isKnownDead(ownIdentity())).toBe(false);
  });

  it('never counts as dead if recorded on another machine', () => {
    expect(isKnownDead({ ...ownIdentity(), host: 'elsewhere.invalid', startMarker: 'another' })).toBe(false);
  });

  it('has a start marker if and only if the system reports one', () => {
    expect(ownIdentity().startMarker !== null).toBe(SYSTEM_TELLS);
  });

  it('matches a running process even if recorded without a start marker', () => {
    expect(isKnownDead({ ...ownIdentity(), startMarker: null })).toBe(false);
  });

  it('differs from that of a later process with the same id, if the system reports when they started', () => {
    expect(isKnownDead({ ...ownIdentity(), startMarker: 'another' })).toBe(SYSTEM_TELLS);
  });

  it('counts as dead once the process has exited and been reaped', async () => {
    const child = spawn('/bin/sh', ['-c', 'exit']);
    await once(child, 'exit');
    expect(isKnownDead({ host: hostname(), pid: child.pid ?? ownIdentity().pid, startMarker: null })).toBe(true);
  });

  it('of an exited child counts as dead once its parent has reaped it, and earlier if the system reports the exit', async () => {
    const parent = spawn('/bin/sh', ['-c', 'sh -c "echo \\$\\$" & exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [said] = (await once(parent.stdout, 'data')) as [Buffer];
      const child = { host: hostname(), pid: Number(said.toString()), startMarker: null };
      if (SYSTEM_TELLS) await knownDead(child);
      expect(isKnownDead(child)).toBe(SYSTEM_TELLS);
      expect(existsSync(`/proc/${child.pid}`)).toBe(SYSTEM_TELLS);
      parent.kill();
      await once(parent, 'exit');
      await knownDead(child);
    } finally {
      parent.kill();
    }
  });
});
