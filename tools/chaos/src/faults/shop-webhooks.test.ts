import { describe, expect, it } from '@jest/globals';
import type { ReceivedDelivery } from '@tollgate/kit';
import type { Row } from '../books/database-view.js';
import { wrongDeliveries } from './shop-webhooks.js';

const EARLIER: readonly Row[] = [['evt_1', 'acct_a', '1']];
const EVENTS: readonly Row[] = [...EARLIER, ['evt_2', 'acct_a', '2'], ['evt_3', null, null]];
const SECOND: ReceivedDelivery = { id: 'evt_2', account: 'acct_a', sequence: 2, fate: 'doubled', forged: 400, passedOn: [202, 202] };
const THIRD: ReceivedDelivery = { id: 'evt_3', account: null, sequence: null, fate: 'repeated', forged: 0, passedOn: [202] };

describe('the comparison of deliveries with the events of the database', () => {
  it('finds nothing if each event reached the shop at least once', () => {
    expect(wrongDeliveries({ earlier: EARLIER, received: [THIRD, SECOND, SECOND] }, EVENTS)).toEqual([]);
  });

  it.each<readonly [string, readonly ReceivedDelivery[], string]>([
    ['an event that never came', [THIRD], 'event evt_2 (acct_a 2) never reached the shop'],
    ['an event that was lost on its way', [THIRD, { ...SECOND, fate: 'lost', passedOn: [] }], 'event evt_2 (acct_a 2) never reached the shop'],
    ['an event under another id', [SECOND, THIRD, { ...SECOND, id: 'evt_4' }], 'event evt_4 (acct_a 2) was delivered, but the database has no such event'],
    ['another number', [{ ...SECOND, sequence: 3 }, THIRD], 'event evt_2 (acct_a 3) was delivered, but the database has acct_a 2'],
    ['a forged copy that the shop accepted', [{ ...SECOND, forged: 202 }, THIRD], 'the shop answered 202 to a forged copy of event evt_2'],
    ['an event that the shop refused', [{ ...SECOND, passedOn: [202, 400] }, THIRD], 'the shop answered 400 to event evt_2'],
  ])('finds %s', (_fault, received, text) => {
    expect(wrongDeliveries({ earlier: EARLIER, received }, EVENTS)).toEqual([text]);
  });
});
