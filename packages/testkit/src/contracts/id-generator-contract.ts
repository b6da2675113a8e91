import { describe, expect, it } from '@jest/globals';
import type { IdGenerator } from '@tollgate/core';

const MANY = 1_000;
/** What headers, logs, file names and every database take as it is. */
const PLAIN = '[A-Za-z0-9_-]{1,60}';

type Make = (ids: IdGenerator) => string;

/** What every generator of ids guarantees: the form that clients and databases know, and none of them twice. */
export function idGeneratorContract(name: string, make: () => IdGenerator): void {
  describe(`IdGenerator contract: ${name}`, () => {
    it.each<[string, Make, RegExp]>([
      ['an account', (ids) => ids.accountId(), new RegExp(`^acct_${PLAIN}$`)],
      ['a key', (ids) => ids.apiKeyId(), new RegExp(`^key_${PLAIN}$`)],
      ['a mail', (ids) => ids.mailId(), new RegExp(`^mail_${PLAIN}$`)],
      ['a person', (ids) => ids.personId(), new RegExp(`^person_${PLAIN}$`)],
      ['a session', (ids) => ids.sessionId(), new RegExp(`^session_${PLAIN}$`)],
      ['a process', (ids) => ids.processId(), new RegExp(`^${PLAIN}$`)],
      ['a request', (ids) => ids.requestId(), new RegExp(`^req_${PLAIN}$`)],
      ['a reservation', (ids) => ids.reservationId(), new RegExp(`^${PLAIN}$`)],
      ['a chat reply', (ids) => ids.responseId('chatcmpl-'), new RegExp(`^chatcmpl-${PLAIN}$`)],
      ['a message', (ids) => ids.responseId('msg_'), new RegExp(`^msg_${PLAIN}$`)],
      ['a secret', (ids) => ids.apiKeySecret().reveal(), /^sk-[A-Za-z0-9]{48}$/],
    ])('names %s in its form, no two the same', (_kind, nameOne, form) => {
      const ids = make();
      const made = Array.from({ length: MANY }, () => nameOne(ids));
      expect(made.filter((id) => !form.test(id))).toEqual([]);
      expect(new Set(made).size).toBe(MANY);
    });
  });
}
