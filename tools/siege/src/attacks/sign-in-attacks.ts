import { PASSWORD, type Target } from '../installation/target.js';
import type { HttpLoad } from '../loads/load.js';
import { type Attack, attack, BEHIND_PROXY, requests } from './attack.js';
import { smallRequests } from './model-attacks.js';

const SIGN_IN = '/dashboard/api/auth/sign-in';
const RESET = '/dashboard/api/auth/reset-request';
const SIGN_UP = '/dashboard/api/auth/sign-up';
/** Pattern of addresses: a different /64 in each request, all within one /48. */
const WITHIN_ONE_48 = '2001:db8:1:{number}::1';
/** Pattern of addresses: a different /48 in each request. */
const ANYWHERE = '2001:db8:{number}::1';
/** Like `ANYWHERE`, but of networks that no attacker uses. */
const OF_NEWCOMERS = '2001:db9:{number}::1';
const RETURNING = 'returning@siege.test';

/** A load of sign-ins with a wrong password, each for a different person. */
function wrongSignIns(target: Target, address: string, connections: number): HttpLoad {
  return requests({
    method: 'POST', path: SIGN_IN, headers: target.pageHeaders(address), connections,
    bodies: ['{"email":"person-{number}@example.com","password":"wrong horse battery"}'],
  });
}

/** A load of one sign-in per second, with or without the cookies of an earlier one. */
function signsIn(target: Target, { cookies, address }: { readonly cookies: string; readonly address: string }): HttpLoad {
  return requests({
    method: 'POST', path: SIGN_IN, headers: { ...target.pageHeaders(address), ...(cookies === '' ? {} : { cookie: cookies }) },
    connections: 1, requestsPerSecond: 1, bodies: [JSON.stringify({ email: RETURNING, password: PASSWORD })],
  });
}

const HASHING: Pick<Attack, 'reference' | 'highestRatio'> = { reference: 'hashing', highestRatio: 2 };
const OPEN = { ...BEHIND_PROXY, SIGN_UP: 'open' } as const;

export const SIGN_IN_ATTACKS: readonly Attack[] = [
  attack({
    ...HASHING, id: 'sign-ins', title: '500 connections signing in with wrong passwords, each request from another network and for another person', environment: BEHIND_PROXY,
    arm: (target) => Promise.resolve({ attackers: [wrongSignIns(target, ANYWHERE, 500)], victim: smallRequests(target) }),
  }),
  attack({
    ...HASHING, id: 'sign-ups', title: '8 connections signing up, each request from another network and for another person', environment: OPEN,
    arm: (target) => Promise.resolve({
      attackers: [requests({
        method: 'POST', path: SIGN_UP, headers: target.pageHeaders(ANYWHERE), connections: 8,
        bodies: ['{"email":"person-{number}@example.com","name":"Ann Example","password":"siege horse battery"}'],
      })],
      victim: smallRequests(target),
    }),
  }),
  attack({
    id: 'flooded-return', title: '500 connections signing in with wrong passwords from one /48 network; a person who was here before signs in once a second',
    reference: 'hashing', environment: OPEN, grounds: ['sqlite', 'shared'],
    arm: async (target) => ({
      attackers: [wrongSignIns(target, WITHIN_ONE_48, 500)],
      victim: signsIn(target, { cookies: await target.personWithCookies(RETURNING, '192.0.2.7'), address: '192.0.2.7' }),
    }),
  }),
  attack({
    id: 'flooded-everywhere', title: '500 connections signing in with wrong passwords, each request from another network; a person who was here before signs in once a second',
    reference: 'hashing', environment: OPEN,
    arm: async (target) => ({
      attackers: [wrongSignIns(target, ANYWHERE, 500)],
      victim: signsIn(target, { cookies: await target.personWithCookies(RETURNING, '192.0.2.7'), address: '192.0.2.7' }),
    }),
  }),
  attack({
    id: 'flooded-newcomer', title: '500 connections signing in with wrong passwords from one /48 network; a person from another network signs in once a second with a new browser',
    reference: 'hashing', environment: OPEN,
    arm: async (target) => {
      await target.personWithCookies(RETURNING, '192.0.2.7');
      return { attackers: [wrongSignIns(target, WITHIN_ONE_48, 500)], victim: signsIn(target, { cookies: '', address: '198.51.100.9' }) };
    },
  }),
  attack({
    id: 'flooded-resets', title: '300 connections asking for 100 resets a second, each from another network and for another person; once a second a person from a network of their own asks with a new browser',
    environment: OPEN,
    arm: (target) => Promise.resolve({
      attackers: [requests({ method: 'POST', path: RESET, headers: target.pageHeaders(ANYWHERE), connections: 300, requestsPerSecond: 100, bodies: ['{"email":"person-{number}@example.com"}'] })],
      victim: requests({
        method: 'POST', path: RESET, headers: target.pageHeaders(OF_NEWCOMERS), connections: 1, requestsPerSecond: 1, bodies: ['{"email":"newcomer-{number}@example.com"}'],
      }),
    }),
  }),
];
