import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import { later } from '@tollgate/core';
import type { MailOutbox } from './mail-outbox.js';
import { type Mail, MAIL_LIFETIME_MILLISECONDS, MAX_MAIL_CHARACTERS, MAIL_RANKS } from './mail.js';
import { MailRefused, Mailer } from './mailer.js';

const MAIL: Mail = { kind: 'test', accountId: null, to: 'ada@example.test', rank: 'verified', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', reference: 'greeting 1' };

describe('Mailer', () => {
  let clock: ManualClock;
  let outbox: MailOutbox;
  let announced: number;
  let mailer: Mailer;
  beforeEach(async () => {
    [clock, announced] = [new ManualClock(), 0];
    outbox = (await storeInMemory(clock)).mail;
    mailer = new Mailer({ outbox, ids: new SequentialIds(), clock, onStored: () => { announced += 1; } });
  });

  async function stored(): Promise<number> {
    return (await outbox.status(clock.now())).waiting;
  }

  it('stores a message that is due immediately and expires after a day, and announces it', async () => {
    await mailer.send(MAIL);
    expect(announced).toBe(1);
    const now = clock.now();
    expect(await outbox.claim({ at: now, leaseExpiresAt: later(now, 1), most: 9, ranks: MAIL_RANKS }))
      .toEqual([{ ...MAIL, id: 'mail_1', storedAt: now, expiresAt: later(now, MAIL_LIFETIME_MILLISECONDS), attempt: 1 }]);
  });

  it('sends one message per reference', async () => {
    await mailer.send(MAIL);
    await mailer.send({ ...MAIL, subject: 'Hello again' });
    expect([await stored(), announced]).toEqual([1, 1]);
  });

  it.each<[string, Partial<Mail>]>([
    ['malformed-address', { to: 'ada' }],
    ['malformed-address', { to: 'ada@example.test, eve@example.test' }],
    ['malformed-address', { to: 'Ada <ada@example.test>' }],
    ['malformed-address', { to: 'ada@example.test\r\nBcc: eve@example.test' }],
    ['malformed-reference', { reference: '' }],
    ['malformed-reference', { reference: 'r'.repeat(201) }],
    ['subject-too-long', { subject: '' }],
    ['subject-too-long', { subject: 's'.repeat(201) }],
    ['too-large', { text: 't'.repeat(MAX_MAIL_CHARACTERS) }],
  ])('refuses a message as %s, with an error that does not quote the message: %j', async (reason, difference) => {
    const refused: unknown = await mailer.send({ ...MAIL, ...difference }).catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(MailRefused);
    expect(refused).toMatchObject({ reason });
    expect(String(refused)).not.toMatch(/ada|eve|sss|ttt|rrr/);
    expect([await stored(), announced]).toEqual([0, 0]);
  });

  it('accepts a message of the maximum size', async () => {
    await mailer.send({ ...MAIL, subject: 'S', html: '', text: 't'.repeat(MAX_MAIL_CHARACTERS - 1) });
    expect(await stored()).toBe(1);
  });

  it('refuses a message if the maximum number is waiting', async () => {
    const full = Object.assign(Object.create(outbox) as MailOutbox, { store: () => Promise.resolve('full') });
    const refusing = new Mailer({ outbox: full, ids: new SequentialIds(), clock, onStored: () => undefined });
    await expect(refusing.send(MAIL)).rejects.toThrow('the message was not stored: too many messages are already waiting for delivery');
  });
});
