import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { eventually } from '../test-support/test-client.js';
import { rehearse } from './rehearsal.js';

const PATIENCE_MILLISECONDS = 60_000;

test('a rehearsal gets replies in every format through both gateways', async () => {
  const replies = await rehearse({ milliseconds: PATIENCE_MILLISECONDS, requests: 16 });
  // Eight requests for each of the two gateways.
  expect(replies).toEqual({ 200: 16 });
});

test('a rehearsal leaves no listener and no connection', async () => {
  const before = handles();
  await rehearse({ milliseconds: PATIENCE_MILLISECONDS, requests: 4 });
  await eventually(() => handles() <= before);
  expect(handles()).toBeLessThanOrEqual(before);
});

test('a rehearsal told to stop leaves no listener and no connection', async () => {
  const before = handles();
  const stop = new AbortController();
  const running = rehearse({ milliseconds: PATIENCE_MILLISECONDS, stop: stop.signal });
  await eventually(() => handles() > before);
  stop.abort();
  await running;
  await eventually(() => handles() <= before);
  expect(handles()).toBeLessThanOrEqual(before);
});

test('a rehearsal keeps no log until exit, and writes no file into the working folder', async () => {
  const [listeners, files] = [process.listenerCount('exit'), filesHere()];
  await rehearse({ milliseconds: PATIENCE_MILLISECONDS, requests: 4 });
  expect([process.listenerCount('exit'), filesHere()]).toEqual([listeners, files]);
});

test('a rehearsal without time sends nothing', async () => {
  expect(await rehearse({ milliseconds: 0 })).toEqual({});
});

function handles(): number {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
}

function filesHere(): readonly string[] {
  return readdirSync(process.cwd());
}
