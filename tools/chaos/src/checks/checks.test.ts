import { describe, expect, it } from '@jest/globals';
import { LinearTokenEstimator } from '@tollgate/adapters-upstream';
import type { Row } from '../books/database-view.js';
import { PIECE } from '../upstream/request-script.js';
import {
  billedFrom, bookedFrom, brokenReceipts, DeadProcesses, leakedSlots, lostCredits, type OrphanRule, SeenEntries, SeenSlots, wrongOutput,
} from './checks.js';

describe('what clients and operators were told', () => {
  const booked = bookedFrom([[['req_1', '1500000']], [['req_1', '1500000'], ['req_2', '5']], [['ref_1', '3000000']]]);

  it.each([
    ['is borne out', 'req_1', '1.5', []],
    ['is another amount', 'req_1', '1.6', ['I9: request req_1 was told 1600000, the ledger says 1500000, its record 1500000']],
    ['is recorded and not in the ledger', 'req_2', '0.000005', ['I9: request req_2 was told 5, the ledger says 0, its record 5']],
    ['is nowhere', 'req_3', '1', ['I9: request req_3 was told 1000000, the ledger says 0, its record nothing']],
  ])('a receipt that %s', (_name, requestId, debited, violations) => {
    expect(brokenReceipts([{ requestId, debited, isPending: false }], booked)).toEqual(violations);
  });

  it.each([
    ['is there', 'ref_1', '3', []],
    ['is another amount', 'ref_1', '4', ['P4: credit ref_1 of 4 is in the ledger as 3000000']],
    ['is lost', 'ref_2', '3', ['P4: credit ref_2 of 3 is in the ledger as nothing']],
  ])('a credit that %s', (_name, reference, amount, violations) => {
    expect(lostCredits([{ reference, amount }], booked)).toEqual(violations);
  });
});

it('a pending receipt is compared at rest', () => {
  expect(brokenReceipts([{ requestId: 'req_3', debited: '1', isPending: true }], bookedFrom([[], [], []]))).toEqual([]);
});

describe('entries of the ledger', () => {
  const first: Row = ['1', 'top-up', '5'];
  const second: Row = ['2', 'charge', '3'];

  it.each<[string, readonly Row[], readonly string[]]>([
    ['stay', [first, second], []],
    ['are joined by others, also by one with a smaller number', [['0', 'charge', '1'], first, second, ['3', 'charge', '9']], []],
    ['change', [first, ['2', 'charge', '4']], ['I12: ledger entry 2 has changed from 2|charge|3 to 2|charge|4']],
    ['vanish', [first], ['I12: 1 ledger entries have gone']],
    ['vanish while others come', [first, ['3', 'charge', '9']], ['I12: 1 ledger entries have gone']],
  ])('that %s', (_name, rows, violations) => {
    const entries = new SeenEntries();
    expect(entries.look([first, second])).toEqual([]);
    expect(entries.look(rows)).toEqual(violations);
  });
});

describe('what a dead process held', () => {
  const shared: OrphanRule = { from: 'its-death', milliseconds: 30_000 };
  const alone: OrphanRule = { from: 'the-next-start', milliseconds: 2000 };
  const STILL = 'P5, I6: 2 reservations of a process that was killed at middle are still held';

  it.each<[string, OrphanRule, number, readonly string[]]>([
    ['counts from its death where others may end it: in time', shared, 30_999, []],
    ['counts from its death where others may end it: too late', shared, 31_001, [STILL]],
    ['counts from the next start if no other gateway can do it: in time', alone, 6999, []],
    ['counts from the next start if no other gateway can do it: too late', alone, 7001, [STILL]],
  ])('%s', (_name, rule, at, violations) => {
    const dead = new DeadProcesses(rule);
    dead.died('gone', 'middle', 1000);
    expect(dead.look([['gone', '5'], ['alive', '9']], 4000)).toEqual([]);
    dead.succeeded('gone', 5000);
    expect(dead.look([['gone', '2'], ['alive', '9']], at)).toEqual(violations);
    expect(dead.look([['alive', '9']], 99_000)).toEqual([]);
    expect(dead.all).toEqual([{ processId: 'gone', kind: 'middle', diedAt: 1000, succeededAt: 5000, orphans: 5, heldUntil: at }]);
  });
});

describe('output that is billed', () => {
  const LEFT = { seen: 4, sent: 7, leftAtHold: true };
  const STAYED = { seen: 6, sent: 6, leftAtHold: false };
  const BROKEN = { seen: 4, sent: 7, leftAtHold: false };

  it.each([
    ['what a client that left had seen', LEFT, 'client_left', 'counted', 4, true],
    ['one piece more than a client that left had seen', LEFT, 'client_left', 'counted', 5, true],
    ['two pieces more than a client that left had seen', LEFT, 'client_left', 'counted', 6, false],
    ['less than a client that left had seen', LEFT, 'client_left', 'counted', 3, false],
    ['all that an upstream reports', STAYED, 'completed', 'reported', 6, true],
    ['more than an upstream has sent', STAYED, 'completed', 'reported', 7, false],
    ['less than an upstream has sent and a client has seen', STAYED, 'completed', 'reported', 5, false],
    ['all that came before a break', BROKEN, 'provider_failed', 'counted', 7, true],
    ['more than came before a break', BROKEN, 'provider_failed', 'counted', 8, false],
    ['less than was relayed before a break', BROKEN, 'provider_failed', 'counted', 3, false],
    ['a checkpoint before what was relayed when the process died', BROKEN, 'crashed', 'counted', 1, true],
    ['more than there was when the process died', BROKEN, 'crashed', 'counted', 8, false],
  ])('as %s', (_name, relayed, endReason, source, pieces, isRight) => {
    const counter = new LinearTokenEstimator().startCounter();
    counter.add(PIECE.repeat(pieces));
    const tokens = source === 'reported' ? pieces : counter.tokens;
    const wrong = wrongOutput(relayed, billedFrom([['12', endReason, source, String(tokens)]]).get(12));
    expect(wrong === null).toBe(isRight);
  });

  it('is recorded when there was any', () => {
    expect(wrongOutput(STAYED, undefined)).toMatch('nothing is recorded');
    expect(wrongOutput({ ...STAYED, seen: 0 }, undefined)).toBeNull();
  });
});

describe('slots', () => {
  it('are at most as many as there are, at every look', () => {
    const slots = new SeenSlots();
    expect(slots.look([{ holder: 'one', what: 'slots', held: 3, limit: 3 }, { holder: 'two', what: 'requests', held: 9, limit: Infinity }])).toEqual([]);
    expect(slots.look([{ holder: 'one', what: 'slots', held: 4, limit: 3 }])).toEqual(['I13: one held 4 of 3 slots']);
    expect(slots.most).toBe(4);
  });

  it('are all given back in quiet', () => {
    expect(leakedSlots([{ holder: 'one', what: 'requests', held: 1, limit: 3 }, { holder: 'two', what: 'slots', held: 0, limit: 3 }])).toEqual(['I13: one still holds 1 requests']);
  });
});
