import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { isKnownDead, ownIdentity } from './process-identity.js';

const describeWhereTheSystemTells = existsSync('/proc/self/stat') ? describe : describe.skip;

describe('the identity of a process', () => {
  it('is not that of a dead one while it runs', () => {
    expect(isKnownDead(ownIdentity())).toBe(false);
  });

  it('tells nothing of a process on another machine', () => {
    expect(isKnownDead({ ...ownIdentity(), host: 'elsewhere.invalid', startMarker: 'another' })).toBe(false);
  });
});

describeWhereTheSystemTells('the identity of a process, where the system tells more than its number', () => {
  it('is not that of a later process with the same number', () => {
    expect(isKnownDead({ ...ownIdentity(), startMarker: 'another' })).toBe(true);
  });

  it('is that of a dead one although its parent has not taken notice yet', async () => {
    const parent = spawn('/bin/sh', ['-c', 'sh -c "echo \\$\\$" & exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [said] = (await once(parent.stdout, 'data')) as [Buffer];
    const child = { host: hostname(), pid: Number(said.toString()), startMarker: null };
    while (!isKnownDead(child)) await nextTurn();
    expect(existsSync(`/proc/${child.pid}`)).toBe(true);
    parent.kill();
    await once(parent, 'exit');
  });
});
