import { expect, it } from '@jest/globals';
import { batched } from './batched.js';

function counting(most: number) {
  const calls: (readonly string[])[] = [];
  const read = batched((ids) => {
    calls.push([...ids]);
    return ids.includes('broken') ? Promise.reject(new Error('refused')) : Promise.resolve(ids.filter((id) => id !== 'unknown').map((id) => ({ id })));
  }, most);
  return { calls, read };
}

it('ids requested at the same time are combined into one call, without duplicates', async () => {
  const { calls, read } = counting(9);
  expect(await Promise.all(['a', 'b', 'a', 'unknown'].map((id) => read(id)))).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'a' }, null]);
  expect(calls).toEqual([['a', 'b', 'unknown']]);
  await read('a');
  expect(calls).toHaveLength(2);
});

it('one call requests a limited number of ids', async () => {
  const { calls, read } = counting(2);
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => read(id)));
  expect(calls).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

it('a failed call rejects all its ids, which are requested again at the next look-up', async () => {
  const { calls, read } = counting(9);
  const [broken, other] = await Promise.allSettled([read('broken'), read('a')]);
  expect([broken?.status, other?.status]).toEqual(['rejected', 'rejected']);
  expect(await read('a')).toEqual({ id: 'a' });
  expect(calls).toHaveLength(2);
});
