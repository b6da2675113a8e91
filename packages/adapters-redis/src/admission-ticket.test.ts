import { describe, expect, it } from '@jest/globals';
import { type AccountId, type AdmissionTicket, instant, type ModelSlug } from '@tollgate/core';
import { decodeTicket, encodeTicket, type TicketContent } from './admission-ticket.js';

const CONTENT: TicketContent = {
  accountId: 'acct_1' as AccountId, kind: 'generation', member: 'proc_1-z:4096', tokens: 4096, windowStartedAt: 1_795_000_000_000, incident: null,
};

describe('a ticket of the limiter', () => {
  it.each<[string, Partial<TicketContent>]>([
    ['of a generation', {}],
    ['of a count', { kind: 'count', member: 'proc_1-z:0', tokens: 0 }],
    ['of an admission whose answer was lost', { windowStartedAt: null }],
    ['of a model under an incident limit', { incident: { model: 'llama3:8b/q4 %' as ModelSlug, setAt: instant(1_794_000_000_000), windowStartedAt: 1_795_000_000_001 } }],
    ['of a model under an incident limit, whose answer was lost', { incident: { model: 'm' as ModelSlug, setAt: instant(5), windowStartedAt: null } }],
    ['of an account whose name has colons, spaces and line ends', { accountId: 'a:b c\n:9:d' as AccountId }],
  ])('%s is decoded to the contents that were encoded', (_name, changed) => {
    const content = { ...CONTENT, ...changed };
    expect(decodeTicket(encodeTicket(content))).toEqual(content);
  });

  it.each(['', 'generation:1', 'other:1:m:5:acct', 'generation:1:m:acct'])('is refused if it is malformed: %j', (text) => {
    expect(() => decodeTicket(text as AdmissionTicket)).toThrow('invariant');
  });
});
