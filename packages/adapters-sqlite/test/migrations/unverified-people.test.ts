import { expect, it } from '@jest/globals';
import { later, SYSTEM_ACTOR } from '@tollgate/core';
import { UNVERIFIED_KEPT_MILLISECONDS } from '@tollgate/identity';
import { OTHER_PROCESS, peopleOver } from '@tollgate/sql-common/testing';
import { PeopleDriver, STORE_NOON } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile } from '../../src/test-support/stores.js';
import { UNDO_SINCE_UNVERIFIED_PEOPLE } from '../../src/test-support/undo-steps.js';

it('dates people of databases from before, by their last link where it ends later', async () => {
  const place = storeFile();
  const old = new PeopleDriver(peopleOver(await place.open(), await place.open(OTHER_PROCESS)));
  const due = later(STORE_NOON, UNVERIFIED_KEPT_MILLISECONDS);
  const verified = (await old.start()).id;
  const [early, late] = [await old.signUp('early@example.test'), await old.signUp('late@example.test')];
  await old.subject.close?.();
  const connection = new Database(place.file);
  connection.exec(`${UNDO_SINCE_UNVERIFIED_PEOPLE} INSERT INTO person_tokens VALUES
    ('1', '${early}', 'verify-email', NULL, ${due - 1}), ('2', '${late}', 'verify-email', NULL, ${due}), ('3', '${late}', 'invitation', NULL, ${due + 1})`);
  connection.close();
  const store = await place.open();
  const remaining = async (): Promise<readonly boolean[]> => Promise.all([verified, early, late].map(async (id) => await store.people.find(id) !== null));
  await store.people.discardUnverified(10, { actor: SYSTEM_ACTOR, at: due });
  expect(await remaining()).toEqual([true, false, true]);
  await store.people.discardUnverified(10, { actor: SYSTEM_ACTOR, at: later(due, 1) });
  expect(await remaining()).toEqual([true, false, false]);
  await store.close();
  place.remove();
});
