import { MailServer } from '@tollgate/testkit/mail-server';
import { PASSWORD, type Target } from '../installation/target.js';
import type { Check } from './check.js';
import { mailGoal, mailMilliseconds } from './mail-times.js';

const SIGN_UP = '/dashboard/api/auth/sign-up';
const RESET = '/dashboard/api/auth/reset-request';
const PERSON = 'person@siege.test';
const OPERATOR = 'operator@siege.test';
const NEWCOMER = 'newcomer@siege.test';
const SILENT_DOMAIN = 'silent.test';
const ACCEPTED = 202;
/** Number of recipients, more than may wait for one domain. */
const SILENT_RECIPIENTS = 260;
const AT_A_TIME = 8;

/** Signs up people in subdomains of a domain whose mail server does not answer. Resolves with the different statuses. */
async function fillDomain(target: Target): Promise<readonly number[]> {
  const statuses = new Set<number>();
  for (let begun = 0; begun < SILENT_RECIPIENTS; begun += AT_A_TIME) {
    await Promise.all(Array.from({ length: Math.min(AT_A_TIME, SILENT_RECIPIENTS - begun) }, async (_, offset) => {
      const number = begun + offset + 1;
      const headers = target.pageHeaders(`2001:db8:${number.toString(16)}::1`);
      statuses.add((await target.tryPost(SIGN_UP, headers, { email: `silent@host${number}.${SILENT_DOMAIN}`, name: 'Silent Example', password: PASSWORD })).status);
    }));
  }
  return [...statuses];
}

/** Checks whether strangers can fill the outbox of mail. */
export const FULL_MAIL: Check = {
  id: 'full-mail',
  title: `signs up ${SILENT_RECIPIENTS} addresses at as many names below a domain whose mail server accepts nothing, and then asks for mail to a person, an operator and a newcomer`,
  run: async ({ start }) => {
    const server = await MailServer.start({
      security: 'none', beforeAccepting: (raw) => (raw.includes(`.${SILENT_DOMAIN}`) ? new Promise(() => undefined) : Promise.resolve()),
    });
    try {
      const { target } = await start({
        SIGN_UP: 'open', TRUST_PROXY: '127.0.0.0/8',
        SMTP_HOST: '127.0.0.1', SMTP_PORT: String(server.port), SMTP_SECURITY: 'none', MAIL_FROM: 'Siege <siege@siege.test>',
      });
      for (const [index, email] of [PERSON, OPERATOR].entries()) await target.verifiedPerson(email, { address: `192.0.2.${index + 1}`, mails: () => server.received.map(({ raw }) => raw) });
      await target.appointOperator(OPERATOR);
      const statuses = await fillDomain(target);
      const reset = (email: string, address: string): Promise<number | null> => mailMilliseconds(server, email, () => target.post(RESET, target.pageHeaders(address), { email }));
      const person = await reset(PERSON, '192.0.2.11');
      const operator = await reset(OPERATOR, '192.0.2.12');
      const newcomer = await mailMilliseconds(server, NEWCOMER, () => target.post(SIGN_UP, target.pageHeaders('192.0.2.13'), { email: NEWCOMER, name: 'Newcomer', password: PASSWORD }));
      return [{
        heading: `mail beside ${SILENT_RECIPIENTS} messages to one silent domain`,
        goals: [
          mailGoal('reset of a person ', person), mailGoal('reset of an operator ', operator), mailGoal('verification of a newcomer at another domain ', newcomer),
          { what: 'every sign-up answered alike', reached: `status ${statuses.join(', ')}`, isMet: statuses.length === 1 && statuses[0] === ACCEPTED },
        ],
      }];
    } finally {
      await server.close();
    }
  },
};
