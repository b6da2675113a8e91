import { z } from 'zod';
import { isDisplayName } from '@tollgate/core';
import { issuerUrl } from './issuer-settings.js';
import { SECOND_FACTOR_POLICIES, SIGN_UP_POLICIES } from './dashboard-settings.js';
import { variable } from './variable.js';
import { credit, creditLine } from './signup-credit.js';
import { hostList, hostName, networkList, onOrOff, portNumber, publicOrigin, wholeNumber } from './variable-schemas.js';

export const PEOPLE_VARIABLES = {
  PORT: variable(portNumber, { default: '8080', unit: null, meaning: 'Port to listen on. 0 takes a free one.' }),
  HOST: variable(hostName, {
    default: '127.0.0.1', unit: null, meaning: 'Address to listen on. 0.0.0.0 or :: accepts connections from other machines.',
  }),
  PUBLIC_URL: variable(publicOrigin, {
    default: null, unit: null,
    meaning: 'The address at which browsers reach the gateway, such as https://api.example.com: the origin of the dashboard, of its cookies, passkeys and the links in mail. Without it http://localhost:PORT.',
  }),
  DASHBOARD_HOSTS: variable(hostList, {
    default: null, unit: null,
    meaning: 'Further host names, with their ports if these are not the default, under which the dashboard is served, separated by commas. Requests under other names are refused with wrong_host.',
  }),
  SIGN_UP: variable(z.enum(SIGN_UP_POLICIES, { error: `must be one of ${SIGN_UP_POLICIES.join(', ')}` }), {
    default: null, unit: null,
    meaning: 'Who may open an account: open, anyone; invitation, people whom an operator invites; closed, no one. Without it open, and invitation with NODE_ENV=production.',
  }),
  SIGNUP_CREDIT: variable(credit, {
    default: '0', unit: 'service tokens', meaning: 'Credit of a new account once its owner has verified the address, once per address. Requires the secret. An address whose account was erased before a rotation of the secret can be credited once more after SECRET_PREVIOUS is removed.',
  }),
  SIGNUP_CREDIT_DAYS: variable(wholeNumber(0, 3650), {
    default: '0', unit: 'days', meaning: 'Days after which the unused part of SIGNUP_CREDIT is taken from the balance; 0 for never.',
  }),
  CREDIT_LINE: variable(creditLine, {
    default: null, unit: null,
    meaning: 'One line that tells owners how to get credit, such as Write to billing@example.com. The dashboard shows it, and refusals with insufficient_balance end with it. At most 300 characters and one https:// address.',
  }),
  REQUIRE_SECOND_FACTOR: variable(z.enum(SECOND_FACTOR_POLICIES, { error: `must be one of ${SECOND_FACTOR_POLICIES.join(', ')}` }), {
    default: null, unit: null,
    meaning: 'Who must sign in with a second factor: none, operators or everybody. Without it none, and operators with NODE_ENV=production.',
  }),
  OIDC_ISSUER: variable(issuerUrl, {
    default: null, unit: null,
    meaning: 'Identifier of the OpenID Connect issuer through which people may sign in instead of by password: https://accounts.example.com. Register the redirect address PUBLIC_URL/dashboard/api/auth/callback/oidc there. Without it, no issuer is offered.',
  }),
  OIDC_CLIENT_ID: variable(z.string(), { default: null, unit: null, meaning: 'The client id that the issuer assigned to this installation.' }),
  OIDC_CLIENT_SECRET: variable(z.string(), { default: null, unit: null, meaning: 'The client secret of this installation at the issuer.' }),
  OIDC_NAME: variable(z.string().max(60, 'must have at most 60 characters').refine(isDisplayName, 'must be one line'), {
    default: null, unit: null, meaning: "Name of the issuer on the sign-in page. Without it, the issuer's host name.",
  }),
  OIDC_TRUST_EMAIL: variable(onOrOff, {
    default: 'off', unit: null,
    meaning: 'on trusts the addresses of an issuer that does not send email_verified, such as Entra ID, or sends it as the text "true" or "1"; an address that the issuer calls unverified is never accepted. off requires email_verified: true. Use on only if people cannot choose their address at the issuer: the owner of an address there gets the account with that address here.',
  }),
  OPERATOR_NETWORKS: variable(networkList('all'), {
    default: 'all', unit: null,
    meaning: "Networks from which operators may use the operator's routes of the dashboard: all, or addresses and CIDR ranges separated by commas. For other networks these routes do not exist.",
  }),
  ADMIN_KEYS: variable(onOrOff, {
    default: 'off', unit: null,
    meaning: "on lets machine credentials of the operator get the scope keys:write, with which a program creates, changes, rotates and revokes keys of accounts. off reserves that to signed-in owners and to the operator's command line; a machine that has the scope cannot use it.",
  }),
} as const;
