import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import type { JsonObject } from '@tollgate/core';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addSignedIn, type PageReply, type TestBrowser, textOf } from '../../src/test-support/test-browser.js';

const TEXT = 'Pays late;\nask Mrs Zweig.';

let running: TestGateway;
let olga: TestBrowser;
let otto: TestBrowser;

beforeAll(async () => {
  running = await startTestGateway();
  olga = (await addSignedIn(running.gateway, 'olga@example.com', 'operator')).browser;
  otto = (await addSignedIn(running.gateway, 'otto@example.com', 'operator')).browser;
});
afterAll(() => running.close());

function refusalOf({ status, body: { error } }: PageReply): string {
  return `${status} ${error?.code ?? ''} ${error?.param ?? ''}`.trim();
}

describe('a note about an account', () => {
  it('is read by all operators, and changed and removed only by its author', async () => {
    const params = { id: running.caller.account.id };
    const added = await olga.call(contract.addNoteToAccount, { params, body: { text: ` ${TEXT} ` } });
    expect([added.status, added.body['text'], added.body['is_own']]).toEqual([201, TEXT, true]);
    const note = { ...params, note: textOf(added, 'id') };
    const seen = (await otto.call(contract.listNotesOfAccount, { params })).body['data'] as readonly JsonObject[];
    expect(seen).toEqual([{ ...added.body, is_own: false }]);
    expect(refusalOf(await otto.call(contract.changeNoteOfAccount, { params: note, body: { text: 'Pays.' } }))).toBe('409 conflict');
    expect(refusalOf(await otto.call(contract.removeNoteOfAccount, { params: note }))).toBe('409 conflict');
    expect((await olga.call(contract.changeNoteOfAccount, { params: note, body: { text: 'Pays.' } })).body).toMatchObject({ text: 'Pays.', is_own: true });
    expect((await olga.call(contract.removeNoteOfAccount, { params: note })).status).toBe(204);
    expect(refusalOf(await olga.call(contract.removeNoteOfAccount, { params: note }))).toBe('404 not_found');
    expect((await otto.call(contract.listNotesOfAccount, { params })).body['data']).toEqual([]);
  });

  it('is refused without text, with too much text, and for an unknown account', async () => {
    const add = async (text: string, id: string = running.caller.account.id) => refusalOf(await olga.call(contract.addNoteToAccount, { params: { id }, body: { text } }));
    expect(await add(' \n ')).toBe('400 invalid_request text');
    expect(await add('x'.repeat(4001))).toBe('400 invalid_request text');
    expect(await add('Hello', 'acct_none')).toBe('404 not_found');
    expect(refusalOf(await olga.call(contract.listNotesOfAccount, { params: { id: 'acct_none' } }))).toBe('404 not_found');
  });

  it('is never revealed to the account’s owner, not even its existence', async () => {
    const { browser, accountId } = await addSignedIn(running.gateway, 'watched@example.com', 'owner');
    const noteId = textOf(await olga.call(contract.addNoteToAccount, { params: { id: accountId }, body: { text: TEXT } }), 'id');
    const replies = [
      await browser.call(contract.me), await browser.call(contract.overview), await browser.call(contract.activity), await browser.call(contract.listKeys),
      await browser.call(contract.listNotesOfAccount, { params: { id: accountId } }),
    ];
    expect(replies.at(-1)?.status).toBe(404);
    for (const { text } of replies) {
      for (const trace of ['Zweig', 'note', noteId]) expect(text).not.toContain(trace);
    }
    const entry = (await running.trail()).findLast(({ action }) => action === 'note.added');
    expect([entry?.subject, entry?.accountId, JSON.stringify(entry).includes('Zweig')]).toEqual([noteId, null, false]);
  });
});
