import { describe, expect, it } from '@jest/globals';
import type { ModelTurn, UserTurn } from './conversation.js';
import { type KeptSession, MAX_KEPT_CHARACTERS, readKept, writeKept } from './kept-session.js';
import { DEFAULT_SETTINGS } from './preset.js';
import { NO_REPLY } from './reply.js';

describe('a conversation that a reload keeps', () => {
  const asked: UserTurn = { role: 'user', text: 'Hello', pictures: [{ name: 'a.png', address: 'data:image/png;base64,AAAA' }], results: [] };
  const answer: ModelTurn = { role: 'model', model: 'm', reply: { ...NO_REPLY, text: 'Hi.' }, requestId: 'req_1', firstOutput: 1, took: 2, stopped: false, raw: { request: '{}', status: 200, reply: '', isCut: false } };
  const settings = { ...DEFAULT_SETTINGS, model: 'm', system: 'Be brief.' };
  const session: KeptSession = { search: '?model=m', text: 'not sent', lanes: [{ settings, turns: [asked, answer] }, { settings: { ...settings, model: 'n' }, turns: [asked] }] };

  it('is the same after the reload, except that raw requests and replies are dropped', () => {
    expect(readKept(writeKept(session))).toEqual({ ...session, lanes: [{ settings, turns: [asked, { ...answer, raw: null }] }, session.lanes[1]] });
  });

  it('marks a reply that was still running as stopped', () => {
    const kept = readKept(writeKept({ ...session, lanes: [{ settings, turns: [asked, { ...answer, took: null }] }] }));
    expect(kept?.lanes[0]?.turns[1]).toMatchObject({ took: 0, stopped: true, requestId: 'req_1' });
  });

  it('loses its pictures if it is too long, and is not kept if it is too long even without them', () => {
    const large = { ...asked, pictures: [{ name: 'a.png', address: 'x'.repeat(MAX_KEPT_CHARACTERS) }] };
    expect(readKept(writeKept({ ...session, lanes: [{ settings, turns: [large] }] }))?.lanes[0]?.turns).toEqual([{ ...asked, pictures: [] }]);
    expect(writeKept({ ...session, text: 'x'.repeat(MAX_KEPT_CHARACTERS) })).toBeNull();
  });

  it.each([null, '', 'no JSON', '{}', '{"version":0}', '{"version":1,"search":"","text":"","lanes":[]}', '{"version":1,"search":"","text":"","lanes":[{"settings":{"model":"m"},"turns":[{"role":"model"}]}]}', '{"version":1,"search":"","text":"","lanes":[null]}'])('is missing if the stored text is %s', (text) => {
    expect(readKept(text)).toBeNull();
  });
});
