import { ANY_EXAMPLES } from './examples.js';
import { type Gallery, openStart, PICTURE_TIME } from './gallery.js';

/** Opens a gallery on its first day, with an operator and a customer who has neither key nor credit. */
export async function openEmptyGallery(): Promise<Gallery> {
  const { world, next } = await openStart({ SIGNUP_CREDIT: '0' });
  world.clock.stopAt(PICTURE_TIME);
  const operator = await next({ email: 'op@example.com', name: 'Operator', role: 'operator', credit: '0', keyName: null });
  const owner = await next({ email: 'ada@example.com', name: 'Ada', credit: '0', keyName: null });
  world.clock.stopAt(PICTURE_TIME);
  return { world, people: { owner, operator }, examples: { ...ANY_EXAMPLES, accountId: owner.accountId } };
}
