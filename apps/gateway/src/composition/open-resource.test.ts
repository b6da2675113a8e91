import { expect, it } from '@jest/globals';
import { openResource } from './open-resource.js';

const failure = new Error('cannot be opened');

it('resources are closed in reverse order', async () => {
  const [resources, closed] = [new AsyncDisposableStack(), [] as string[]];
  const close = async (name: string) => void closed.push(name);
  await openResource(resources, () => Promise.resolve('first'), close);
  await openResource(resources, () => Promise.resolve('second'), close);
  await resources.disposeAsync();
  expect(closed).toEqual(['second', 'first']);
});

it('a resource that is still being opened when closing begins is closed, too', async () => {
  const [resources, closed] = [new AsyncDisposableStack(), [] as string[]];
  let finish: (name: string) => void = () => undefined;
  const opening = openResource(resources, () => new Promise<string>((resolve) => {
    finish = resolve;
  }), async (name) => void closed.push(name));
  const closing = resources.disposeAsync();
  expect(closed).toEqual([]);
  finish('slow');
  await Promise.all([opening, closing]);
  expect(closed).toEqual(['slow']);
});

it('no resource can be opened once closing has begun', async () => {
  const resources = new AsyncDisposableStack();
  const closing = resources.disposeAsync();
  let opened = 0;
  const late = openResource(resources, () => Promise.resolve(opened++), () => Promise.resolve());
  await expect(late).rejects.toThrow('no resource can be opened while the gateway closes');
  await closing;
  expect(opened).toBe(0);
});

it('a resource that failed to open is not closed', async () => {
  const [resources, closed] = [new AsyncDisposableStack(), [] as string[]];
  await expect(openResource(resources, () => Promise.reject<string>(failure), async (name) => void closed.push(name))).rejects.toBe(failure);
  await resources.disposeAsync();
  expect(closed).toEqual([]);
});
