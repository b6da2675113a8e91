import { PASSWORD, type Target } from '../installation/target.js';
import type { Check } from './check.js';

const SIGN_IN = '/dashboard/api/auth/sign-in';
const EMAIL = 'guessed@siege.test';
const HOME = '192.0.2.7';
const GUESSES_MADE = 120;
const AT_A_TIME = 10;
const OK = 200;

/** Sends wrong passwords, each from a different network. */
async function guess(target: Target): Promise<void> {
  for (let begun = 0; begun < GUESSES_MADE; begun += AT_A_TIME) {
    await Promise.all(Array.from({ length: AT_A_TIME }, (_, offset) => {
      const address = `2001:db8:${(begun + offset + 1).toString(16)}::1`;
      return target.tryPost(SIGN_IN, target.pageHeaders(address), { email: EMAIL, password: `wrong horse battery ${begun + offset}` });
    }));
  }
}

async function statusOfRightPassword(target: Target, address: string, cookies: string): Promise<number> {
  const headers = { ...target.pageHeaders(address), ...(cookies === '' ? {} : { cookie: cookies }) };
  return (await target.tryPost(SIGN_IN, headers, { email: EMAIL, password: PASSWORD })).status;
}

/** Checks that a password cannot be guessed from many networks, and that its owner can still sign in. */
export const GUESSES: Check = {
  id: 'guesses',
  title: `guesses the password of one person ${GUESSES_MADE} times, each from another network, and then uses the right one`,
  run: async ({ start }) => {
    const { target } = await start({ SIGN_UP: 'open', TRUST_PROXY: '127.0.0.0/8' });
    const cookies = await target.personWithCookies(EMAIL, HOME);
    await guess(target);
    const stranger = await statusOfRightPassword(target, '198.51.100.9', '');
    const owner = await statusOfRightPassword(target, HOME, cookies);
    return [{
      heading: `the right password after ${GUESSES_MADE} wrong ones`,
      goals: [
        { what: 'from a new browser it does not suffice', reached: `status ${stranger}`, isMet: stranger !== OK },
        { what: "in the owner's browser it does", reached: `status ${owner}`, isMet: owner === OK },
      ],
    }];
  },
};
