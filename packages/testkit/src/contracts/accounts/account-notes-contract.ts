import { type AccountNote, type AccountNoteId, type AccountNoteRecords, AccountNotes, type Actor, clientAt, later, MAX_NOTES_PER_ACCOUNT, NO_AUDIT_FILTERS, SYSTEM_ACTOR } from '@tollgate/core';
import { anAccount } from '../../builders/builders.js';
import { deleteAccount, STORE_ALICE, STORE_BOB, STORE_NOON } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import type { ErasureSubject } from './account-erasure-contract.js';

export interface NotesSubject extends ErasureSubject {
  readonly accountNotes: AccountNoteRecords;
}

const OLGA: Actor = { kind: 'operator', id: 'person_olga', origin: clientAt('198.51.100.4') };
const OTTO: Actor = { ...OLGA, id: 'person_otto' };
const SECRET = 'Pays late;\ncall <b>Mrs Smith</b>.';

export function accountNotesContract(name: string, make: () => NotesSubject | Promise<NotesSubject>): void {
  describe(`AccountNotes contract: ${name}: notes`, () => {
    let store: NotesSubject;
    let notes: AccountNotes;
    let now = STORE_NOON;
    let made = 0;

    beforeEach(async () => {
      store = await make();
      now = STORE_NOON;
      notes = new AccountNotes({
        records: store.accountNotes, clock: { now: () => now, schedule: () => () => undefined },
        ids: { accountNoteId: () => `note_${String(made += 1).padStart(4, '0')}` as AccountNoteId },
      });
      await store.accounts.create(anAccount({ id: STORE_ALICE }), SYSTEM_ACTOR);
      await store.accounts.create(anAccount({ id: STORE_BOB, email: 'bob@example.test' }), SYSTEM_ACTOR);
    });
    afterEach(async () => {
      expect((await store.auditTrail.verifyAuditTrail()).fault).toBeNull();
      await store.close?.();
    });

    async function add(text: string, actor = OLGA, accountId = STORE_ALICE): Promise<AccountNote> {
      const outcome = await notes.add({ accountId, text, actor });
      if (outcome.outcome !== 'added') throw new Error(outcome.outcome);
      return outcome.note;
    }

    async function entries() {
      const page = await store.auditTrail.list({ ...NO_AUDIT_FILTERS, limit: 100, cursor: null });
      return (page?.records ?? []).filter(({ action }) => action.startsWith('note.'));
    }

    it('keep text, author and times, and are listed per account, newest first', async () => {
      const first = await add(`  ${SECRET}\r\n`);
      now = later(STORE_NOON, 1000);
      const second = await add('Knows the trade.', OTTO);
      await add('Of Bob', OLGA, STORE_BOB);
      expect(await notes.list(STORE_ALICE)).toEqual([second, first]);
      expect(first).toEqual({ id: first.id, accountId: STORE_ALICE, text: SECRET, author: OLGA.id, writtenAt: STORE_NOON, changedAt: null });
    });

    it('can be changed only by their author, removed by others only with removeAny, and never through another account', async () => {
      const { id: noteId } = await add('First');
      now = later(STORE_NOON, 1000);
      expect(await notes.change({ accountId: STORE_ALICE, noteId, actor: OTTO }, 'Other')).toEqual({ outcome: 'not-own' });
      expect(await notes.change({ accountId: STORE_BOB, noteId, actor: OLGA }, 'Other')).toEqual({ outcome: 'no-such-note' });
      expect([await notes.remove({ accountId: STORE_ALICE, noteId, actor: OTTO }), await notes.remove({ accountId: STORE_BOB, noteId, actor: OLGA })]).toEqual(['not-own', 'no-such-note']);
      expect(await notes.change({ accountId: STORE_ALICE, noteId, actor: OLGA }, 'Second')).toMatchObject({ outcome: 'changed', note: { text: 'Second', writtenAt: STORE_NOON, changedAt: now } });
      expect(await notes.list(STORE_ALICE)).toMatchObject([{ text: 'Second', changedAt: now }]);
      expect([await notes.remove({ accountId: STORE_ALICE, noteId, actor: OLGA }), await notes.remove({ accountId: STORE_ALICE, noteId, actor: OLGA })]).toEqual(['removed', 'no-such-note']);
      const { id: other } = await add('Of Otto', OTTO);
      expect(await notes.removeAny({ accountId: STORE_ALICE, noteId: other, actor: OLGA })).toBe('removed');
      expect(await notes.list(STORE_ALICE)).toEqual([]);
    });

    it('are audited without their text, in entries that the owner of the account does not see', async () => {
      const { id: noteId } = await add(SECRET);
      await notes.change({ accountId: STORE_ALICE, noteId, actor: OLGA }, `${SECRET} Twice.`);
      await notes.remove({ accountId: STORE_ALICE, noteId, actor: OLGA });
      expect((await entries()).map(({ action, actor, subject, accountId, details, texts }) => [action, actor.id, subject, accountId, details, texts])).toEqual(
        ['note.removed', 'note.changed', 'note.added'].map((action) => [action, OLGA.id, noteId, null, { accountId: STORE_ALICE }, {}]),
      );
    });

    it('are limited to 50 per account, even when several are added at once', async () => {
      await Promise.all(Array.from({ length: MAX_NOTES_PER_ACCOUNT - 1 }, (_, number) => add(`Note ${number}`)));
      const outcomes = await Promise.all(Array.from({ length: 3 }, () => notes.add({ accountId: STORE_ALICE, text: 'One more', actor: OLGA })));
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['added', 'too-many', 'too-many']);
      expect(await notes.list(STORE_ALICE)).toHaveLength(MAX_NOTES_PER_ACCOUNT);
      expect((await notes.add({ accountId: STORE_BOB, text: 'Of Bob', actor: OLGA })).outcome).toBe('added');
    });

    it('are erased with the account, which accepts no notes afterwards', async () => {
      await add(SECRET);
      await add('Of Bob', OLGA, STORE_BOB);
      await deleteAccount(store, STORE_ALICE);
      expect([await notes.list(STORE_ALICE), (await notes.list(STORE_BOB)).length]).toEqual([[], 1]);
      expect((await notes.add({ accountId: STORE_ALICE, text: 'Late', actor: OLGA })).outcome).toBe('no-such-account');
    });
  });
}
