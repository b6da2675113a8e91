import { setTimeout as wait } from 'node:timers/promises';
import { MailServer } from '@tollgate/testkit/mail-server';
import { PASSWORD, type Target } from '../installation/target.js';
import type { Check } from './check.js';
import { mailGoal, mailMilliseconds } from './mail-times.js';

const SIGN_UP = '/dashboard/api/auth/sign-up';
const RESET = '/dashboard/api/auth/reset-request';
const EMAIL = 'returning@siege.test';
const SLOW_DOMAIN = 'slow.test';
const SLOW_RECIPIENTS = 40;
/** Time that the mail server takes for each message. */
const SLOW_MILLISECONDS = 3000;

function resetMilliseconds(target: Target, server: MailServer, address: string): Promise<number | null> {
  return mailMilliseconds(server, EMAIL, () => target.post(RESET, target.pageHeaders(address), { email: EMAIL }));
}

/** Checks whether slow recipients delay the mail of a verified person. */
export const SLOW_MAIL: Check = {
  id: 'slow-mail',
  title: `signs up ${SLOW_RECIPIENTS} addresses at as many names below a domain whose mail server takes ${SLOW_MILLISECONDS / 1000} s for each, and then asks for a reset of another person`,
  run: async ({ start }) => {
    const server = await MailServer.start({
      security: 'none', beforeAccepting: (raw) => (raw.includes(`.${SLOW_DOMAIN}`) ? wait(SLOW_MILLISECONDS) : Promise.resolve()),
    });
    try {
      const { target } = await start({
        SIGN_UP: 'open', TRUST_PROXY: '127.0.0.0/8',
        SMTP_HOST: '127.0.0.1', SMTP_PORT: String(server.port), SMTP_SECURITY: 'none', MAIL_FROM: 'Siege <siege@siege.test>',
      });
      await target.verifiedPerson(EMAIL, { address: '192.0.2.7', mails: () => server.received.map(({ raw }) => raw) });
      const alone = await resetMilliseconds(target, server, '192.0.2.8');
      for (let index = 0; index < SLOW_RECIPIENTS; index += 1) {
        const address = `2001:db8:${(index + 1).toString(16)}::1`;
        await target.post(SIGN_UP, target.pageHeaders(address), { email: `slow@host${index}.${SLOW_DOMAIN}`, name: 'Slow Example', password: PASSWORD });
      }
      const behind = await resetMilliseconds(target, server, '192.0.2.9');
      return [{
        heading: `a reset behind ${SLOW_RECIPIENTS} messages to slow recipients`,
        goals: [mailGoal('', behind, `, ${Math.round(alone ?? 0)} ms without them`)],
      }];
    } finally {
      await server.close();
    }
  },
};
