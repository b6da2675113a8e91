import { expect, it } from '@jest/globals';
import { SYSTEM_ACTOR } from '@tollgate/core';
import { anAccount, anApiKey, changeStanding, STORE_NOON } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile } from '../../src/test-support/stores.js';
import { UNDO_SINCE_OPERATOR_CONTROLS } from '../../src/test-support/undo-steps.js';

it('takes over blocks and maintenance of databases from before they had terms', async () => {
  const place = storeFile();
  const by = { actor: SYSTEM_ACTOR, at: STORE_NOON };
  const old = await place.open();
  await old.accounts.create(anAccount(), SYSTEM_ACTOR);
  await old.keys.create({ key: anApiKey(), maximumActive: 1, maximumPerHour: 1, actor: SYSTEM_ACTOR });
  await changeStanding(old.accounts, anAccount().id, { blocked: true }, by);
  await old.keys.setBlocked(anAccount().id, anApiKey().id, true, by);
  await old.close();
  const connection = new Database(place.file);
  connection.exec(`${UNDO_SINCE_OPERATOR_CONTROLS}
    INSERT INTO network_blocks VALUES ('192.0.2.0/24', 'abuse', ${STORE_NOON}); INSERT INTO platform_settings VALUES ('maintenance', 'on')`);
  connection.close();
  const store = await place.open();
  const blocks = await store.controls.listBlocks({ limit: 10, after: null, now: STORE_NOON });
  expect(blocks.map(({ target, reason, expiresAt, blockedBy }) => [target.kind, target.subject, reason, expiresAt, blockedBy])).toEqual([
    ['network', '192.0.2.0/24', 'abuse', null, null], ['key', anApiKey().id, null, null, null], ['account', anAccount().id, null, null, null],
  ]);
  expect(store.platform.current().maintenance).toMatchObject({ startsAt: 0, endsAt: null, message: null });
  expect(store.platform.current().isNetworkBlocked('192.0.2.1', STORE_NOON)).toBe(true);
  await store.close();
  place.remove();
});
