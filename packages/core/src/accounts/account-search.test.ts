import { expect, it } from '@jest/globals';
import { keyEndingIn } from './account-search.js';

it.each([
  ['wXyZ', 'wXyZ'], ['sk-Ab…wXyZ', 'wXyZ'], ['', null], ['wXy', null], ['wXyZ1', null], ['wX-Z', null], ['wXy%', null], [`sk-${'a'.repeat(48)}`, null],
])('the search text %j is read as a key’s last characters: %j', (text, ending) => {
  expect(keyEndingIn(text)).toBe(ending);
});
