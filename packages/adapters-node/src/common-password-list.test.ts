import { expect, it } from '@jest/globals';
import { CommonPasswordList } from '@tollgate/adapters-node';

it('the list of common passwords contains two very common ones, and not a rare one', async () => {
  const list = new CommonPasswordList();
  const found = await Promise.all(['password', '12345678', 'sunshine1', 'correct horse', ''].map((each) => list.has(each)));
  expect(found.slice(0, 2)).toEqual([true, true]);
  expect(found.slice(3, 4)).toEqual([false]);
});
